// The callers or the callees of a function: exact costs and counts, and the places of the calls below each.

import { createMemo, createSignal, type JSX, Show } from 'solid-js';
import type { App } from '../../app/app';
import type { Measure } from '../../app/measure';
import { ChangeCell } from '../../components/change_cell';
import { costHint, countText, FunctionName, numberRoom, numberWidth, placeOf } from '../../components/function_columns';
import { functionMenu } from '../../components/function_menu';
import { allRows, type Column } from '../../components/grid';
import { useIsPhone } from '../../components/media';
import { NameTitle } from '../../components/name_title';
import { NumberCell } from '../../components/number_cell';
import { OpenButton } from '../../components/open_button';
import { Table } from '../../components/table';
import { change, counted, exact } from '../../model/format';
import { baseName } from '../../model/names';
import { inlinedMark, unattributedName, unrecordedName } from '../../model/tree';
import { printable } from '../../model/visible';
import { type Cost, isZero, larger, magnitude, share, subtract } from '../../protocol/cost';
import type { CallList, CallRow, Costs, FunctionRow, Site } from '../../protocol/protocol';

type Row =
  | { is: 'call'; call: CallRow; open: boolean }
  | { is: 'site'; call: CallRow; site: Site }
  | { is: 'self'; func: FunctionRow }
  | { is: 'beyond'; beyond: Beyond; cost: Costs; before: Costs }
  | { is: 'omitted_sites'; rows: number }
  | { is: 'omitted'; rows: number; cost: Cost | null; before: Cost | null };

// Cost that is neither in the function nor in its recorded callees.
const beyond = {
  unrecorded: { name: unrecordedName, hint: 'Callgrind has lost these calls; their cost is known from the callers' },
  unattributed: { name: unattributedName, hint: 'Callgrind counted these events for the calls, but in no function' },
} as const;
type Beyond = keyof typeof beyond;

export interface CallTableProps {
  app: App;
  label: string;
  title: string; // above the names
  list: CallList;
  beside: CallList; // the table above or below this one, for equal column widths
  parent: FunctionRow; // whose calls these are
  withSelf?: boolean; // its own cost as a row among the callees
  beyond?: Record<Beyond, { cost?: Costs; before?: Costs }>;
  opened: ReadonlySet<number>; // ids of the rows whose call sites are shown
  setOpened(ids: Set<number>): void;
  compact?: boolean;
  onNameRoom(characters: number): void;
}

function siteRows(call: CallRow): Row[] {
  const rows = (call.sites ?? []).map((site): Row => ({ is: 'site', call, site }));
  return call.omitted_sites ? [...rows, { is: 'omitted_sites', rows: call.omitted_sites }] : rows;
}

function rowsOf(props: CallTableProps): Row[] {
  const calls = props.list.rows.flatMap((call): Row[] => {
    const open = props.opened.has(call.id);
    return [{ is: 'call', call, open }, ...(open ? siteRows(call) : [])];
  });
  if (props.list.omitted_rows > 0)
    calls.push({
      is: 'omitted',
      rows: props.list.omitted_rows,
      cost: props.list.omitted_cost,
      before: props.list.omitted_cost_before ?? null,
    });
  for (const kind of Object.keys(beyond) as Beyond[]) {
    const { cost, before } = props.beyond?.[kind] ?? {};
    if (cost || before) calls.push({ is: 'beyond', beyond: kind, cost: cost ?? [], before: before ?? [] });
  }
  return props.withSelf ? [{ is: 'self', func: props.parent }, ...calls] : calls;
}

function costOf(row: Row, column: number): Cost | null {
  if (row.is === 'call') return row.call.cost[column] ?? null;
  if (row.is === 'self') return row.func.self[column] ?? null;
  if (row.is === 'beyond') return row.cost[column] ?? null;
  if (column > 0 || row.is === 'omitted_sites') return null;
  return row.is === 'site' ? row.site.cost : row.cost;
}

function beforeOf(row: Row, column: number): Cost | null {
  if (row.is === 'call') return row.call.cost_before?.[column] ?? null;
  if (row.is === 'beyond') return row.before[column] ?? null;
  if (row.is === 'omitted' && column === 0) return row.before;
  return row.is === 'self' ? (row.func.self_before?.[column] ?? null) : null;
}

function changeOf(row: Row, column: number): Cost {
  return row.is === 'call' || row.is === 'self' ? subtract(costOf(row, column) ?? 0, beforeOf(row, column) ?? 0) : 0;
}

const withinCycle = 'Caller and callee call each other, directly or not';
const countedAgain = 'Counted again in recursion: calls within these calls are in their cost, too';

const inlinedHint = 'No call: the compiler put the code of the callee into the caller';

// What the caller is inlined in itself, if it is.
function inlinedText(call: CallRow): string {
  const hosts = call.hosts?.map(host => printable(host, 60)).join(', ');
  return `${inlinedMark} inlined${hosts ? ` in ${hosts}` : ''}`;
}

function isCountedAgain(row: Row): boolean {
  return (row.is === 'call' || row.is === 'site') && row.call.counted_again === true;
}

function costText(
  measure: Measure,
  row: Row,
  cost: Cost | null,
  parent: Costs,
  column: number,
  ofBefore = false,
): string {
  if (cost === null) return row.is === 'call' ? '–' : '';
  if (isCountedAgain(row)) return measure.spelled(cost, column);
  return measure.cell(cost, parent[column] ?? undefined, column, ofBefore);
}

// Compact: no costs before, only the change.
function costColumns(props: CallTableProps, rows: Row[], column: number, isCompact: boolean): Column<Row>[] {
  const { app } = props;
  const name = column === 0 ? 'Cost' : printable(app.measure.columns()[column] ?? '', 24);
  const spelled = (of: (row: Row, column: number) => Cost | null, parent: Costs) =>
    rows.map(row => costText(app.measure, row, of(row, column), parent, column));
  const width = numberWidth(app, column, isCompact ? -1 : 0, spelled(costOf, props.parent.inclusive));
  const whole = () => props.parent.inclusive[column] ?? 0;
  const most = createMemo(() =>
    rows
      .filter(row => !isCountedAgain(row) && row.is !== 'site')
      .reduce<Cost>((most, row) => larger(most, magnitude(costOf(row, column) ?? 0)), 0),
  );
  const mostChanged = createMemo(() =>
    rows.reduce<Cost>((most, row) => larger(most, magnitude(changeOf(row, column))), 0),
  );
  const now: Column<Row> = {
    id: `cost:${column}`,
    title: name,
    hint: 'Inclusive cost of these calls',
    numeric: true,
    width,
    cell: row => (
      <NumberCell
        text={costText(app.measure, row, costOf(row, column), props.parent.inclusive, column)}
        share={isCountedAgain(row) || row.is === 'site' ? null : share(costOf(row, column) ?? 0, most())}
        hint={costHint(app, costOf(row, column), column, () =>
          isCountedAgain(row) ? countedAgain : [{ name: app.names.short(props.parent), cost: whole() }],
        )}
        quiet={row.is === 'site' || isCountedAgain(row)}
      />
    ),
  };
  if (!app.measure.comparing()) return [now];
  const old: Column<Row> = {
    id: `before:${column}`,
    title: 'Before',
    numeric: true,
    width: numberWidth(app, column, 0, spelled(beforeOf, props.parent.inclusive_before ?? [])),
    cell: row => (
      <NumberCell
        text={costText(app.measure, row, beforeOf(row, column), props.parent.inclusive_before ?? [], column, true)}
        quiet
      />
    ),
  };
  return [
    ...(isCompact ? [] : [old]),
    now,
    {
      id: `change:${column}`,
      title: `Δ ${name.toLowerCase()}`,
      numeric: true,
      width: numberWidth(app, column, isCompact ? 1 : 2),
      cell: row => (
        <Show when={row.is === 'call' || row.is === 'self'}>
          <ChangeCell
            before={beforeOf(row, column)}
            after={costOf(row, column)}
            relative={app.state.relative !== 'absolute'}
            room={numberRoom(app, column)}
            spell={cost => app.measure.spelled(cost, column)}
            share={share(changeOf(row, column), mostChanged())}
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
          fallback={<NumberCell text={countText(of().count, of().at_least)} quiet={props.row.is === 'site'} />}
        >
          <span class="number-text muted" title="The call began before the measurement: no count">
            active
          </span>
        </Show>
      )}
    </Show>
  );
}

function countColumns(props: CallTableProps, rows: Row[], isCompact: boolean): Column<Row>[] {
  const { app } = props;
  const longest = (text: (call: CallRow) => string) =>
    rows.reduce((most, row) => (row.is === 'call' ? Math.max(most, text(row.call).length) : most), 5);
  const width = `${longest(call => countText(call.count, call.at_least)) + (isCompact ? 1 : 2)}ch`;
  if (!app.profile().has.counts || (isCompact && app.measure.comparing())) return [];
  const count: Column<Row> = {
    id: 'count',
    title: 'Calls',
    numeric: true,
    width,
    cell: row => <CountCell row={row} />,
  };
  if (app.measure.comparing())
    return [
      count,
      {
        id: 'count_change',
        title: 'Δ calls',
        hint: 'Change of the call count',
        numeric: true,
        width: `calc(${width} + 3ch)`,
        cell: row => (
          <Show when={row.is === 'call' && row.call}>
            {call => <ChangeCell before={call().count_before} after={call().count} relative={false} />}
          </Show>
        ),
      },
    ];
  if (isCompact) return [count];
  return [
    count,
    {
      id: 'per_call',
      title: 'Per call',
      hint: 'Inclusive cost per call',
      numeric: true,
      width: `${longest(call => (call.per_call === null ? '' : app.measure.spelled(call.per_call))) + 2}ch`,
      cell: row => (
        <Show when={row.is === 'call' && row.call.per_call !== null && row.call.per_call}>
          {cost => <NumberCell text={app.measure.spelled(cost())} hint={costHint(app, cost(), 0, () => [])} />}
        </Show>
      ),
    },
  ];
}

function siteText(site: Site): string {
  const place = site.line > 0 ? `${baseName(site.file.name) || '(unknown)'}:${site.line}` : baseName(site.file.name);
  const address = site.address !== undefined && !isZero(site.address) ? ` 0x${site.address.toString(16)}` : '';
  return printable((place || 'unknown location') + address, 200);
}

function reason(call: CallRow): string {
  if (call.by_count === undefined || call.by_cost === undefined) return '';
  const part = (label: string, cost: Cost) => (isZero(cost) ? '' : `${label} ${change(0, cost).mark} ${exact(cost)}`);
  return [part('by call count', call.by_count), part('by cost per call', call.by_cost)]
    .filter(label => label)
    .join(', ');
}

function nameCell(props: CallTableProps, row: Row, toggle: (call: CallRow, open: boolean) => void): JSX.Element {
  const { app } = props;
  if (row.is === 'site') return <span class="call-site name muted">{siteText(row.site)}</span>;
  if (row.is === 'self') return <i class="muted">self</i>;
  if (row.is === 'beyond')
    return (
      <i class="muted" title={beyond[row.beyond].hint}>
        {beyond[row.beyond].name}
      </i>
    );
  if (row.is === 'omitted_sites')
    return <span class="call-site name muted">{counted(row.rows, 'more call site')}</span>;
  if (row.is === 'omitted') return <span class="muted">{counted(row.rows, 'more row')}</span>;
  const { call } = row;
  return (
    <>
      <Show when={app.profile().has.lines}>
        <OpenButton open={row.open} what="call sites" onOpen={open => toggle(call, open)} />
      </Show>
      <FunctionName app={app} func={call} inCycle={call.recursive} onGo={() => app.selection.activate(call, 'callers')}>
        <Show when={call.recursive}>
          <span class="tag" title={call.counted_again ? countedAgain : withinCycle}>
            {props.compact ? '↻' : call.counted_again ? '↻ counted again' : '↻ in cycle'}
          </span>
        </Show>
        <Show when={call.inlined}>
          <span class="tag" title={inlinedHint}>
            {props.compact ? inlinedMark : inlinedText(call)}
          </span>
        </Show>
        <Show when={!props.compact}>
          <span class="name muted call-place" title={printable(`${call.object} ${call.file}`.trim(), 600)}>
            {printable(placeOf(call), 120)}
          </span>
        </Show>
      </FunctionName>
    </>
  );
}

export function CallTable(props: CallTableProps): JSX.Element {
  const { app } = props;
  const rows = createMemo(() => rowsOf(props));
  const [at, setAt] = createSignal(-1);
  function toggle(call: CallRow, open: boolean) {
    const opened = new Set(props.opened);
    if (open) opened.add(call.id);
    else opened.delete(call.id);
    props.setOpened(opened);
  }
  const measured = createMemo(() => [
    ...rows(),
    ...props.beside.rows.map((call): Row => ({ is: 'call', call, open: false })),
    { is: 'self', func: props.parent } as Row,
  ]);
  const isPhone = useIsPhone();
  const isCompact = () => props.compact === true || isPhone();
  const namesFirst = () => isPhone() || app.measure.comparing();
  const columns = createMemo<Column<Row>[]>(() => {
    const numbers = [
      ...costColumns(props, measured(), 0, isCompact()),
      ...(app.measure.columns().length > 1 && !isCompact() ? costColumns(props, measured(), 1, false) : []),
      ...countColumns(props, measured(), isCompact()),
    ];
    const name: Column<Row> = {
      id: 'name',
      title: <NameTitle onRoom={props.onNameRoom}>{props.title}</NameTitle>,
      width: isCompact() ? 'minmax(6rem, 1fr)' : 'minmax(10rem, 1fr)',
      cell: row => nameCell({ ...props, compact: isCompact() }, row, toggle),
    };
    return namesFirst() ? [name, ...numbers] : [...numbers, name];
  });
  function rowText(row: Row): string {
    if (row.is === 'omitted') return `${row.rows} more rows\t${row.cost ?? ''}`;
    if (row.is === 'omitted_sites') return `${row.rows} more call sites`;
    if (row.is === 'self') return ['self', ...row.func.self].join('\t');
    if (row.is === 'beyond') return [beyond[row.beyond].name, ...row.cost].join('\t');
    if (row.is === 'site')
      return [row.site.cost, countText(row.site.count, row.site.at_least), siteText(row.site)].join('\t');
    return [
      ...row.call.cost,
      countText(row.call.count, row.call.at_least),
      row.call.name,
      row.call.file,
      row.call.object,
    ].join('\t');
  }
  return (
    <Table
      label={props.label}
      columns={columns()}
      rows={allRows(rows)}
      onSelect={(_, index) => setAt(index)}
      isSelected={row => rows()[at()] === row}
      onActivate={row => {
        if (row.is === 'call' || row.is === 'site') app.selection.activate(row.call, 'callers');
      }}
      onExpand={(row, open) => row.is === 'call' && toggle(row.call, open)}
      rowLevel={row =>
        row.is === 'site' || row.is === 'omitted_sites'
          ? { level: 2 }
          : row.is === 'call' && app.profile().has.lines
            ? { level: 1, expanded: row.open }
            : { level: 1 }
      }
      rowText={rowText}
      onCopy={text => void app.copy(text, 'the row')}
      rowMenu={row => {
        if (row.is !== 'call') return [{ label: 'Copy row', run: () => void app.copy(rowText(row), 'the row') }];
        const why = reason(row.call);
        return [
          ...(why ? [{ kind: 'title' as const, label: `Changed ${why}` }] : []),
          { label: 'Its callers and callees', run: () => app.selection.activate(row.call, 'callers') },
          ...functionMenu(app, row.call, rowText(row)),
        ];
      }}
      minWidth={isCompact() ? undefined : app.measure.comparing() ? '47rem' : '36rem'}
      namesFirst={namesFirst()}
    />
  );
}
