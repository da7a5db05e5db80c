// The callers or the callees of a function: exact costs and counts, and the places of the calls below each.

import { createMemo, createSignal, type JSX, Show } from 'solid-js';
import type { App } from '../../app';
import { ChangeCell } from '../../components/change_cell';
import { function_menu } from '../../components/function_menu';
import { all_rows, type Column } from '../../components/grid';
import { NumberCell } from '../../components/number_cell';
import { OpenButton } from '../../components/open_button';
import { Table } from '../../components/table';
import type { CallList, CallRow, Costs, FunctionRow, Site } from '../../engine/protocol';
import { type Cost, is_zero, share, subtract } from '../../model/cost';
import { change, counted, exact } from '../../model/format';
import { base_name } from '../../model/names';
import { printable } from '../../model/visible';
import { count_text, FunctionName, number_room, number_width, place_of } from '../functions/columns';

type Row =
  | { is: 'call'; call: CallRow; open: boolean }
  | { is: 'site'; call: CallRow; site: Site }
  | { is: 'self'; func: FunctionRow }
  | { is: 'omitted_sites'; rows: number }
  | { is: 'omitted'; rows: number; cost: Cost | null; before: Cost | null };

export interface CallTableProps {
  app: App;
  label: string;
  title: string; // above the names
  list: CallList;
  beside: CallList; // another table that stands over or under this one: their columns are equally wide
  parent: FunctionRow; // whose calls these are
  with_self?: boolean; // its own cost as a row among the callees
  opened: ReadonlySet<number>; // ids of the rows whose call sites are shown
  set_opened(ids: Set<number>): void;
  compact?: boolean;
}

function site_rows(call: CallRow): Row[] {
  const rows = (call.sites ?? []).map((site): Row => ({ is: 'site', call, site }));
  return call.omitted_sites ? [...rows, { is: 'omitted_sites', rows: call.omitted_sites }] : rows;
}

function rows_of(props: CallTableProps): Row[] {
  const calls = props.list.rows.flatMap((call): Row[] => {
    const open = props.opened.has(call.id);
    return [{ is: 'call', call, open }, ...(open ? site_rows(call) : [])];
  });
  if (props.list.omitted_rows > 0)
    calls.push({
      is: 'omitted',
      rows: props.list.omitted_rows,
      cost: props.list.omitted_cost,
      before: props.list.omitted_cost_before ?? null,
    });
  return props.with_self ? [{ is: 'self', func: props.parent }, ...calls] : calls;
}

function cost_of(row: Row, column: number): Cost | null {
  if (row.is === 'call') return row.call.cost[column] ?? null;
  if (row.is === 'self') return row.func.self[column] ?? null;
  if (column > 0 || row.is === 'omitted_sites') return null;
  return row.is === 'site' ? row.site.cost : row.cost;
}

function before_of(row: Row, column: number): Cost | null {
  if (row.is === 'call') return row.call.cost_before?.[column] ?? null;
  if (row.is === 'omitted' && column === 0) return row.before;
  return row.is === 'self' ? (row.func.self_before?.[column] ?? null) : null;
}

function is_recursive(row: Row): boolean {
  return (row.is === 'call' || row.is === 'site') && row.call.recursive;
}

// Inside a cycle a cost is no part of anything: never a percentage.
function cost_text(app: App, row: Row, cost: Cost | null, parent: Costs, column: number, of_before = false): string {
  if (cost === null) return row.is === 'call' ? '–' : '';
  if (is_recursive(row)) return exact(cost);
  return app.cell(cost, parent[column] ?? undefined, column, of_before);
}

function cost_columns(props: CallTableProps, rows: Row[], column: number): Column<Row>[] {
  const { app } = props;
  const name = column === 0 ? 'Cost' : printable(app.columns()[column] ?? '', 24);
  const spelled = (of: (row: Row, column: number) => Cost | null, parent: Costs) =>
    rows.map(row => cost_text(app, row, of(row, column), parent, column));
  const width = number_width(app, column, 0, spelled(cost_of, props.parent.inclusive));
  const whole = () => props.parent.inclusive[column] ?? 0;
  const now: Column<Row> = {
    id: `cost:${column}`,
    title: name,
    hint: 'Inclusive cost of these calls',
    numeric: true,
    width,
    cell: row => (
      <NumberCell
        text={cost_text(app, row, cost_of(row, column), props.parent.inclusive, column)}
        share={is_recursive(row) || row.is === 'site' ? null : share(cost_of(row, column) ?? 0, whole())}
        quiet={row.is === 'site'}
      />
    ),
  };
  if (!app.comparing()) return [now];
  return [
    {
      id: `before:${column}`,
      title: 'Before',
      numeric: true,
      width: number_width(app, column, 0, spelled(before_of, props.parent.inclusive_before ?? [])),
      cell: row => (
        <NumberCell
          text={cost_text(app, row, before_of(row, column), props.parent.inclusive_before ?? [], column, true)}
          quiet
        />
      ),
    },
    now,
    {
      id: `change:${column}`,
      title: `Δ ${name.toLowerCase()}`,
      numeric: true,
      width: number_width(app, column, 2),
      cell: row => (
        <Show when={row.is === 'call' || row.is === 'self'}>
          <ChangeCell
            before={before_of(row, column)}
            after={cost_of(row, column)}
            relative={app.state.relative !== 'absolute'}
            room={number_room(app, column)}
            share={share(subtract(cost_of(row, column) ?? 0, before_of(row, column) ?? 0), whole())}
          />
        </Show>
      ),
    },
  ];
}

function CountCell(props: { row: Row }): JSX.Element {
  const counts = () => (props.row.is === 'call' ? props.row.call : props.row.is === 'site' ? props.row.site : null);
  const active = () => props.row.is === 'call' && props.row.call.active;
  return (
    <Show when={counts()}>
      {of => (
        <Show
          when={active()}
          fallback={<NumberCell text={count_text(of().count, of().at_least)} quiet={props.row.is === 'site'} />}
        >
          <span class="number-text muted" title="The call had begun before the measurement did: it has no count">
            active
          </span>
        </Show>
      )}
    </Show>
  );
}

function count_columns(props: CallTableProps, rows: Row[]): Column<Row>[] {
  const { app } = props;
  const longest = (text: (call: CallRow) => string) =>
    rows.reduce((most, row) => (row.is === 'call' ? Math.max(most, text(row.call).length) : most), 6);
  const width = `${longest(call => count_text(call.count, call.at_least)) + 2}ch`;
  if (!app.profile().has.counts) return [];
  const count: Column<Row> = {
    id: 'count',
    title: 'Calls',
    numeric: true,
    width,
    cell: row => <CountCell row={row} />,
  };
  if (app.comparing())
    return [
      count,
      {
        id: 'count_change',
        title: 'Δ calls',
        hint: 'How many more or fewer calls',
        numeric: true,
        width: `calc(${width} + 3ch)`,
        cell: row => (
          <Show when={row.is === 'call' && row.call}>
            {call => <ChangeCell before={call().count_before} after={call().count} relative={false} />}
          </Show>
        ),
      },
    ];
  if (props.compact) return [count];
  return [
    count,
    {
      id: 'per_call',
      title: 'Per call',
      hint: 'Inclusive cost of one of these calls',
      numeric: true,
      width: `${longest(call => (call.per_call === null ? '' : exact(call.per_call))) + 2}ch`,
      cell: row => (
        <Show when={row.is === 'call' && row.call.per_call !== null && row.call.per_call}>
          {cost => <NumberCell text={exact(cost())} />}
        </Show>
      ),
    },
  ];
}

function site_text(site: Site): string {
  const place = site.line > 0 ? `${base_name(site.file.name) || '(unknown)'}:${site.line}` : base_name(site.file.name);
  const address = site.address !== undefined && !is_zero(site.address) ? ` 0x${site.address.toString(16)}` : '';
  return printable((place || 'place not known') + address, 200);
}

function reason(call: CallRow): string {
  if (call.by_count === undefined || call.by_cost === undefined) return '';
  const part = (words: string, cost: Cost) => (is_zero(cost) ? '' : `${words} ${change(0, cost).mark} ${exact(cost)}`);
  return [part('by the number of calls', call.by_count), part('by the cost of a call', call.by_cost)]
    .filter(words => words)
    .join(', ');
}

function name_cell(props: CallTableProps, row: Row, toggle: (call: CallRow, open: boolean) => void): JSX.Element {
  const { app } = props;
  if (row.is === 'site') return <span class="call-site name muted">{site_text(row.site)}</span>;
  if (row.is === 'self') return <i class="muted">self</i>;
  if (row.is === 'omitted_sites') return <span class="call-site name muted">{counted(row.rows, 'more place')}</span>;
  if (row.is === 'omitted') return <span class="muted">{counted(row.rows, 'more row')}</span>;
  const { call } = row;
  return (
    <>
      <Show when={app.profile().has.lines}>
        <OpenButton open={row.open} what="the places of these calls" on_open={open => toggle(call, open)} />
      </Show>
      <FunctionName app={app} func={call} in_cycle={call.recursive} on_go={() => app.activate(call, 'callers')}>
        <Show when={call.recursive}>
          <span class="tag" title="A call inside a cycle: its cost is counted in the cycle's already">
            {props.compact ? '↻' : '↻ in cycle'}
          </span>
        </Show>
        <Show when={!props.compact}>
          <span class="name muted call-place" title={printable(`${call.object} ${call.file}`.trim(), 600)}>
            {printable(place_of(call), 120)}
          </span>
        </Show>
      </FunctionName>
    </>
  );
}

export function CallTable(props: CallTableProps): JSX.Element {
  const { app } = props;
  const rows = createMemo(() => rows_of(props));
  const [at, set_at] = createSignal(-1);
  function toggle(call: CallRow, open: boolean) {
    const opened = new Set(props.opened);
    if (open) opened.add(call.id);
    else opened.delete(call.id);
    props.set_opened(opened);
  }
  const measured = createMemo(() => [
    ...rows(),
    ...props.beside.rows.map((call): Row => ({ is: 'call', call, open: false })),
    { is: 'self', func: props.parent } as Row,
  ]);
  const columns = createMemo<Column<Row>[]>(() => [
    ...cost_columns(props, measured(), 0),
    ...(app.columns().length > 1 && !props.compact ? cost_columns(props, measured(), 1) : []),
    ...count_columns(props, measured()),
    {
      id: 'name',
      title: props.title,
      width: props.compact ? 'minmax(6rem, 1fr)' : 'minmax(10rem, 1fr)',
      cell: row => name_cell(props, row, toggle),
    },
  ]);
  function row_text(row: Row): string {
    if (row.is === 'omitted') return `${row.rows} more rows\t${row.cost ?? ''}`;
    if (row.is === 'omitted_sites') return `${row.rows} more places`;
    if (row.is === 'self') return ['self', ...row.func.self].join('\t');
    if (row.is === 'site')
      return [row.site.cost, count_text(row.site.count, row.site.at_least), site_text(row.site)].join('\t');
    return [
      ...row.call.cost,
      count_text(row.call.count, row.call.at_least),
      row.call.name,
      row.call.file,
      row.call.object,
    ].join('\t');
  }
  return (
    <Table
      label={props.label}
      columns={columns()}
      rows={all_rows(rows)}
      on_select={(_, index) => set_at(index)}
      is_selected={row => rows()[at()] === row}
      on_activate={row => {
        if (row.is === 'call' || row.is === 'site') app.activate(row.call, 'callers');
      }}
      on_expand={(row, open) => row.is === 'call' && toggle(row.call, open)}
      row_level={row =>
        row.is === 'site' || row.is === 'omitted_sites'
          ? { level: 2 }
          : row.is === 'call' && app.profile().has.lines
            ? { level: 1, expanded: row.open }
            : { level: 1 }
      }
      row_text={row_text}
      on_copy={text => void app.copy(text, 'the row')}
      row_menu={row => {
        if (row.is !== 'call') return [{ label: 'Copy row', run: () => void app.copy(row_text(row), 'the row') }];
        const why = reason(row.call);
        return [
          ...(why ? [{ kind: 'title' as const, label: `Changed ${why}` }] : []),
          { label: 'Its callers and callees', run: () => app.activate(row.call, 'callers') },
          ...function_menu(app, row.call, row_text(row)),
        ];
      }}
      min_width={props.compact ? undefined : app.comparing() ? '56rem' : '36rem'}
    />
  );
}
