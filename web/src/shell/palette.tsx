// Go to anything by a piece of its name: functions, files, objects, views, commands.

import { createEffect, createMemo, createSignal, createUniqueId, For, type JSX, on, Show } from 'solid-js';
import type { App } from '../app';
import { Dialog } from '../components/dialog';
import { Icon } from '../components/icon';
import type { Cost } from '../model/cost';
import { pattern_of_function, pattern_of_path } from '../model/filter';
import { brief } from '../model/format';
import { base_name } from '../model/names';
import { printable } from '../model/visible';
import { view_of, views } from '../views/registry';
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

function use_debounced(text: () => string, wait: number): () => string {
  const [settled, set_settled] = createSignal(text());
  let timer: ReturnType<typeof setTimeout> | undefined;
  createEffect(
    on(text, now => {
      clearTimeout(timer);
      timer = setTimeout(() => set_settled(now), wait);
    }),
  );
  return settled;
}

export function Palette(props: { app: App; commands: Command[]; on_close(): void }): JSX.Element {
  const { app } = props;
  const id = createUniqueId();
  const [text, set_text] = createSignal('');
  const [active, set_active] = createSignal(0);
  const settled = use_debounced(() => text().trim(), 60);
  const found = app.use_answer(() =>
    settled() ? app.question({ ask: 'search' as const, text: settled(), limit: 100 }) : null,
  );

  // A view of one function stays; others lead to the callers, or only select where there are none.
  function open_function(func: Parameters<App['select']>[0]) {
    const here = view_of(app.state.view);
    const has_calls = app.profile().has.calls;
    if (here.of_function || here.id !== 'functions') app.select(func);
    else app.activate(func, has_calls ? 'callers' : 'source');
  }
  const filter = (kind: 'file' | 'object', name: string) => {
    const chip = { kind, pattern: pattern_of_path(name) };
    app.update({ view: 'functions', chips: [...app.state.chips.filter(one => one.kind !== kind), chip] });
  };

  const entries = createMemo<Entry[]>(() => {
    const piece = text().trim().toLowerCase();
    // Until the answer to what has been typed is there, what fits of the one before: a quick Enter chooses nothing else.
    const answer = piece ? found.value() : undefined;
    const of_name = (name: string) => name.toLowerCase().includes(piece);
    const is_current = found.current() && settled() === text().trim();
    const fits = (row: { name: string }) => is_current || of_name(row.name);
    const facts = app.profile();
    // By cost as they come, but first those that are called so, and that begin so.
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
        label: app.name(func),
        detail: [base_name(func.object), base_name(func.file)].filter(part => part).join(': '),
        number: app.label(func.self[0] ?? null),
        run: other =>
          other
            ? app.update({ chips: [...app.state.chips, { kind: 'focus', pattern: pattern_of_function(func.name) }] })
            : open_function(func),
      }),
    );
    const pages = views
      .filter(view => !view.hidden?.(facts) && of_name(view.title))
      .map(
        (view): Entry => ({
          kind: 'view',
          label: view.title,
          detail: '',
          number: view.key,
          run: () => app.go(view.id),
        }),
      );
    const commands = props.commands
      .filter(command => of_name(command.label))
      .map(({ label, key, run }): Entry => ({ kind: 'command', label, detail: '', number: key ?? '', run }));
    const filters = (kind: 'file' | 'object', all: { name: string; self: Cost }[] = []) =>
      all
        .filter(fits)
        .slice(0, 8)
        .map(
          ({ name, self }): Entry => ({
            kind,
            label: base_name(name),
            detail: name,
            number: brief(self),
            run: () => filter(kind, name),
          }),
        );
    const files = filters('file', answer?.files);
    const objects = filters('object', answer?.objects);
    return piece ? [...functions, ...pages, ...files, ...objects, ...commands] : [...pages, ...commands];
  });
  createEffect(on(entries, () => set_active(0), { defer: true }));

  function run(entry: Entry | undefined, other: boolean) {
    if (!entry) return;
    props.on_close();
    entry.run(other);
  }
  function on_key(event: KeyboardEvent) {
    const count = entries().length;
    if (event.key === 'ArrowDown') set_active(at => Math.min(count - 1, at + 1));
    else if (event.key === 'ArrowUp') set_active(at => Math.max(0, at - 1));
    else if (event.key === 'Enter') run(entries()[active()], event.shiftKey);
    else return;
    event.preventDefault();
    document.getElementById(`${id}-${active()}`)?.scrollIntoView({ block: 'nearest' });
  }

  return (
    <Dialog title="Go to" class="palette" bare on_close={props.on_close}>
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
          placeholder="Go to function, file, object or view; /expression/"
          spellcheck={false}
          autocomplete="off"
          value={text()}
          onInput={event => set_text(event.currentTarget.value)}
          onKeyDown={on_key}
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
              onPointerMove={() => set_active(at())}
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
        <p class="palette-none">{found.error() ? printable(found.error()!.message) : 'Nothing has such a name'}</p>
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
