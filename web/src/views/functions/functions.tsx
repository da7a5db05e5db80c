// The list of functions, all or those of a group.

import { createMemo, createSignal, type JSX, onCleanup, Show } from 'solid-js';
import type { App } from '../../app';
import { ChangeCell } from '../../components/change_cell';
import { EmptyState } from '../../components/empty_state';
import { function_menu } from '../../components/function_menu';
import type { Column } from '../../components/grid';
import { IconButton } from '../../components/icon_button';
import { MenuButton, type MenuItem } from '../../components/menu';
import { NumberCell } from '../../components/number_cell';
import { use_pages } from '../../components/pages';
import { Problem } from '../../components/problem';
import { SidePanel } from '../../components/side_panel';
import { Table } from '../../components/table';
import type { FunctionRow, GroupBy, SortBy } from '../../engine/protocol';
import type { Cost } from '../../model/cost';
import { brief, counted, exact } from '../../model/format';
import { columns_of, type State } from '../../model/state';
import { printable } from '../../model/visible';
import { bounds_class, change_column, cost_column, count_text, name_column, place_column } from './columns';
import { Details } from './details';
import './functions.css';
import { GroupList } from './group_list';
import { offer_list } from './save_list';

const group_words: { by: GroupBy | 'none'; label: string; every: string }[] = [
  { by: 'none', label: 'Not grouped', every: 'functions' },
  { by: 'object', label: 'By object', every: 'objects' },
  { by: 'file', label: 'By source file', every: 'files' },
  { by: 'directory', label: 'By directory', every: 'directories' },
  { by: 'namespace', label: 'By namespace or class', every: 'namespaces' },
  { by: 'cycle', label: 'By cycle', every: 'cycles' },
];

// A column's name: "self", "inclusive_change", and of another event type "self:Dr".
function sort_of(
  state: State,
  comparing: boolean,
): { id: string; sort: SortBy; sort_column?: string; ascending: boolean } {
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

export function use_sort(app: App) {
  const sort = createMemo(() => sort_of(app.state, app.comparing()));
  function on_sort(id: string) {
    const [by, column] = id.split(/:(.*)/s);
    const same = sort().id === id;
    app.update(
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
  return { sort, on_sort };
}

// Names need their room, too: what was before is in the details.
function use_is_narrow() {
  const query = matchMedia('(max-width: 1100px)');
  const [is_narrow, set_is_narrow] = createSignal(query.matches);
  const listen = () => set_is_narrow(query.matches);
  query.addEventListener('change', listen);
  onCleanup(() => query.removeEventListener('change', listen));
  return is_narrow;
}

function use_columns(app: App, events: () => string[], group_self: () => FunctionRow['self'] | undefined) {
  const has = () => app.profile().has;
  const is_narrow = use_is_narrow();
  function of_event(place: number, kinds: ('self' | 'inclusive')[]): Column<FunctionRow>[] {
    const event = place === 0 ? '' : events()[place]!;
    const id = (kind: string) => (event ? `${kind}:${event}` : kind);
    const suffix = event ? ` ${printable(event, 24)}` : '';
    return kinds.flatMap(kind => {
      const title = (kind === 'self' ? 'Self' : 'Inclusive') + suffix;
      const before = (row: FunctionRow) => (kind === 'self' ? row.self_before : row.inclusive_before);
      const now = cost_column<FunctionRow>(app, {
        id: id(kind),
        title,
        hint: kind === 'self' ? 'What its own code cost' : 'Self, and all that it called',
        of: row => row[kind],
        column: place,
        parent: kind === 'self' ? () => group_self()?.[place] ?? undefined : undefined,
        sortable: true,
      });
      if (!app.comparing()) return [now];
      const old = cost_column<FunctionRow>(app, {
        id: id(`${kind}_before`),
        title: kind === 'self' ? 'Self before' : 'Inclusive before',
        of: row => before(row) ?? [],
        column: place,
        is_before: true,
      });
      const delta = change_column<FunctionRow>(app, {
        id: id(`${kind}_change`),
        title: `Δ ${title.toLowerCase()}`,
        hint: 'Change, ▲ more or ▼ less; sorted by its size',
        after: row => row[kind],
        before,
        column: place,
        sortable: true,
      });
      return is_narrow() ? [now, delta] : [old, now, delta];
    });
  }
  const called: Column<FunctionRow> = {
    id: 'called',
    title: 'Called',
    hint: 'How often; ≥ where some calls were not counted',
    numeric: true,
    sortable: true,
    width: '13ch',
    cell: row => (
      <NumberCell text={brief_if_long(count_text(row.called, row.at_least), row.called)} quiet={row.called === 0} />
    ),
  };
  const called_change = (): Column<FunctionRow> => ({
    id: 'called_change',
    title: 'Δ called',
    numeric: true,
    sortable: true,
    width: '14ch',
    cell: row => <ChangeCell before={row.called_before} after={row.called} relative={false} room={12} />,
  });
  const per_call: Column<FunctionRow> = {
    id: 'per_call',
    title: 'Per call',
    hint: 'Inclusive cost per call',
    numeric: true,
    sortable: true,
    width: '13ch',
    cell: row => (
      <NumberCell
        text={row.per_call === null ? '–' : brief_if_long(exact(row.per_call), row.per_call)}
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
      return place > 0 ? of_event(place, [column === name ? 'self' : 'inclusive']) : [];
    });
    return [
      ...of_event(0, both),
      ...(second > 0 ? of_event(second, both) : []),
      ...more,
      ...(counts ? [called] : []),
      ...(counts && app.comparing() && !is_narrow() ? [called_change()] : []),
      ...(counts && calls && !app.comparing() ? [per_call] : []),
      name_column<FunctionRow>(app, row => app.activate(row, calls ? 'callers' : 'source')),
      place_column<FunctionRow>(app),
    ];
  });
}

function brief_if_long(text: string, number: Cost | null): string {
  return number !== null && text.length > 14 ? brief(number) : text;
}

function column_items(app: App): MenuItem[] {
  const shown = (column: string) => app.state.more.includes(column);
  const item = (column: string, label: string, detail?: string): MenuItem => ({
    kind: 'check',
    label: printable(label, 60),
    detail: detail && printable(detail, 60),
    get checked() {
      return shown(column);
    },
    run: () =>
      app.update(
        { more: shown(column) ? app.state.more.filter(one => one !== column) : [...app.state.more, column] },
        'replace',
      ),
  });
  const others = app.profile().events.filter(type => type.name !== app.event() && type.name !== app.state.second);
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

export function FunctionsView(props: { app: App }): JSX.Element {
  const { app } = props;
  const { state } = app;
  const has_details = () => app.option('functions.details', 'no') === 'yes';
  const events = createMemo(() => columns_of(state, app.profile().event));
  const { sort, on_sort } = use_sort(app);

  const question = createMemo(() => {
    const { id: _, ...order } = sort();
    return app.question({
      ask: 'functions' as const,
      ...order,
      columns: events(),
      ...(state.search && { search: state.search }),
      ...(state.group.by !== 'none' && state.group.name !== null
        ? { group: { by: state.group.by, name: state.group.name } }
        : {}),
    });
  });
  const pages = use_pages<FunctionRow>(app, question);
  const columns = use_columns(app, events, () =>
    state.group.name === null ? undefined : pages.list.value()?.listed_self,
  );
  const list = createMemo(() => JSON.stringify(question()));
  offer_list(app, question);

  function row_text(row: FunctionRow): string {
    const cell = (cost: Cost | null | undefined, bound: string) => (cost == null ? '' : `${bound}${cost}`);
    const most = row.most ? '≤ ' : '';
    const costs = events().flatMap((_, place) => [cell(row.self[place], most), cell(row.inclusive[place], most)]);
    return [
      ...costs,
      cell(row.called, row.at_least ? '≥ ' : ''),
      row.name + (row.context ?? ''),
      row.file,
      row.object,
    ].join('\t');
  }
  const group_items = (): MenuItem[] =>
    group_words
      .filter(({ by }) => by !== 'cycle' || app.profile().counts.cycles > 0)
      .map(({ by, label }) => ({
        kind: 'radio',
        label,
        checked: state.group.by === by,
        run: () => app.update({ group: { by, name: null } }),
      }));
  const group_label = () => group_words.find(words => words.by === state.group.by)?.label;
  const width = () => {
    const numbers = columns().filter(column => column.numeric).length;
    return `${numbers * (app.comparing() ? 7 : 7.2) + 20}rem`;
  };

  const show_all = () => app.update({ search: '', chips: [], group: { ...state.group, name: null } });
  const not_found_words = () =>
    [
      state.search && `Names were searched for ${printable(state.search, 80)}.`,
      state.chips.length > 0 && 'Filters leave functions out.',
      state.group.name !== null && 'Only functions of the chosen group are listed.',
    ]
      .filter(part => part)
      .join(' ');

  return (
    <div class="functions">
      <div class="view-bar">
        <MenuButton label="Group functions" text={group_label()} items={group_items} />
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
        <MenuButton label="Columns" text="Columns" align="end" items={() => column_items(app)} />
        <IconButton
          icon="panel"
          label="Details of the selected function"
          title="Details of the selected function"
          pressed={has_details()}
          on_press={() => app.set_option('functions.details', has_details() ? null : 'yes')}
        />
      </div>
      <div class="functions-body">
        <Show when={state.group.by !== 'none'}>
          <SidePanel
            name="groups"
            label="Width of the list of groups"
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
              <EmptyState title="No function is found" text={not_found_words()}>
                <button type="button" class="button" onClick={show_all}>
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
              on_sort={on_sort}
              is_selected={row => app.is_selected(row)}
              on_select={row => app.select(row, 'replace')}
              on_activate={row => app.activate(row, app.profile().has.calls ? 'callers' : 'source')}
              row_text={row_text}
              on_copy={text => void app.copy(text, 'the row')}
              row_menu={row => function_menu(app, row, row_text(row))}
              row_class={row => bounds_class(row)}
              list={list()}
              min_width={width()}
            />
          </Show>
        </Show>
        <Show when={has_details()}>
          <SidePanel
            name="details"
            label="Width of the details"
            usual={380}
            least={240}
            most={900}
            at_end
            class="functions-side"
          >
            <Details app={app} />
          </SidePanel>
        </Show>
      </div>
    </div>
  );
}
