// What is below the chart of a series: changes, functions, entries.

import { createSignal, For, type JSX, Show } from 'solid-js';
import { Segmented } from '../components/segmented';
import { day, exact, minute, percent } from '../model/format';
import { choiceOf, commitLabel, profileAddress } from '../model/history_state';
import { printable } from '../model/visible';
import { share } from '../protocol/cost';
import type {
  ChangedCost,
  Entry,
  EntryId,
  EntryRow,
  HistoryFunction,
  SeriesAnswer,
  SeriesChange,
} from '../protocol/protocol';
import type { HistoryPage } from './history_page';
import { ChangeText, MoreButton, SearchField, Sparkline } from './pieces';
import { useRows } from './rows';
import { type Column, Table } from './table';
import { Trouble } from './trouble';

// To the history of a function, and what is chosen besides.
function FunctionLink(props: { page: HistoryPage; func: ChangedCost | HistoryFunction }): JSX.Element {
  const { name, short, file, object } = props.func;
  return (
    <a
      class="name"
      title={[name, file, object].map(part => printable(part, 4000)).join('\n')}
      href={props.page.to({ func: { name, file, object }, tab: 'changes', search: '' })}
    >
      {printable(short ?? name)}
    </a>
  );
}

function commitColumn<Row extends { entry: Entry }>({ state }: HistoryPage): Column<Row> {
  return {
    title: 'Commit',
    cell: ({ entry }) => (
      <a href={profileAddress(entry, undefined, state)} title="Open the profile">
        {commitLabel(entry)}
      </a>
    ),
  };
}

// The links that show a comparison have what they compare in their names.
function CompareLink(props: { page: HistoryPage; entry: Entry; before: EntryId }): JSX.Element {
  return (
    <a
      class="button"
      href={profileAddress(props.entry, props.before, props.page.state)}
      title="Compare with the entry before"
      aria-label={`Compare ${commitLabel(props.entry)} with the entry before`}
    >
      Compare
    </a>
  );
}

export function Changes(props: { page: HistoryPage; answer: SeriesAnswer }): JSX.Element {
  const { page } = props;
  const columns = (): Column<SeriesChange>[] => [
    { title: 'Date (UTC)', cell: ({ entry }) => <span title={minute(entry.time)}>{day(entry.time)}</span> },
    commitColumn(page),
    { title: 'Before', class: 'number muted', cell: ({ before }) => `${exact(before)} →` },
    { title: 'After', class: 'number', cell: ({ after }) => exact(after) },
    { title: 'Change', class: 'number', cell: one => <ChangeText before={one.before} after={one.after} /> },
    {
      title: page.state.func ? '' : 'Functions that changed most',
      class: 'change-functions',
      cell: ({ functions }) => (
        <For each={functions}>
          {func => (
            <span class="change-function">
              <FunctionLink page={page} func={func} /> <ChangeText before={func.before} after={func.after} />
            </span>
          )}
        </For>
      ),
    },
    {
      title: '',
      class: 'number',
      cell: one => <CompareLink page={page} entry={one.entry} before={one.entry_before.entry} />,
    },
  ];
  return (
    <Show when={props.answer.changes.length > 0} fallback={<p class="muted">The cost has not changed.</p>}>
      <Table class="changes" columns={columns()} rows={props.answer.changes} />
      <Show when={props.answer.omitted_changes > 0}>
        <p class="muted">{exact(props.answer.omitted_changes)} earlier changes: choose a range of time.</p>
      </Show>
    </Show>
  );
}

export function CostKind(props: { page: HistoryPage }): JSX.Element {
  return (
    <Segmented
      label="Cost of a function"
      choices={[
        { value: 'self', label: 'Self' },
        { value: 'inclusive', label: 'Inclusive' },
      ]}
      value={props.page.state.inclusive ? 'inclusive' : 'self'}
      onChange={kind => props.page.go({ inclusive: kind === 'inclusive' }, 'replace')}
    />
  );
}

export function Functions(props: { page: HistoryPage; series: string }): JSX.Element {
  const { page } = props;
  const { state, go, asking } = page;
  const rows = useRows(asking, () => ({
    ask: 'history_functions',
    series: props.series,
    ...choiceOf({ ...state, func: null }),
    ...(state.inclusive && { inclusive: true }),
    ...(state.search && { search: state.search }),
  }));
  const total = () => rows.list.value()?.total ?? 0;
  const columns: Column<HistoryFunction>[] = [
    { title: 'Function', class: 'function-cell name', cell: row => <FunctionLink page={page} func={row} /> },
    { title: 'Cost', class: 'number', cell: ({ cost }) => (cost === null ? '–' : exact(cost)) },
    {
      title: 'Share',
      class: 'number muted',
      cell: ({ cost }) => (cost === null ? '' : percent(share(cost, total()))),
    },
    {
      title: '',
      class: 'spark-cell',
      cell: ({ points, change }) => <Sparkline points={points} changed={change ? [change.at] : []} />,
    },
    {
      title: 'Last change',
      cell: row =>
        row.change && (
          <>
            <a
              href={profileAddress(row.change.entry, row.change.entry_before.entry, { ...state, func: row })}
              title="Compare with the entry before"
            >
              {commitLabel(row.change.entry)}
            </a>{' '}
            <span class="muted">{day(row.change.entry.time)}</span>
          </>
        ),
    },
    {
      title: 'Change',
      class: 'number',
      cell: ({ change }) => <ChangeText before={change?.before} after={change?.after} />,
    },
  ];
  return (
    <>
      <div class="history-bar">
        <SearchField label="Search functions" value={state.search} onChange={search => go({ search }, 'replace')} />
        <CostKind page={page} />
      </div>
      <Trouble page={page} asked={rows.list}>
        <Show when={rows.all().length > 0} fallback={<p class="muted">No function has such a name.</p>}>
          <Table class="functions-table" columns={columns} rows={rows.all()} />
          <MoreButton left={rows.left()} noun="function" onPress={rows.more} />
        </Show>
      </Trouble>
    </>
  );
}

export function Entries(props: { page: HistoryPage; series: string }): JSX.Element {
  const { page } = props;
  const { state, asking } = page;
  const rows = useRows(asking, () => ({ ask: 'history_entries', series: props.series, ...choiceOf(state) }));
  const [marked, setMarked] = createSignal<EntryRow[]>([]); // at most two
  const mark = (row: EntryRow, isNow: boolean) =>
    setMarked(known => [...known.filter(one => one !== row), ...(isNow ? [row] : [])].slice(-2));
  const pair = () => {
    const [old, young] = [...marked()].sort((a, b) => a.at - b.at);
    return old && young ? { old: old.entry, young: young.entry } : null;
  };
  const columns: Column<EntryRow>[] = [
    {
      title: '',
      cell: row => (
        <input
          type="checkbox"
          aria-label={`Mark ${commitLabel(row.entry)}`}
          checked={marked().includes(row)}
          onChange={event => mark(row, event.currentTarget.checked)}
        />
      ),
    },
    { title: 'Date (UTC)', cell: ({ entry }) => minute(entry.time) },
    commitColumn(page),
    { title: 'Branch', class: 'name', cell: ({ entry }) => printable(entry.branch, 100) },
    {
      title: 'Machine, tags',
      class: 'name muted',
      cell: ({ entry }) => printable([entry.machine, ...entry.tags].join(', '), 200),
    },
    { title: 'Cost', class: 'number', cell: ({ cost }) => (cost === null ? '–' : exact(cost)) },
    { title: 'Change', class: 'number', cell: row => <ChangeText before={row.cost_before} after={row.cost} /> },
    {
      title: '',
      class: 'number',
      cell: row => row.entry_before && <CompareLink page={page} entry={row.entry} before={row.entry_before} />,
    },
  ];
  return (
    <Trouble page={page} asked={rows.list}>
      <p class="history-bar" role="status">
        <Show when={pair()} fallback={<span class="muted">Mark two entries to compare them.</span>}>
          {two => (
            <a class="button main" href={profileAddress(two().young, two().old.entry, state)}>
              Compare {commitLabel(two().old)} and {commitLabel(two().young)}
            </a>
          )}
        </Show>
      </p>
      <Table class="entries" columns={columns} rows={rows.all()} />
      <MoreButton left={rows.left()} noun="entry" plural="entries" onPress={rows.more} />
    </Trouble>
  );
}
