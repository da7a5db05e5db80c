import { For, type JSX } from 'solid-js';
import { Dialog } from '../components/dialog';
import './help.css';

const keys: { title: string; rows: [string[], string][] }[] = [
  {
    title: 'Everywhere',
    rows: [
      [['/'], 'go to a function, file, object or view'],
      [['1', '…', '9', '0'], 'views'],
      [['Alt', '←'], 'back'],
      [['Alt', '→'], 'forward'],
      [['f'], 'add a filter'],
      [['Ctrl', 'F'], 'find on the page, as ever'],
      [['t'], 'shorten template arguments, or not'],
      [['%'], 'numbers as they are, or relative'],
      [['?'], 'this help'],
      [['Esc'], 'close, step out, clear'],
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
      [['p'], 'match before'],
      [['Space'], 'select'],
      [['Ctrl', 'C'], 'copy the row as text'],
      [['m'], 'what can be done with the row'],
      [['r'], 'in trees: recursion folded, or not'],
      [['c'], 'in trees: only what is certain, or all'],
      [['+'], 'in graphs: larger; − smaller, w all of it'],
    ],
  },
];

const words: [string, string][] = [
  ['self', 'what the code of a function cost itself'],
  ['inclusive', 'self, and all that it called'],
  ['called', 'how often; “at least” where some calls were not counted'],
  ['active', 'the call had begun before the measurement did, so that it has no count'],
  ['cycle', 'functions that call each other, directly or not: they share one inclusive cost'],
  ['estimated', 'the profile has calls, not call stacks: a tree of them is estimated between exact bounds'],
];

export function Help(props: { version: string; onClose(): void }): JSX.Element {
  return (
    <Dialog title="Keys and words" class="help" onClose={props.onClose}>
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
        <section class="help-words">
          <h3>Words</h3>
          <dl>
            <For each={words}>
              {([word, meaning]) => (
                <div>
                  <dt>{word}</dt>
                  <dd>{meaning}</dd>
                </div>
              )}
            </For>
          </dl>
          <p class="muted">callcost {props.version}. Nothing in this page is sent anywhere.</p>
        </section>
      </div>
    </Dialog>
  );
}
