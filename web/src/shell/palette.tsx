// Go to anything by a piece of its name: functions, files, objects, views, commands.

import { createEffect, createMemo, createSignal, createUniqueId, For, type JSX, on, Show } from 'solid-js';
import type { App } from '../app/app';
import { Dialog } from '../components/dialog';
import { Icon } from '../components/icon';
import { stateOfCommand } from '../model/command_line';
import { patternOfFunction, patternOfPath } from '../model/filter';
import { brief } from '../model/format';
import { atLevel } from '../model/levels';
import { baseName } from '../model/names';
import type { Name } from '../model/state';
import { offeredViews, viewOf } from '../model/views';
import { printable } from '../model/visible';
import type { Cost } from '../protocol/cost';
import type { Func } from '../protocol/protocol';
import './palette.css';

export interface Command {
  label: string;
  key?: string;
  run(): void;
}

interface Entry {
  kind: string;
  label: string;
  detail: string;
  number: string;
  run(other: boolean): void;
}

function useDebounced(text: () => string, wait: number): () => string {
  const [settled, setSettled] = createSignal(text());
  let timer: ReturnType<typeof setTimeout> | undefined;
  createEffect(
    on(text, now => {
      clearTimeout(timer);
      timer = setTimeout(() => setSettled(now), wait);
    }),
  );
  return settled;
}

export function Palette(props: { app: App; commands: Command[]; onClose(): void }): JSX.Element {
  const { app } = props;
  const id = createUniqueId();
  const [text, setText] = createSignal('');
  const [active, setActive] = createSignal(0);
  const settled = useDebounced(() => text().trim(), 60);
  const found = app.answers.follow(() =>
    settled() ? app.answers.question({ ask: 'search' as const, text: settled(), limit: 100 }) : null,
  );

  // A view of one function stays; others lead to the callers, or only select where there are none.
  function openFunction(func: Func | Name) {
    if (app.state.level !== 'function') app.navigation.update(atLevel(app.state, 'function'), 'replace');
    const here = viewOf(app.state.view);
    const hasCalls = app.profile().has.calls;
    if (here.ofFunction || here.id !== 'functions') app.selection.select(func);
    else app.selection.activate(func, hasCalls ? 'callers' : 'source');
  }
  const filter = (kind: 'file' | 'object', name: string) => {
    const chip = { kind, pattern: patternOfPath(name) };
    app.navigation.update({ view: 'functions', chips: [...app.state.chips.filter(one => one.kind !== kind), chip] });
  };

  const entries = createMemo<Entry[]>(() => {
    const piece = text().trim().toLowerCase();
    // Until the answer arrives, entries of the previous one that still match, so that a quick Enter selects the right one.
    const answer = piece ? found.value() : undefined;
    const ofName = (name: string) => name.toLowerCase().includes(piece);
    const isCurrent = found.current() && settled() === text().trim();
    const fits = (row: { name: string }) => isCurrent || ofName(row.name);
    const facts = app.profile();
    // By cost, but exact matches and prefixes first.
    const rank = (func: { name: string }) => {
      const name = func.name.toLowerCase();
      return name === piece ? 0 : name.startsWith(piece) ? 1 : 2;
    };
    const ranked = (answer?.functions ?? [])
      .filter(fits)
      .sort((a, b) => rank(a) - rank(b))
      .slice(0, 40);
    const functions = ranked.map(
      (func): Entry => ({
        kind: 'function',
        label: app.names.short(func),
        detail: [baseName(func.object), baseName(func.file)].filter(part => part).join(': '),
        number: app.measure.label(func.self[0] ?? null),
        run: other =>
          other
            ? app.navigation.update({
                chips: [...app.state.chips, { kind: 'focus', pattern: patternOfFunction(func.name) }],
              })
            : openFunction(func),
      }),
    );
    const pages = offeredViews(facts)
      .filter(view => ofName(view.title))
      .map(
        (view): Entry => ({
          kind: 'view',
          label: view.title,
          detail: '',
          number: view.key,
          run: () => app.navigation.go(view.id),
        }),
      );
    const commands = props.commands
      .filter(command => ofName(command.label))
      .map(({ label, key, run }): Entry => ({ kind: 'command', label, detail: '', number: key ?? '', run }));
    const filters = (kind: 'file' | 'object', all: { name: string; self: Cost }[] = []) =>
      all
        .filter(fits)
        .slice(0, 8)
        .map(
          ({ name, self }): Entry => ({
            kind,
            label: baseName(name),
            detail: name,
            number: brief(self),
            run: () => filter(kind, name),
          }),
        );
    const files = filters('file', answer?.files);
    const objects = filters('object', answer?.objects);
    const line = stateOfCommand(
      text(),
      facts.files.map(file => file.name),
    );
    const shown: Entry[] = line
      ? [
          {
            kind: 'view',
            label: text().trim(),
            detail: [viewOf(line.state.view).title, ...line.without.map(option => `without ${option}`)].join(', '),
            number: '',
            run: () => {
              // How costs and names are shown is the reader's choice.
              const { relative: _relative, shorten: _shorten, more: _more, ...shown } = line.state;
              const compare = line.state.view === 'difference' || !facts.has.before;
              app.navigation.update({ ...shown, compare });
            },
          },
        ]
      : [];
    return piece ? [...shown, ...functions, ...pages, ...files, ...objects, ...commands] : [...pages, ...commands];
  });
  createEffect(on(entries, () => setActive(0), { defer: true }));

  function run(entry: Entry | undefined, other: boolean) {
    if (!entry) return;
    props.onClose();
    entry.run(other);
  }
  function onKey(event: KeyboardEvent) {
    const count = entries().length;
    if (event.key === 'ArrowDown') setActive(at => Math.min(count - 1, at + 1));
    else if (event.key === 'ArrowUp') setActive(at => Math.max(0, at - 1));
    else if (event.key === 'Enter') run(entries()[active()], event.shiftKey);
    else return;
    event.preventDefault();
    document.getElementById(`${id}-${active()}`)?.scrollIntoView({ block: 'nearest' });
  }

  return (
    <Dialog title="Go to" class="palette" bare onClose={props.onClose}>
      <div class="palette-field">
        <Icon name="search" />
        <input
          data-first=""
          class="filter-input"
          role="combobox"
          aria-label="Go to a function, file, object or view"
          aria-expanded={entries().length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={entries().length > 0 ? `${id}-${active()}` : undefined}
          aria-autocomplete="list"
          placeholder="Go to function, file, object or view; /expression/; callcost command"
          spellcheck={false}
          autocomplete="off"
          value={text()}
          onInput={event => setText(event.currentTarget.value)}
          onKeyDown={onKey}
        />
      </div>
      <div class="palette-list" id={`${id}-list`} role="listbox" aria-label="Found">
        <For each={entries()}>
          {(entry, at) => (
            <div
              class="palette-entry"
              id={`${id}-${at()}`}
              role="option"
              tabindex="-1"
              aria-selected={at() === active()}
              onPointerMove={() => setActive(at())}
              onClick={event => run(entry, event.shiftKey)}
            >
              <span class="palette-kind">{entry.kind}</span>
              <span class="palette-name name">{printable(entry.label, 160)}</span>
              <span class="palette-detail name">{printable(entry.detail, 120)}</span>
              <span class="number palette-number">{entry.number}</span>
            </div>
          )}
        </For>
      </div>
      <Show when={text().trim() && entries().length === 0 && found.current()}>
        <p class="palette-none">{found.error() ? printable(found.error()!.message) : 'No matches'}</p>
      </Show>
      <footer class="palette-foot">
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> choose
        </span>
        <span>
          <kbd>Enter</kbd> go
        </span>
        <span>
          <kbd>Shift</kbd>+<kbd>Enter</kbd> focus on the function
        </span>
      </footer>
    </Dialog>
  );
}
