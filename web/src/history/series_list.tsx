// All series as small charts.

import { For, type JSX, Show } from 'solid-js';
import { EmptyState } from '../components/empty_state';
import { brief, counted, day, exact } from '../model/format';
import { choiceOf, commitLabel, encodeHistory, firstHistory, profileAddress } from '../model/history_state';
import { printable } from '../model/visible';
import type { SeriesRow } from '../protocol/protocol';
import type { HistoryPage } from './history_page';
import { ChangeText, MoreButton, SearchField, Sparkline } from './pieces';
import { useRows } from './rows';
import { Trouble } from './trouble';

export function SeriesList(props: { page: HistoryPage }): JSX.Element {
  const { asking, state, go } = props.page;
  const kept = () => ({ func: state.func, event: state.event, inclusive: state.inclusive }); // of a function's series
  const rows = useRows(asking, () => ({
    ask: 'history',
    ...choiceOf({ ...firstHistory, ...kept() }),
    ...(state.search && { search: state.search }),
    limit: 24,
    width: 100,
  }));
  const answer = () => rows.list.value();
  const isEmpty = () => answer()?.matching === 0 && !state.search && !state.func;
  return (
    <>
      <Show when={!isEmpty()}>
        <div class="history-bar">
          <SearchField label="Search series" value={state.search} onChange={search => go({ search }, 'replace')} />
          <span class="muted" role="status">
            {answer() && counted(answer()!.matching, 'series', 'series')}
          </span>
        </div>
      </Show>
      <Trouble page={props.page} asked={rows.list}>
        <Show when={isEmpty()}>
          <EmptyState
            title="No profiles yet"
            text={`The store ${printable(answer()!.store)} is empty. Add profiles to it with the command:`}
            command="callcost history add FILE"
          >
            <p />
            <button type="button" class="button" onClick={() => asking.again()}>
              Look again
            </button>
          </EmptyState>
        </Show>
        <Show when={!isEmpty() && answer()!.matching === 0}>
          <p class="view-note">No series has such a {state.func ? 'function' : 'name'}.</p>
        </Show>
        <ul class="cards">
          <For each={rows.all()}>
            {row => <Card row={row} address={encodeHistory({ ...kept(), series: row.series })} />}
          </For>
        </ul>
        <MoreButton left={rows.left()} noun="series" plural="series" onPress={rows.more} />
      </Trouble>
    </>
  );
}

function Card(props: { row: SeriesRow; address: string }): JSX.Element {
  const { row } = props;
  return (
    <li class="card">
      <h2 class="name">
        <a class="card-link" href={props.address}>
          {printable(row.series, 200)}
        </a>
      </h2>
      <Sparkline points={row.points} changed={row.changed} />
      <p class="card-cost">
        <strong class="number" title={row.last === null ? undefined : exact(row.last)}>
          {row.last === null ? '–' : brief(row.last)}
        </strong>
        <span class="name">{printable(row.event, 60)}</span>
        <span class="card-end">
          <span class="muted">since the first </span>
          <ChangeText before={row.first} after={row.last} />
        </span>
      </p>
      <p class="muted">
        <Show when={row.change} fallback="No changes">
          {change => (
            <>
              Last change{' '}
              <a
                class="card-change"
                title="Compare the entries before and after"
                href={profileAddress(change().entry, change().entry_before.entry)}
              >
                {commitLabel(change().entry)}
              </a>
              <span class="card-end">
                <ChangeText before={change().before} after={change().after} />
              </span>
            </>
          )}
        </Show>
      </p>
      <p class="muted">
        {counted(row.entries, 'entry', 'entries')}
        <span class="card-end">{day(row.newest)}</span>
      </p>
    </li>
  );
}
