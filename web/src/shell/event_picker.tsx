// Selects the event type or formula, and a second one beside it.

import { createMemo, createSignal, For, type JSX, Show } from 'solid-js';
import type { App } from '../app/app';
import { PopoverButton } from '../components/popover';
import { brief } from '../model/format';
import { printable } from '../model/visible';
import type { EventType } from '../protocol/protocol';
import './event_picker.css';

function EventRow(props: { app: App; type: EventType; close(): void }): JSX.Element {
  const { app } = props;
  const isMain = () => app.measure.event() === props.type.name;
  const isSecond = () => app.state.second === props.type.name;
  return (
    <div class="event-row" classList={{ chosen: isMain() }}>
      <button
        type="button"
        class="event-main"
        aria-pressed={isMain()}
        data-first={isMain() ? '' : undefined}
        onClick={() => {
          app.navigation.update({
            event: props.type.name === app.profile().event ? null : props.type.name,
            ...(isSecond() && { second: null }),
          });
          props.close();
        }}
      >
        <span class="event-name">{printable(props.type.name, 60)}</span>
        <span class="event-long">
          {printable(props.type.long_name ?? '', 80)}
          <Show when={props.type.formula}>{formula => <i> = {printable(formula(), 80)}</i>}</Show>
        </span>
        <span class="event-total number">{props.type.total === null ? '–' : brief(props.type.total)}</span>
      </button>
      <button
        type="button"
        class="event-second"
        aria-pressed={isSecond()}
        disabled={isMain()}
        title={isSecond() ? 'Hide the second column' : `Show ${props.type.name} as a second column`}
        onClick={() => app.navigation.update({ second: isSecond() ? null : props.type.name })}
      >
        2nd
      </button>
    </div>
  );
}

function FormulaField(props: { app: App; close(): void }): JSX.Element {
  const { app } = props;
  const isFormula = () => !app.profile().events.some(type => type.name === app.measure.event());
  const [text, setText] = createSignal(isFormula() ? app.measure.event() : '');
  const [problem, setProblem] = createSignal('');
  async function apply() {
    const event = text().trim();
    if (!event) return;
    try {
      await app.answers.ask({ ask: 'functions', event, limit: 1, ...(app.measure.comparing() && { compare: true }) });
      app.navigation.update({ event });
      props.close();
    } catch (reason) {
      setProblem((reason as Error).message);
    }
  }
  const example = () => {
    const [a, b] = app.profile().events;
    return a && b ? `${a.name} + 10 ${b.name}` : '2 Ir';
  };
  return (
    <form
      class="event-formula"
      onSubmit={event => {
        event.preventDefault();
        void apply();
      }}
    >
      <input
        class="field"
        aria-label="Formula"
        aria-invalid={problem() !== ''}
        placeholder={`Formula: ${example()}`}
        value={text()}
        spellcheck={false}
        onInput={event => {
          setText(event.currentTarget.value);
          setProblem('');
        }}
      />
      <button type="submit" class="button" disabled={!text().trim()}>
        Use
      </button>
      <Show when={problem()}>
        <p role="alert">{printable(problem())}</p>
      </Show>
    </form>
  );
}

export function EventPicker(props: { app: App }): JSX.Element {
  const { app } = props;
  const events = createMemo(() => app.profile().events);
  const raw = () => events().filter(type => !type.formula);
  const derived = () => events().filter(type => type.formula);
  return (
    <PopoverButton
      label="Event type"
      title={`Measured by ${app.measure.event()}: choose another event type`}
      class="button event-button"
      align="end"
      text={
        <>
          <span class="event-button-name">{printable(app.measure.event(), 40)}</span>
          <Show when={app.state.second}>
            {second => <span class="muted event-button-name">+ {printable(second(), 40)}</span>}
          </Show>
        </>
      }
    >
      {close => (
        <div class="events">
          <For each={raw()}>{type => <EventRow app={app} type={type} close={close} />}</For>
          <Show when={derived().length > 0}>
            <p class="events-title">Derived</p>
            <For each={derived()}>{type => <EventRow app={app} type={type} close={close} />}</For>
          </Show>
          <FormulaField app={app} close={close} />
        </div>
      )}
    </PopoverButton>
  );
}
