// What of the profile is looked at, as chips, and what is looked for in a view.

import { createEffect, createMemo, createSignal, For, type JSX, Show } from 'solid-js';
import type { App } from '../app';
import { Icon } from '../components/icon';
import { Popover } from '../components/popover';
import { AnswerError } from '../engine/receive';
import { kind_words, parse_chip, same_chip } from '../model/filter';
import { type Chip, chip_kinds } from '../model/state';
import { printable, visible } from '../model/visible';
import './filter_bar.css';

// The chip that the engine cannot understand, if that is what is wrong.
function wrong_chip(app: App): Chip | null {
  const error = app.totals.error();
  if (!(error instanceof AnswerError) || !error.member) return null;
  const of_kind = app.state.chips.filter(chip => chip.kind === error.member);
  return of_kind.find(chip => error.message.includes(`'${chip.pattern}'`)) ?? of_kind[0] ?? null;
}

function ChipView(props: { app: App; chip: Chip; wrong: boolean; on_edit(): void }): JSX.Element {
  const { app } = props;
  const remove = () => app.update({ chips: app.state.chips.filter(chip => !same_chip(chip, props.chip)) });
  return (
    <li class="chip" classList={{ wrong: props.wrong }}>
      <button
        type="button"
        class="chip-text"
        title={`${kind_words[props.chip.kind]}. Click to edit.`}
        onClick={() => props.on_edit()}
        onKeyDown={event => (event.key === 'Delete' || event.key === 'Backspace') && remove()}
      >
        <Show when={props.wrong}>
          <Icon name="warning" label="Wrong:" />
        </Show>
        <span class="chip-kind">{props.chip.kind}</span>
        <span class="chip-pattern">{printable(props.chip.pattern, 80)}</span>
      </button>
      <button type="button" class="chip-close" aria-label={`Remove ${props.chip.kind} filter`} onClick={remove}>
        <Icon name="close" />
      </button>
    </li>
  );
}

// Beside the views: a button that shows the filters, and a field to find something in the view.
export function FindBar(props: { app: App; on_filter(): void; filters_shown: boolean }): JSX.Element {
  const { app } = props;
  return (
    <div class="find-bar" role="search" aria-label="Filter and find">
      <button
        type="button"
        class="button quiet"
        aria-label="Filter"
        aria-expanded={props.filters_shown}
        title="Filters ( f )"
        onClick={() => props.on_filter()}
      >
        <Icon name="filter" />
        <span class="find-words">Filter</span>
      </button>
      <div class="find-field">
        <Icon name="search" />
        <input
          class="filter-input"
          type="search"
          aria-label="Find in this view"
          placeholder="Find in view"
          value={app.state.search}
          spellcheck={false}
          autocomplete="off"
          data-find=""
          onInput={event => app.update({ search: event.currentTarget.value }, 'replace')}
          onKeyDown={event => {
            if (event.key !== 'Escape') return;
            if (app.state.search) app.update({ search: '' }, 'replace');
            else event.currentTarget.blur();
            event.preventDefault();
          }}
        />
      </div>
    </div>
  );
}

export function FilterBar(props: { app: App; focus: boolean; on_close(): void }): JSX.Element {
  const { app } = props;
  const [text, set_text] = createSignal('');
  const [open, set_open] = createSignal(false);
  let input!: HTMLInputElement;
  createEffect(() => {
    if (props.focus) input.focus();
  });
  const wrong = createMemo(() => wrong_chip(app));

  function add() {
    const chip = parse_chip(text());
    if (!chip) return;
    if (!app.state.chips.some(one => same_chip(one, chip))) app.update({ chips: [...app.state.chips, chip] });
    set_text('');
    set_open(false);
  }
  function edit(chip: Chip) {
    app.update({ chips: app.state.chips.filter(one => !same_chip(one, chip)) }, 'replace');
    set_text(`${chip.kind}: ${chip.pattern}`);
    input.focus();
  }
  function on_key(event: KeyboardEvent) {
    if (event.key === 'Enter') add();
    else if (event.key === 'Escape') {
      if (text()) set_text('');
      else {
        input.blur();
        props.on_close();
      }
      set_open(false);
    } else if (event.key === 'Backspace' && text() === '') {
      const last = app.state.chips.at(-1);
      if (last) edit(last);
      else return;
    } else if (event.key === 'ArrowDown' && open()) {
      document.querySelector<HTMLElement>('.filter-kinds button')?.focus();
    } else return;
    event.preventDefault();
  }
  function begin_with(kind: string) {
    set_text(`${kind}: ${text().replace(/^[a-z]+:\s*/, '')}`);
    set_open(false);
    input.focus();
  }

  return (
    <section class="filter-bar" aria-label="Filters">
      <ul class="chips" aria-label="Active filters">
        <For each={app.state.chips}>
          {chip => (
            <ChipView
              app={app}
              chip={chip}
              wrong={wrong() !== null && same_chip(wrong()!, chip)}
              on_edit={() => edit(chip)}
            />
          )}
        </For>
      </ul>
      <div class="filter-field">
        <Icon name="filter" />
        <input
          ref={input}
          class="filter-input"
          aria-label="Add a filter"
          placeholder={app.state.chips.length > 0 ? 'Add a filter' : 'Filter: focus, ignore, hide, show, file, object'}
          value={text()}
          spellcheck={false}
          autocomplete="off"
          onFocus={() => set_open(text() === '')}
          onClick={() => set_open(text() === '')}
          onInput={event => {
            set_text(event.currentTarget.value);
            set_open(event.currentTarget.value === '');
          }}
          onKeyDown={on_key}
          onBlur={event => {
            if ((event.relatedTarget as HTMLElement | null)?.closest('.filter-kinds')) return;
            set_open(false);
            if (!text().trim()) props.on_close();
          }}
        />
        <Show when={open()}>
          <Popover at={input} label="Kinds of filters" class="filter-kinds" on_close={() => set_open(false)} passive>
            <For each={chip_kinds}>
              {kind => (
                <button type="button" class="menu-item" onClick={() => begin_with(kind)}>
                  <span class="filter-kind">{kind}:</span>
                  <span class="menu-detail">{kind_words[kind]}</span>
                </button>
              )}
            </For>
            <p class="filter-hint">A piece of a name, or /an expression/</p>
          </Popover>
        </Show>
      </div>
    </section>
  );
}

// What the engine has against the filters or the event type, which all questions have in common.
export function FilterProblem(props: { app: App }): JSX.Element {
  const { app } = props;
  return (
    <Show when={app.totals.error()}>
      {error => (
        <p class="filter-problem" role="alert">
          <Icon name="warning" />
          <span>
            {visible(error().message)}
            <Show when={error() instanceof AnswerError && (error() as AnswerError).hint}>
              {hint => <span class="muted"> – {visible(hint() as string)}</span>}
            </Show>
          </span>
          <Show
            when={
              error() instanceof AnswerError && ['event', 'columns'].includes((error() as AnswerError).member ?? '')
            }
          >
            <button type="button" class="button" onClick={() => app.update({ event: null, second: null, more: [] })}>
              Back to {app.profile().event}
            </button>
          </Show>
        </p>
      )}
    </Show>
  );
}
