// The columns of lists of functions, for all views that have such lists.

import { For, type JSX, Show } from 'solid-js';
import type { App } from '../app/app';
import type { Names } from '../app/names';
import { hueOf } from '../model/color';
import { brief, change, exact, percent } from '../model/format';
import { baseName, outermostNamespace } from '../model/names';
import { printable, splitAtMatches } from '../model/visible';
import { type Cost, isZero, share, subtract } from '../protocol/cost';
import type { Bounds, CallRow, Costs, Func, FunctionRow, Match } from '../protocol/protocol';
import { ChangeCell } from './change_cell';
import type { Column } from './grid';
import { NameTitle } from './name_title';
import { NumberCell } from './number_cell';
import { explains } from './tooltip';
import './function_columns.css';

// How many characters the numbers of a column may have: enough for what is 100 %, and for the texts that are given.
export function numberRoom(app: App, column: number, texts: readonly string[] = []): number {
  const usual = app.state.relative === 'absolute' ? exact(app.measure.base(column)).length : 8;
  return Math.max(
    6,
    Math.min(
      26,
      texts.reduce((most, text) => Math.max(most, text.length), usual),
    ),
  );
}

export function numberWidth(app: App, column: number, extra = 0, texts: readonly string[] = []): string {
  return widthOf(numberRoom(app, column, texts), extra);
}

function widthOf(room: number, extra = 0): string {
  return `${room + 2 + extra}ch`;
}

// Numbers are never clipped: larger ones than expected (inclusive cost without cycle detection) are abbreviated.
export function fitting(
  app: App,
  text: string,
  cost: Cost | null,
  column: number,
  room = numberRoom(app, column),
): string {
  return cost !== null && text.length > room + 1 ? brief(cost) : text;
}

export interface CostColumn<Row> {
  id: string;
  title: JSX.Element;
  hint?: string;
  of(row: Row): Costs;
  column: number;
  parent?(row: Row): Cost | undefined;
  sortable?: boolean;
  isBefore?: boolean;
  room?: number; // characters, if not enough for all
  largest?(): Cost | undefined; // of all rows: for the bars; else they are of the total
  wholes?(row: Row): Whole[]; // what the cost is part of, beside the total
  bounds?(row: Row): Bounds | undefined; // of an estimate
}

export interface Whole {
  name: string;
  cost: Cost | null | undefined;
}

// What a cost is, exactly, and which share of what.
export function costHint(
  app: App,
  cost: Cost | null,
  column: number,
  wholes: () => Whole[] | string, // or a remark
  isBefore = false,
  bounds?: Cost[] | null,
) {
  if (cost === null) return undefined;
  return explains(app.tip, () => (
    <>
      <div>
        {bounds && '~'}
        {app.measure.full(cost, column, isBefore)}
      </div>
      <Show when={bounds}>
        {between => (
          <div class="muted">
            estimated: its callers are inside and outside of the filters; between{' '}
            {app.measure.full(between()[0]!, column, isBefore)} and {app.measure.full(between()[1]!, column, isBefore)}
          </div>
        )}
      </Show>
      <For each={linesOf(cost, wholes())}>{line => <div class="muted">{line}</div>}</For>
    </>
  ));
}

function linesOf(cost: Cost, wholes: Whole[] | string): string[] {
  if (typeof wholes === 'string') return [wholes];
  return wholes.flatMap(({ name, cost: whole }) =>
    whole && !isZero(whole) ? [`${percent(share(cost, whole))} of ${name}`] : [],
  );
}

export function changeHint(app: App, before: Cost | null, after: Cost | null, column: number) {
  if (before === null || after === null) return undefined;
  const delta = change(before, after, cost => app.measure.spelled(cost, column));
  return explains(app.tip, () => (
    <>
      <div>Before: {app.measure.full(before, column, true)}</div>
      <div>After: {app.measure.full(after, column)}</div>
      <div>
        {delta.mark} {delta.text} {delta.ratio}
      </div>
    </>
  ));
}

export function costColumn<Row>(app: App, wanted: CostColumn<Row>): Column<Row> {
  const { column } = wanted;
  const cost = (row: Row) => wanted.of(row)[column] ?? null;
  return {
    ...wanted,
    numeric: true,
    width: widthOf(wanted.room ?? numberRoom(app, column)),
    cell: row => (
      <NumberCell
        cost
        text={
          (wanted.bounds?.(row)?.[column] ? '~' : '') +
          fitting(
            app,
            app.measure.cell(cost(row), wanted.parent?.(row), column, wanted.isBefore),
            cost(row),
            column,
            wanted.room,
          )
        }
        share={
          cost(row) === null ? null : share(cost(row)!, wanted.largest?.() ?? app.measure.base(column, wanted.isBefore))
        }
        hint={costHint(
          app,
          cost(row),
          column,
          () => wanted.wholes?.(row) ?? [],
          wanted.isBefore,
          wanted.bounds?.(row)?.[column],
        )}
      />
    ),
  };
}

export function changeColumn<Row>(
  app: App,
  wanted: Omit<CostColumn<Row>, 'of'> & { after(row: Row): Costs; before(row: Row): Costs | undefined },
): Column<Row> {
  const { column } = wanted;
  const after = (row: Row) => wanted.after(row)[column] ?? null;
  const before = (row: Row) => wanted.before(row)?.[column] ?? null;
  return {
    ...wanted,
    numeric: true,
    width: widthOf(wanted.room ?? numberRoom(app, column), 2),
    cell: row => (
      <ChangeCell
        before={before(row)}
        after={after(row)}
        relative={app.state.relative !== 'absolute'}
        estimated={wanted.bounds?.(row)?.[column] != null}
        room={wanted.room ?? numberRoom(app, column)}
        spell={cost => app.measure.spelled(cost, column)}
        share={share(subtract(after(row) ?? 0, before(row) ?? 0), wanted.largest?.() ?? app.measure.base(column))}
        hint={changeHint(app, before(row), after(row), column)}
      />
    ),
  };
}

export const entriesHint = 'Inlined code is not called: about how often it was entered';

// Inlined code is not called; how often it was entered is an estimate.
export function calledText(row: Pick<FunctionRow, 'called' | 'at_least' | 'entries'>): string {
  return row.called === null && row.entries !== undefined
    ? `~${exact(row.entries)}`
    : countText(row.called, row.at_least);
}

export function countText(count: Cost | null, atLeast?: boolean): string {
  if (count === null) return '–';
  return atLeast ? `≥ ${exact(count)}` : exact(count);
}

const matchLabels: Partial<Record<Match, [string, string]>> = {
  path: ['moved', 'Same name, file at another path'],
  canonical: ['≈ name', 'Same name except for compiler-generated numbers'],
  ordinal: ['≈ order', 'Equal names, matched by cost and callees'],
  group: ['together', 'Indistinguishable functions, compared as a group'],
  signature: ['≈ signature', 'Same name, different parameters'],
  anchors: ['renamed', 'Renamed: matched by callers, callees and lines'],
  added: ['added', 'Only in the new profile'],
  removed: ['removed', 'Only in the old profile'],
};

export function MatchTag(props: { row: Pick<FunctionRow, 'match' | 'name_before'> }): JSX.Element {
  const label = () => (props.row.match ? matchLabels[props.row.match] : undefined);
  return (
    <Show when={label()}>
      {text => (
        <span
          class={`tag ${props.row.match}`}
          title={props.row.name_before ? `${text()[1]}. Before: ${printable(props.row.name_before)}` : text()[1]}
        >
          {text()[0]}
        </span>
      )}
    </Show>
  );
}

// By object; if there is only one, by namespace.
export function colorKey(profile: App['profile'], func: { name: string; object: string }): string {
  return profile().counts.objects > 1 ? func.object : outermostNamespace(func.name);
}

export function Swatch(props: { app: App; func: { name: string; object: string } }): JSX.Element {
  return (
    <span
      class="swatch"
      style={{ background: `var(--swatch-${hueOf(colorKey(props.app.profile, props.func))})` }}
      aria-hidden="true"
    />
  );
}

// Object and file, as far as they are known; not the object if it is the `only` one of a list, or if it leaves no room
// for the file.
export function placeOf(func: { file: string; object: string }, room = 160, only?: string): string {
  const isKnown = (path: string) => path !== '' && path !== '???';
  const parts = [func.object, func.file].filter(isKnown).map(baseName);
  const whole = parts.join(': ');
  return parts.length === 2 && (whole.length > room || func.object === only) ? parts[1]! : whole;
}

// Paths, for what has room for them.
export function pathsOf(func: { file: string; object: string }): string {
  const paths = [func.object, func.file].filter(path => path && path !== '???');
  return printable(paths.join(' · ') || 'unknown location', 600);
}

export function FunctionTip(props: { names: Names; func: Func }): JSX.Element {
  return (
    <>
      <div class="name-tip">{props.names.full(props.func)}</div>
      <div class="muted">{pathsOf(props.func)}</div>
    </>
  );
}

// A name as it is shown, its context in a quieter tone; what was searched for is marked.
function ShownName(props: { app: App; func: Func; found?: string }): JSX.Element {
  const shown = () => props.app.names.pieces(props.func);
  return (
    <>
      <For each={splitAtMatches(shown().name, props.found ?? '')}>
        {(piece, index) => (index() % 2 === 1 ? <mark>{piece}</mark> : piece)}
      </For>
      <Show when={shown().context}>{context => <span class="muted">{context()}</span>}</Show>
    </>
  );
}

// A name that goes to the function, with its color and marks.
export function FunctionName(props: {
  app: App;
  func: Func & Pick<Partial<FunctionRow>, 'match' | 'name_before'>;
  found?: string; // what the list was searched for
  onGo?(): void;
  inCycle?: boolean; // the cycle mark is elsewhere
  children?: JSX.Element;
}): JSX.Element {
  const { app } = props;
  return (
    <>
      <Swatch app={app} func={props.func} />
      <Show
        when={props.onGo}
        fallback={
          <span class="name" {...explains(app.tip, () => <FunctionTip names={app.names} func={props.func} />)}>
            <ShownName app={app} func={props.func} found={props.found} />
          </span>
        }
      >
        {go => (
          <button
            type="button"
            class="link name"
            tabindex="-1"
            onClick={event => {
              event.stopPropagation();
              go()();
            }}
            {...explains(app.tip, () => <FunctionTip names={app.names} func={props.func} />)}
          >
            <ShownName app={app} func={props.func} found={props.found} />
          </button>
        )}
      </Show>
      <Show when={props.func.cycle !== undefined && app.state.cycles && !props.inCycle}>
        <span class="tag cycle" title={`Cycle ${props.func.cycle}: functions that call each other`}>
          ↻ {props.func.cycle}
        </span>
      </Show>
      <MatchTag row={props.func} />
      {props.children}
    </>
  );
}

// The selected function, as a heading.
export function SelectedName(props: { app: App }): JSX.Element {
  return (
    <Show when={props.app.state.selection}>
      {name => (
        <span class="source-function">
          <FunctionName app={props.app} func={{ id: 0, ...name() }} />
        </span>
      )}
    </Show>
  );
}

export function nameColumn<Row extends FunctionRow | CallRow>(
  app: App,
  wanted: {
    onGo?(row: Row): void;
    width?: string;
    onRoom?(characters: number, table: number): void;
    found?(): string;
  },
): Column<Row> {
  const { onGo, onRoom, found } = wanted;
  return {
    id: 'name',
    // Made where it is shown, as it measures its table.
    get title() {
      return onRoom ? <NameTitle onRoom={onRoom}>Function</NameTitle> : 'Function';
    },
    width: wanted.width ?? 'minmax(11rem, 1fr)',
    sortable: true,
    cell: row => <FunctionName app={app} func={row} found={found?.()} onGo={onGo ? () => onGo(row) : undefined} />,
  };
}

export function placeColumn<Row extends Func>(width: string, text: (row: Row) => string): Column<Row> {
  return {
    id: 'object',
    title: 'Location',
    width,
    sortable: true,
    cell: row => (
      <span class="name muted" title={printable(`${row.object} ${row.file}`.trim(), 600)}>
        {printable(text(row), 160)}
      </span>
    ),
  };
}
