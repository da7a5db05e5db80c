// The filters as chips, and the search in a view.

import { createEffect, createMemo, createSignal, For, type JSX, Show } from 'solid-js';
import type { App } from '../app/app';
import { Banner } from '../components/banner';
import { Icon } from '../components/icon';
import { Popover } from '../components/popover';
import { kindLabels, parseChip, sameChip } from '../model/filter';
import { type Chip, chipKinds } from '../model/state';
import { printable, visible } from '../model/visible';
import { CallcostError } from '../protocol/callcost_error';
import './filter_bar.css';

// The chip that the engine rejected, if any.
function wrongChip(app: App): Chip | null {
  const error = app.measure.totals.error();
  if (!(error instanceof CallcostError) || !error.member) return null;
  const ofKind = app.state.chips.filter(chip => chip.kind === error.member);
  return ofKind.find(chip => error.message.includes(`'${chip.pattern}'`)) ?? ofKind[0] ?? null;
}

function ChipView(props: { app: App; chip: Chip; wrong: boolean; onEdit(): void }): JSX.Element {
  const { app } = props;
  const remove = () => app.navigation.update({ chips: app.state.chips.filter(chip => !sameChip(chip, props.chip)) });
  return (
    <li class="chip" classList={{ wrong: props.wrong }}>
      <button
        type="button"
        class="chip-text"
        title={`${kindLabels[props.chip.kind]}. Click to edit.`}
        onClick={() => props.onEdit()}
        onKeyDown={event => (event.key === 'Delete' || event.key === 'Backspace') && remove()}
      >
        <Show when={props.wrong}>
          <Icon name="warning" label="Invalid:" />
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
export function FindBar(props: {
  app: App;
  onFilter(): void;
  filtersShown: boolean;
  onLeave(): void; // to what is found
}): JSX.Element {
  const { app } = props;
  // Enter and the down arrow go to what is found, Esc back to the view.
  function onKey(event: KeyboardEvent) {
    if (event.isComposing) return;
    if (event.key === 'Enter') {
      const isWalked = app.keys.handle(new KeyboardEvent('keydown', { key: event.shiftKey ? 'p' : 'n' }));
      if (!isWalked) props.onLeave();
    } else if (event.key === 'ArrowDown') props.onLeave();
    else if (event.key === 'Escape') {
      if (app.state.search) app.navigation.update({ search: '' }, 'replace');
      props.onLeave();
    } else return;
    event.preventDefault();
  }
  return (
    <div class="find-bar" role="search" aria-label="Filter and find">
      <button
        type="button"
        class="button quiet"
        aria-label="Filter"
        aria-expanded={props.filtersShown}
        title="Filters ( f )"
        onClick={() => props.onFilter()}
      >
        <Icon name="filter" />
        <span class="find-text">Filter</span>
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
          onInput={event => app.navigation.update({ search: event.currentTarget.value }, 'replace')}
          onKeyDown={onKey}
        />
      </div>
    </div>
  );
}

export function FilterBar(props: { app: App; focus: boolean; onClose(): void }): JSX.Element {
  const { app } = props;
  const [text, setText] = createSignal('');
  const [open, setOpen] = createSignal(false);
  let input!: HTMLInputElement;
  createEffect(() => {
    if (props.focus) input.focus();
  });
  const wrong = createMemo(() => wrongChip(app));

  function add() {
    const chip = parseChip(text());
    if (!chip) return;
    if (!app.state.chips.some(one => sameChip(one, chip))) app.navigation.update({ chips: [...app.state.chips, chip] });
    setText('');
    setOpen(false);
  }
  function edit(chip: Chip) {
    app.navigation.update({ chips: app.state.chips.filter(one => !sameChip(one, chip)) }, 'replace');
    setText(`${chip.kind}: ${chip.pattern}`);
    input.focus();
  }
  function onKey(event: KeyboardEvent) {
    if (event.key === 'Enter') add();
    else if (event.key === 'Escape') {
      if (text()) setText('');
      else {
        input.blur();
        props.onClose();
      }
      setOpen(false);
    } else if (event.key === 'Backspace' && text() === '') {
      const last = app.state.chips.at(-1);
      if (last) edit(last);
      else return;
    } else if (event.key === 'ArrowDown' && open()) {
      document.querySelector<HTMLElement>('.filter-kinds button')?.focus();
    } else return;
    event.preventDefault();
  }
  function beginWith(kind: string) {
    setText(`${kind}: ${text().replace(/^[a-z]+:\s*/, '')}`);
    setOpen(false);
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
              wrong={wrong() !== null && sameChip(wrong()!, chip)}
              onEdit={() => edit(chip)}
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
          onFocus={() => setOpen(text() === '')}
          onClick={() => setOpen(text() === '')}
          onInput={event => {
            setText(event.currentTarget.value);
            setOpen(event.currentTarget.value === '');
          }}
          onKeyDown={onKey}
          onBlur={event => {
            if ((event.relatedTarget as HTMLElement | null)?.closest('.filter-kinds')) return;
            setOpen(false);
            if (!text().trim()) props.onClose();
          }}
        />
        <Show when={open()}>
          <Popover at={input} label="Filter types" class="filter-kinds" onClose={() => setOpen(false)} passive>
            <For each={chipKinds}>
              {kind => (
                <button type="button" class="menu-item" onClick={() => beginWith(kind)}>
                  <span class="filter-kind">{kind}:</span>
                  <span class="menu-detail">{kindLabels[kind]}</span>
                </button>
              )}
            </For>
            <p class="filter-hint">Substring or /regular expression/</p>
          </Popover>
        </Show>
      </div>
    </section>
  );
}

// The engine's error about the filters or the event type, which all questions share.
export function FilterProblem(props: { app: App }): JSX.Element {
  const { app } = props;
  return (
    <Show when={app.measure.totals.error()}>
      {error => (
        <Banner
          is="error"
          action={
            <Show
              when={
                error() instanceof CallcostError &&
                ['event', 'columns'].includes((error() as CallcostError).member ?? '')
              }
            >
              <button
                type="button"
                class="button"
                onClick={() => app.navigation.update({ event: null, second: null, more: [] })}
              >
                Back to {app.profile().event}
              </button>
            </Show>
          }
        >
          {visible(error().message)}
          <Show when={error() instanceof CallcostError && (error() as CallcostError).hint}>
            {hint => <span class="muted"> – {visible(hint() as string)}</span>}
          </Show>
        </Banner>
      )}
    </Show>
  );
}
