// The list of functions, all or those of a group.

import { createEffect, createMemo, createSignal, type JSX, onMount, Show, untrack } from 'solid-js';
import type { App } from '../../app/app';
import { recall, remember } from '../../app/storage';
import { EmptyState } from '../../components/empty_state';
import { functionMenu } from '../../components/function_menu';
import { IconButton } from '../../components/icon_button';
import { useIsPhone } from '../../components/media';
import { MenuButton, type MenuItem } from '../../components/menu';
import { usePages } from '../../components/pages';
import { Problem } from '../../components/problem';
import { SidePanel } from '../../components/side_panel';
import { Table } from '../../components/table';
import { counted } from '../../model/format';
import { levels } from '../../model/levels';
import { columnsOf, contextsOf, type State } from '../../model/state';
import { printable } from '../../model/visible';
import type { Cost } from '../../protocol/cost';
import type { Bounds, FunctionRow, GroupBy, SortBy, Sorting } from '../../protocol/protocol';
import { FunctionDetails } from '../callers/function_details';
import { columnItems, recallColumns, useColumns } from './columns';
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

const usualDetailsWidth = () => Math.round(Math.max(400, Math.min(520, window.innerWidth * 0.27)));

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
      ...(state.level === 'function' && state.group.by !== 'none' && state.group.name !== null
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
  const layout = useColumns(
    app,
    events,
    pages.list.value,
    () => sort().id,
    room =>
      // Not asked again for a few characters: columns get wider when their rows are there.
      setNameWidth(width => {
        if (width === undefined) return isPhone() ? room : Math.floor(room * 0.93);
        return room >= width && room < width * 1.15 ? width : room;
      }),
  );
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
  const contexts = () => contextsOf(state);
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
  const levelWords = (): [string, string] => {
    const { one, many } = levels.find(({ level }) => level === state.level)!;
    return [one, many];
  };
  const groupLabel = () => groupLabels.find(one => one.by === state.group.by)?.label;
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
        <Show when={state.level === 'function'}>
          <MenuButton label="Group functions" text={groupLabel()} items={groupItems} />
        </Show>
        <Show when={app.profile().has.contexts}>
          <MenuButton
            label="Recursion levels and caller contexts"
            title="Functions named f'2 (recursion level) or f'caller (caller context) in the file"
            text={contexts() === 'keep' ? 'Recursion separate' : 'Recursion added up'}
            items={contextItems}
          />
        </Show>
        <span class="muted name" aria-live="polite">
          <Show when={!isPhone() || state.search || state.group.name !== null ? pages.list.value() : undefined}>
            {answer => (
              <>
                {counted(answer().matching, ...levelWords())}
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
        <Show when={!isPhone() || !hasDetails()}>
          <IconButton
            icon="panel"
            label="Details of the selected function"
            title="Details of the selected function"
            pressed={hasDetails()}
            onPress={() => setDetails(!hasDetails())}
          />
        </Show>
      </div>
      <Show when={hasSummary(app)}>
        <Summary app={app} />
      </Show>
      <div class="functions-body">
        <Show when={state.level === 'function' && state.group.by !== 'none'}>
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
              columns={layout().columns}
              rows={pages}
              sort={{ by: sort().id, ascending: sort().ascending }}
              onSort={onSort}
              isSelected={row => app.selection.isSelected(row)}
              onSelect={row => app.selection.select(row, 'replace')}
              onActivate={row =>
                app.selection.activate(
                  row,
                  app.profile().has.calls || state.level !== 'function' ? 'callers' : 'source',
                )
              }
              rowText={rowText}
              onCopy={text => void app.copy(text, 'the row')}
              rowMenu={row => functionMenu(app, row, rowText(row))}
              list={list()}
              minWidth={`${Math.round(layout().minWidth)}px`}
              namesFirst={layout().namesFirst}
            />
          </Show>
        </Show>
        <Show when={hasDetails()}>
          <SidePanel
            name="details"
            label="Details width"
            title={state.selection ? `Details: ${app.names.short(state.selection)}` : 'Details'}
            closed
            usual={usualDetailsWidth()}
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
