// The list of functions, all or those of a group.

import { createEffect, createMemo, createSignal, type JSX, onMount, Show, untrack } from 'solid-js';
import type { App } from '../../app/app';
import { recall, remember } from '../../app/storage';
import { ChangeCell } from '../../components/change_cell';
import { EmptyState } from '../../components/empty_state';
import { changeColumn, costColumn, countText, nameColumn, placeColumn } from '../../components/function_columns';
import { functionMenu } from '../../components/function_menu';
import type { Column } from '../../components/grid';
import { IconButton } from '../../components/icon_button';
import { useIsPhone, useMedia } from '../../components/media';
import { MenuButton, type MenuItem } from '../../components/menu';
import { NumberCell } from '../../components/number_cell';
import { usePages } from '../../components/pages';
import { Problem } from '../../components/problem';
import { SidePanel } from '../../components/side_panel';
import { Table } from '../../components/table';
import { brief, counted, exact } from '../../model/format';
import { columnsOf, contextsOf, type State } from '../../model/state';
import { printable } from '../../model/visible';
import type { Cost } from '../../protocol/cost';
import type { Bounds, FunctionRow, GroupBy, ListAnswer, SortBy, Sorting } from '../../protocol/protocol';
import { FunctionDetails } from '../callers/function_details';
import './functions.css';
import { GroupList } from './group_list';
import { offerList } from './save_list';
import { hasSummary, Summary, showSummary } from './summary';

const groupLabels: { by: GroupBy | 'none'; label: string; every: string }[] = [
  { by: 'none', label: 'Not grouped', every: 'functions' },
  { by: 'object', label: 'By object', every: 'objects' },
  { by: 'file', label: 'By source file', every: 'files' },
  { by: 'directory', label: 'By directory', every: 'directories' },
  { by: 'namespace', label: 'By namespace or class', every: 'namespaces' },
  { by: 'cycle', label: 'By cycle', every: 'cycles' },
];

// A column's name: "self", "inclusive_change", and of another event type "self:Dr".
function sortOf(
  state: State,
  comparing: boolean,
): { id: string; ascending: boolean } & Pick<Sorting, 'sort' | 'sort_column'> {
  const wanted = state.sort.by === 'usual' ? (comparing ? 'self_change' : 'self') : state.sort.by;
  const by = comparing ? wanted : wanted.replace(/_change$/, '');
  const { column, ascending } = state.sort;
  return {
    id: column ? `${by}:${column}` : by,
    sort: by as SortBy,
    ascending,
    ...(column && { sort_column: column }),
  };
}

const texts = new Set(['name', 'object', 'file']);

export function useSort(app: App) {
  const sort = createMemo(() => sortOf(app.state, app.measure.comparing()));
  function onSort(id: string) {
    const [by, column] = id.split(/:(.*)/s);
    const same = sort().id === id;
    app.navigation.update(
      {
        sort: {
          by: by!,
          ...(column && { column }),
          ascending: same ? !sort().ascending : texts.has(by!),
        },
      },
      'replace',
    );
  }
  return { sort, onSort };
}

// The details find room beside the list.
const isWide = () => matchMedia('(min-width: 1200px)').matches;

// Names need their room, too. What is not listed is in the details: on a phone there are two numbers, in a comparison on
// a window of usual size no costs before.
function useColumns(
  app: App,
  events: () => string[],
  list: () => ListAnswer<FunctionRow> | undefined,
  onNameRoom: (characters: number) => void,
) {
  const has = () => app.profile().has;
  const isPhone = useIsPhone();
  const isNarrow = useMedia('(width < 1500px)');
  const room = () => (isPhone() ? 7 : undefined);
  const groupSelf = () => (app.state.group.name === null ? undefined : list()?.listed_self);
  function ofEvent(place: number, kinds: ('self' | 'inclusive')[]): Column<FunctionRow>[] {
    const event = place === 0 ? '' : events()[place]!;
    const id = (kind: string) => (event ? `${kind}:${event}` : kind);
    const suffix = event ? ` ${printable(event, 24)}` : '';
    return kinds.flatMap(kind => {
      const title = (kind === 'self' ? 'Self' : 'Inclusive') + suffix;
      const before = (row: FunctionRow) => (kind === 'self' ? row.self_before : row.inclusive_before);
      const now = costColumn<FunctionRow>(app, {
        id: id(kind),
        title,
        hint: kind === 'self' ? 'Cost of its own code' : 'Self cost and cost of all calls made',
        of: row => row[kind],
        column: place,
        parent: kind === 'self' ? () => groupSelf()?.[place] ?? undefined : undefined,
        sortable: true,
        room: room(),
        largest: () => list()?.largest[place]?.[kind],
        bounds: row => row[`${kind}_bounds`],
        wholes: row => [
          ...(kind === 'self' ? [{ name: 'its inclusive cost', cost: row.inclusive[place] }] : []),
          ...(kind === 'self' ? [{ name: 'the group', cost: groupSelf()?.[place] }] : []),
        ],
      });
      if (!app.measure.comparing()) return [now];
      const old = costColumn<FunctionRow>(app, {
        id: id(`${kind}_before`),
        title: kind === 'self' ? 'Self before' : 'Inclusive before',
        of: row => before(row) ?? [],
        column: place,
        isBefore: true,
        bounds: row => row[`${kind}_bounds_before`],
        largest: () => list()?.largest[place]?.[kind],
      });
      const delta = changeColumn<FunctionRow>(app, {
        id: id(`${kind}_change`),
        title: `Δ ${title.toLowerCase()}`,
        hint: 'Change: ▲ more, ▼ less; sorted by magnitude',
        after: row => row[kind],
        before,
        column: place,
        bounds: row => row[`${kind}_bounds`] ?? row[`${kind}_bounds_before`],
        sortable: true,
        room: room(),
        largest: () => list()?.largest[place]?.[`${kind}_change`],
      });
      if (isPhone()) return [delta];
      return isNarrow() ? [now, delta] : [old, now, delta];
    });
  }
  const called: Column<FunctionRow> = {
    id: 'called',
    title: 'Called',
    hint: 'Call count; ≥ if some calls were not counted',
    numeric: true,
    sortable: true,
    width: '13ch',
    cell: row => (
      <NumberCell text={briefIfLong(countText(row.called, row.at_least), row.called)} quiet={row.called === 0} />
    ),
  };
  const calledChange = (): Column<FunctionRow> => ({
    id: 'called_change',
    title: 'Δ called',
    numeric: true,
    sortable: true,
    width: '14ch',
    cell: row => <ChangeCell before={row.called_before} after={row.called} relative={false} room={12} />,
  });
  const perCall: Column<FunctionRow> = {
    id: 'per_call',
    title: 'Per call',
    hint: 'Inclusive cost per call',
    numeric: true,
    sortable: true,
    width: '13ch',
    cell: row => (
      <NumberCell
        text={row.per_call === null ? '–' : briefIfLong(exact(row.per_call), row.per_call)}
        quiet={row.per_call === null}
      />
    ),
  };

  return createMemo<Column<FunctionRow>[]>(() => {
    const { calls, counts } = has();
    const both: ('self' | 'inclusive')[] = calls ? ['self', 'inclusive'] : ['self'];
    const second = app.state.second ? events().indexOf(app.state.second) : -1;
    const more = app.state.more.flatMap(column => {
      const name = column.replace(/^inclusive:/, '');
      const place = events().indexOf(name);
      return place > 0 ? ofEvent(place, [column === name ? 'self' : 'inclusive']) : [];
    });
    const comparing = app.measure.comparing();
    if (isPhone())
      return [
        nameColumn<FunctionRow>(app, { width: 'minmax(8rem, 1fr)', onRoom: onNameRoom }),
        ...ofEvent(0, both),
        ...more,
      ];
    const costs = [
      ...ofEvent(0, both),
      ...(second > 0 ? ofEvent(second, both) : []),
      ...more,
      ...(counts && !(comparing && isNarrow()) ? [called] : []),
      ...(counts && comparing && !isNarrow() ? [calledChange()] : []),
      ...(counts && calls && !comparing ? [perCall] : []),
    ];
    const name = nameColumn<FunctionRow>(app, {
      onGo: row => app.selection.activate(row, calls ? 'callers' : 'source'),
      onRoom: onNameRoom,
    });
    const place = placeColumn<FunctionRow>(app);
    return comparing ? [name, ...costs, place] : [...costs, name, place];
  });
}

function briefIfLong(text: string, number: Cost | null): string {
  return number !== null && text.length > 14 ? brief(number) : text;
}

function columnItems(app: App): MenuItem[] {
  const shown = (column: string) => app.state.more.includes(column);
  const item = (column: string, label: string, detail?: string): MenuItem => ({
    kind: 'check',
    label: printable(label, 60),
    detail: detail && printable(detail, 60),
    get checked() {
      return shown(column);
    },
    run() {
      const more = shown(column) ? app.state.more.filter(one => one !== column) : [...app.state.more, column];
      remember('columns', more.join('\n') || null);
      app.navigation.update({ more }, 'replace');
    },
  });
  const others = app
    .profile()
    .events.filter(type => type.name !== app.measure.event() && type.name !== app.state.second);
  if (others.length === 0) return [{ kind: 'title', label: 'There is only one event type' }];
  return [
    { kind: 'title', label: 'Self cost' },
    ...others.map(type => item(type.name, type.name, type.long_name)),
    ...(app.profile().has.calls
      ? [
          { kind: 'title' as const, label: 'Inclusive cost' },
          ...others
            .filter(type => type.additive)
            .map(type => item(`inclusive:${type.name}`, type.name, type.long_name)),
        ]
      : []),
  ];
}

// As they were chosen last, of those that this profile has; unless the address says which.
function recallColumns(app: App) {
  const isKnown = (column: string) =>
    app
      .profile()
      .events.some(type => type.name === column.replace(/^inclusive:/, '') && type.name !== app.measure.event());
  const more = (recall('columns') ?? '').split('\n').filter(isKnown);
  if (app.state.more.length === 0 && more.length > 0) app.navigation.update({ more }, 'replace');
}

export function FunctionsView(props: { app: App }): JSX.Element {
  const { app } = props;
  const { state } = app;
  onMount(() => recallColumns(app));
  const isPhone = useIsPhone();
  const usualDetails = recall('details') ?? ((isWide() || isPhone()) && app.profile().has.calls ? 'yes' : 'no');
  const hasDetails = () => app.navigation.option('functions.details', usualDetails) === 'yes';
  const setDetails = (shown: boolean) => {
    const choice = shown ? 'yes' : 'no';
    remember('details', choice);
    app.navigation.setOption('functions.details', choice);
  };
  const events = createMemo(() => columnsOf(state, app.profile().event));
  const { sort, onSort } = useSort(app);

  const wanted = createMemo(() => {
    const { id: _, ...order } = sort();
    return app.answers.question({
      ask: 'functions' as const,
      ...order,
      columns: events(),
      ...(state.search && { search: state.search }),
      ...(state.group.by !== 'none' && state.group.name !== null
        ? { group: { by: state.group.by, name: state.group.name } }
        : {}),
    });
  });
  const [nameWidth, setNameWidth] = createSignal<number>(); // not known before the table is there
  const question = createMemo(() => {
    const width = nameWidth();
    return width === undefined ? null : { ...wanted(), ...(state.shorten && { name_width: width }) };
  });
  const pages = usePages<FunctionRow>(app.answers, question);
  const columns = useColumns(app, events, pages.list.value, setNameWidth);
  const list = createMemo(() => JSON.stringify(wanted()));
  offerList(app, wanted);
  // The details begin with the first function of the list.
  createEffect(() => {
    const first = pages.list.value()?.rows[0];
    if (first && hasDetails() && !untrack(() => state.selection)) app.selection.select(first, 'replace');
  });

  function rowText(row: FunctionRow): string {
    const cell = (cost: Cost | null | undefined, mark: string) => (cost == null ? '' : `${mark}${cost}`);
    const about = (bounds: Bounds | undefined, place: number) => (bounds?.[place] ? '~' : '');
    const costs = events().flatMap((_, place) => [
      cell(row.self[place], about(row.self_bounds, place)),
      cell(row.inclusive[place], about(row.inclusive_bounds, place)),
    ]);
    return [
      ...costs,
      cell(row.called, row.at_least ? '≥ ' : ''),
      row.name + (row.context ?? ''),
      row.file,
      row.object,
    ].join('\t');
  }
  const groupItems = (): MenuItem[] =>
    groupLabels
      .filter(({ by }) => by !== 'cycle' || app.profile().counts.cycles > 0)
      .map(({ by, label }) => ({
        kind: 'radio',
        label,
        checked: state.group.by === by,
        run: () => app.navigation.update({ group: { by, name: null } }),
      }));
  const contexts = () => contextsOf(state, app.measure.comparing());
  const contextItems = (): MenuItem[] =>
    (
      [
        ['keep', 'Separate', "f, f'2 and f'caller are functions, as in the file"],
        ['fold', 'Added up', "f'2 and f'caller are part of f"],
      ] as const
    ).map(([choice, label, detail]) => ({
      kind: 'radio',
      label,
      detail,
      checked: contexts() === choice,
      run: () => app.navigation.update({ contexts: choice }),
    }));
  const groupLabel = () => groupLabels.find(one => one.by === state.group.by)?.label;
  const width = () => {
    const numbers = columns().filter(column => column.numeric).length;
    if (isPhone()) return numbers > 2 ? `${numbers * 5 + 10}rem` : undefined;
    return `${numbers * (app.measure.comparing() ? 7 : 7.2) + 20}rem`;
  };

  const showAll = () => app.navigation.update({ search: '', chips: [], group: { ...state.group, name: null } });
  const notFoundText = () =>
    [
      state.search && `Search: ${printable(state.search, 80)}.`,
      state.chips.length > 0 && 'Filters are active.',
      state.group.name !== null && 'Only the selected group is listed.',
    ]
      .filter(part => part)
      .join(' ');

  return (
    <div class="functions">
      <div class="view-bar">
        <MenuButton label="Group functions" text={groupLabel()} items={groupItems} />
        <Show when={app.profile().has.contexts}>
          <MenuButton
            label="Recursion levels and caller contexts"
            title="Functions named f'2 (recursion level) or f'caller (caller context) in the file"
            text={contexts() === 'keep' ? 'Levels separate' : 'Levels added up'}
            items={contextItems}
          />
        </Show>
        <span class="muted" aria-live="polite">
          <Show when={pages.list.value()}>
            {answer => (
              <>
                {counted(answer().matching, 'function')}
                {state.search ? ' found' : ''}
                {state.group.name !== null ? ` in ${printable(state.group.name || '(without)', 80)}` : ''}
              </>
            )}
          </Show>
        </span>
        <span class="view-bar-gap" />
        <MenuButton label="Columns" text="Columns" align="end" items={() => columnItems(app)} />
        <Show when={!hasSummary(app)}>
          <button type="button" class="button quiet" onClick={() => showSummary(app, true)}>
            Summary
          </button>
        </Show>
        <IconButton
          icon="panel"
          label="Details of the selected function"
          title="Details of the selected function"
          pressed={hasDetails()}
          onPress={() => setDetails(!hasDetails())}
        />
      </div>
      <Show when={hasSummary(app)}>
        <Summary app={app} />
      </Show>
      <div class="functions-body">
        <Show when={state.group.by !== 'none'}>
          <SidePanel
            name="groups"
            label="Group list width"
            title="Groups"
            usual={340}
            least={160}
            most={700}
            class="functions-side"
          >
            <GroupList app={app} by={state.group.by as GroupBy} />
          </SidePanel>
        </Show>
        <Show when={!pages.list.error()} fallback={<Problem error={pages.list.error()!} />}>
          <Show
            when={pages.list.value()?.matching !== 0}
            fallback={
              <EmptyState title="No functions found" text={notFoundText()}>
                <button type="button" class="button" onClick={showAll}>
                  Show all functions
                </button>
              </EmptyState>
            }
          >
            <Table
              label="Functions"
              columns={columns()}
              rows={pages}
              sort={{ by: sort().id, ascending: sort().ascending }}
              onSort={onSort}
              isSelected={row => app.selection.isSelected(row)}
              onSelect={row => app.selection.select(row, 'replace')}
              onActivate={row => app.selection.activate(row, app.profile().has.calls ? 'callers' : 'source')}
              rowText={rowText}
              onCopy={text => void app.copy(text, 'the row')}
              rowMenu={row => functionMenu(app, row, rowText(row))}
              list={list()}
              minWidth={width()}
              namesFirst={isPhone() || app.measure.comparing()}
            />
          </Show>
        </Show>
        <Show when={hasDetails()}>
          <SidePanel
            name="details"
            label="Details width"
            title={state.selection ? `Details: ${app.names.short(state.selection)}` : 'Details'}
            closed
            usual={380}
            least={240}
            most={900}
            atEnd
            class="functions-side"
          >
            <FunctionDetails app={app} />
          </SidePanel>
        </Show>
      </div>
    </div>
  );
}
