import { For, type JSX } from 'solid-js';
import { Dialog } from '../components/dialog';
import './help.css';

const keys: { title: string; rows: [string[], string][] }[] = [
  {
    title: 'Everywhere',
    rows: [
      [['/'], 'go to a function, file, object or view'],
      [['1', '…', '9', '0'], 'views; e: the call tree, s: the sandwich'],
      [['Alt', '←'], 'back'],
      [['Alt', '→'], 'forward'],
      [['f'], 'add a filter'],
      [['Ctrl', 'F'], 'the browser’s own search'],
      [['l'], 'by function, class, file, directory or library'],
      [['t'], 'shorten names, or show them whole'],
      [['%'], 'absolute or relative costs'],
      [['?'], 'this help'],
      [['Esc'], 'close, zoom out, clear'],
    ],
  },
  {
    title: 'In a view',
    rows: [
      [['↑', '↓', '←', '→'], 'move'],
      [['Enter'], 'open, zoom in'],
      [['Esc'], 'zoom out'],
      [['\\'], 'find in this view'],
      [['n'], 'next match'],
      [['p'], 'previous match'],
      [['Space'], 'select'],
      [['Ctrl', 'C'], 'copy the row as text'],
      [['m'], 'menu of the row'],
      [['*'], 'in the call tree: open the hottest path'],
      [['r'], 'in trees: fold or unfold recursion'],
      [['c'], 'in trees: certain costs only, or all; in call graphs: open or fold a chain'],
      [['+'], 'in graphs and flame graphs: magnify; − back, w in graphs: where it began'],
      [['Ctrl', 'wheel'], 'magnify; drag to move'],
    ],
  },
];

const terms: [string, string][] = [
  ['self', 'cost of the function’s own code'],
  ['inclusive', 'self cost and cost of all calls made'],
  ['called', 'call count; “≥” if some calls were not counted'],
  ['inlined', 'the compiler put its code into another function; marked “⊂”, and “~” is how often it was entered'],
  ['active', 'the call began before the measurement: no count'],
  ['cycle', 'functions that call each other, directly or not, and share one inclusive cost'],
  ['estimated', 'most profiles have calls, not call stacks: trees are estimates within exact bounds'],
];

export function Help(props: { version: string; onClose(): void }): JSX.Element {
  return (
    <Dialog title="Keys and terms" class="help" onClose={props.onClose}>
      <div class="dialog-body help-body" tabindex="0">
        <For each={keys}>
          {group => (
            <section>
              <h3>{group.title}</h3>
              <dl class="help-keys">
                <For each={group.rows}>
                  {([combination, meaning]) => (
                    <div>
                      <dt>
                        <For each={combination}>{key => (key === '…' ? <span>…</span> : <kbd>{key}</kbd>)}</For>
                      </dt>
                      <dd>{meaning}</dd>
                    </div>
                  )}
                </For>
              </dl>
            </section>
          )}
        </For>
        <section class="help-text">
          <h3>Terms</h3>
          <dl>
            <For each={terms}>
              {([term, meaning]) => (
                <div>
                  <dt>{term}</dt>
                  <dd>{meaning}</dd>
                </div>
              )}
            </For>
          </dl>
          <p class="muted">callcost {props.version}. This page sends nothing anywhere.</p>
        </section>
      </div>
    </Dialog>
  );
}
