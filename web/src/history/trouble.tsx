// What was asked for, or why it cannot be shown and what to do.

import { type JSX, Match, Show, Switch } from 'solid-js';
import type { Asked } from '../app/answers';
import { EmptyState } from '../components/empty_state';
import { encodeHistory } from '../model/history_state';
import { visible } from '../model/visible';
import { CallcostError } from '../protocol/callcost_error';
import type { HistoryPage } from './history_page';

export function Trouble<T>(props: { page: HistoryPage; asked: Asked<T>; children: JSX.Element }): JSX.Element {
  const { state, asking } = props.page;
  const hint = (error: Error) => (error instanceof CallcostError && error.hint ? `; ${error.hint}` : '');
  return (
    <Switch fallback={<Show when={props.asked.waiting()}>{<p class="view-note">Loading…</p>}</Show>}>
      <Match when={props.asked.error()}>
        {error => (
          <EmptyState title="Nothing to show" text={visible(error().message + hint(error()))}>
            <p class="history-ways">
              <button type="button" class="button" onClick={() => asking.again()}>
                Retry
              </button>
              <Show when={state.series}>
                <a
                  class="button"
                  href={encodeHistory({ series: state.series, func: state.func, tab: state.tab, allBranches: true })}
                >
                  All entries
                </a>
              </Show>
              <a class="button" href={encodeHistory({ func: state.func })}>
                All series
              </a>
            </p>
          </EmptyState>
        )}
      </Match>
      <Match when={props.asked.value()}>{props.children}</Match>
    </Switch>
  );
}
