import { type JSX, Show } from 'solid-js';
import type { App } from '../../app/app';
import { Problem } from '../../components/problem';
import { CallSection, FunctionBand, useFunction } from './callers';
import { EventTable } from './event_table';
import './function_details.css';

// The selected function beside a list or a picture.
export function FunctionDetails(props: { app: App }): JSX.Element {
  const { app } = props;
  const { answer, ...lists } = useFunction(app, 100);
  return (
    <Show when={!answer.error()} fallback={<Problem error={answer.error()!} />}>
      <Show
        when={answer.value()}
        fallback={
          <p class="view-note">
            <Show
              when={app.state.selection && app.selection.selected() === null}
              fallback="Select a function to see its callers and callees."
            >
              {app.names.short(app.state.selection!)} is not in this profile.
            </Show>
          </p>
        }
      >
        {of => (
          <div class="details">
            <FunctionBand app={app} func={of().function} />
            <Show when={app.profile().has.calls}>
              <CallSection app={app} which="callers" answer={of()} {...lists} opened={lists.opened()} compact />
              <CallSection app={app} which="callees" answer={of()} {...lists} opened={lists.opened()} compact />
            </Show>
            <section
              class="calls details-events"
              aria-label="Event types"
              style={{ height: `calc(${of().events.length + 1} * var(--row) + 32px)` }}
            >
              <h2 class="calls-title">{app.state.chips.length > 0 ? 'Event types, without filters' : 'Event types'}</h2>
              <EventTable app={app} events={of().events} />
            </section>
          </div>
        )}
      </Show>
    </Show>
  );
}
