// A source file, each line with what it costs; calls and jumps unfold below their lines.

import { createEffect, createMemo, createSignal, For, type JSX, on, Show } from 'solid-js';
import type { App } from '../../app';
import { ChangeCell } from '../../components/change_cell';
import { function_menu } from '../../components/function_menu';
import type { Column, GridControl, Sight } from '../../components/grid';
import { HeatStrip } from '../../components/heat_strip';
import { Icon } from '../../components/icon';
import { Listing } from '../../components/listing';
import type { MenuItem } from '../../components/menu';
import { NumberCell } from '../../components/number_cell';
import type { Costs, Func, LineCall, LineJump, SourceAnswer } from '../../engine/protocol';
import { type Cost, is_zero, share, subtract } from '../../model/cost';
import { counted, exact } from '../../model/format';
import { base_name } from '../../model/names';
import { below_line, largest, row_below, type SourceRow, source_lines, weight_of_line } from '../../model/source_rows';
import { source_text } from '../../model/source_text';
import { cut_off, pieces_of_line } from '../../model/syntax';
import { unfolding } from '../../model/unfolding';
import { printable, visible } from '../../model/visible';
import { count_text, FunctionName, number_width } from '../functions/columns';
import { use_colours } from './colours';
import './source_listing.css';
import { jump_words } from './words';

export interface SourceListingProps {
  app: App;
  answer: SourceAnswer;
  line: number; // the active one
  on_line(line: number): void;
  on_activate?(line: number): void;
  go_to?: { line: number }; // to be brought in sight, when this changes
  linked?: ReadonlySet<number>; // lines that belong to what is active elsewhere
  unfold_all: boolean;
  search: string;
  control?(control: GridControl): void;
}

// The callee, how often: where a line is folded, behind its text.
function CallNote(props: { app: App; calls: LineCall[] }): JSX.Element {
  const { app } = props;
  const only = () => (props.calls.length === 1 ? props.calls[0] : undefined);
  return (
    <span class="source-note">
      <span aria-hidden="true">→ </span>
      <Show when={only()} fallback={counted(props.calls.length, 'function')}>
        {call => (
          <>
            <button
              type="button"
              class="link"
              tabindex="-1"
              title={app.full_name(call())}
              onClick={event => {
                event.stopPropagation();
                app.activate(call(), 'source');
              }}
            >
              {app.name(call())}
            </button>
            <Show when={call().count !== null}> ×{count_text(call().count, call().at_least)}</Show>
          </>
        )}
      </Show>
    </span>
  );
}

function CodeText(props: { text: string; begin: number; tokens: Uint32Array | null; search: string }): JSX.Element {
  const pieces = () => pieces_of_line(props.text, props.begin, props.tokens);
  return (
    <span class="source-code">
      <For each={pieces()}>
        {piece =>
          piece.kind === 'plain' ? (
            <Marked text={piece.text} search={props.search} />
          ) : (
            <span class={`syntax-${piece.kind}`}>
              <Marked text={piece.text} search={props.search} />
            </span>
          )
        }
      </For>
      <Show when={cut_off(props.text) > 0}>
        <span class="source-cut"> … {counted(cut_off(props.text), 'further character')}</span>
      </Show>
    </span>
  );
}

// Tabs stay what they are, everything else that cannot be seen is made visible.
function shown(text: string): string {
  return text.split('\t').map(visible).join('\t');
}

function Marked(props: { text: string; search: string }): JSX.Element {
  const pieces = () => {
    const wanted = props.search.toLowerCase();
    if (!wanted) return [{ text: props.text, found: false }];
    const lower = props.text.toLowerCase();
    const all: { text: string; found: boolean }[] = [];
    let at = 0;
    for (let found = lower.indexOf(wanted); found >= 0 && all.length < 200; found = lower.indexOf(wanted, at)) {
      if (found > at) all.push({ text: props.text.slice(at, found), found: false });
      at = found + wanted.length;
      all.push({ text: props.text.slice(found, at), found: true });
    }
    if (at < props.text.length) all.push({ text: props.text.slice(at), found: false });
    return all;
  };
  return (
    <For each={pieces()}>
      {piece => (piece.found ? <mark class="source-found">{shown(piece.text)}</mark> : shown(piece.text))}
    </For>
  );
}

export function SourceListing(props: SourceListingProps): JSX.Element {
  const { app } = props;
  const [toggled, set_toggled] = createSignal<ReadonlySet<number>>(new Set<number>()); // lines unlike the others
  const [sub, set_sub] = createSignal(0); // below the active line
  const [sight, set_sight] = createSignal<Sight>({ first: 0, last: 1 });
  let control: GridControl | undefined;

  const file = createMemo(() => props.answer.file.name);
  const whole_text = createMemo(() => props.answer.text);
  const text = createMemo(() => {
    const now = whole_text();
    return now === null ? null : source_text(now);
  });
  const tokens = use_colours(file, whole_text);
  const lines = createMemo(() => source_lines(props.answer.lines, text()?.count ?? null));
  createEffect(on([file, () => props.unfold_all], () => set_toggled(new Set<number>()), { defer: true }));

  const is_open = (number: number) => toggled().has(number) !== props.unfold_all;
  const rows = createMemo(() => {
    const all = lines();
    const open = props.answer.lines.filter(line => is_open(line.line)).map(line => all.row_of(line.line));
    return unfolding(all.count, open, row => below_line(all.line_at(row)));
  });
  function row_at(index: number): SourceRow | undefined {
    if (index < 0 || index >= rows().count) return undefined;
    const place = rows().at(index);
    const number = lines().number_of(place.row);
    const line = lines().line_at(place.row);
    if (place.sub > 0 && line) return row_below(number, line, place.sub);
    const open = below_line(line) > 0 ? rows().is_open(place.row) : undefined;
    return { is: 'line', number, line, in_text: lines().in_text(place.row), open };
  }
  const active = createMemo(() => {
    const row = lines().row_of(props.line);
    return rows().index_of(row, rows().is_open(row) ? Math.min(sub(), below_line(lines().line_at(row))) : 0);
  });
  function set_active(index: number) {
    const place = rows().at(index);
    set_sub(place.sub);
    props.on_line(lines().number_of(place.row));
  }
  function expand(number: number, open: boolean) {
    const next = new Set(toggled());
    if (open === props.unfold_all) next.delete(number);
    else next.add(number);
    set_toggled(next);
    if (!open) set_sub(0);
  }
  createEffect(
    on([() => props.go_to, text], ([wanted]) => {
      if (!wanted) return;
      set_sub(0);
      queueMicrotask(() => control?.show(rows().index_of(lines().row_of(wanted.line)), 'middle'));
    }),
  );

  const whole = (column: number): Cost => props.answer.self[column] ?? 0;
  const most = createMemo(() => ({
    self: largest(props.answer.lines, line => line.self[0]),
    with_calls: largest(props.answer.lines, line => line.with_calls[0]),
  }));
  const cost_of = (row: SourceRow, column: number, which: 'self' | 'with_calls'): Cost | null => {
    if (row.is === 'line') return row.line?.[which][column] ?? null;
    if (row.is === 'call' && which === 'with_calls') return row.call.cost[column] ?? null;
    return null;
  };
  function spelled(row: SourceRow, cost: Cost | null, column: number): string {
    if (cost === null || (row.is === 'line' && is_zero(cost))) return '';
    if (row.is === 'call' && row.call.recursive) return exact(cost);
    return app.cell(cost, whole(column), column);
  }
  function cost_column(column: number, which: 'self' | 'with_calls'): Column<SourceRow> {
    const suffix = column === 0 ? '' : ` ${printable(app.columns()[column] ?? '', 20)}`;
    return {
      id: `${which}:${column}`,
      title: (which === 'self' ? 'Self' : 'With calls') + suffix,
      hint: which === 'self' ? 'What the code of the line cost itself' : 'Self, and all that is called from the line',
      numeric: true,
      width: number_width(app, column),
      cell: row => (
        <NumberCell
          text={spelled(row, cost_of(row, column, which), column)}
          share={row.is === 'line' && column === 0 ? share(cost_of(row, column, which) ?? 0, most()[which]) : null}
          quiet={row.is !== 'line'}
        />
      ),
    };
  }
  const change_column = (): Column<SourceRow> => ({
    id: 'change',
    title: 'Δ self',
    hint: 'Change of the self cost against the profile before',
    numeric: true,
    width: number_width(app, 0, 2),
    cell: row => {
      const line = row.is === 'line' ? row.line : undefined;
      const before = () => line?.self_before?.[0] ?? 0;
      const after = () => line?.self[0] ?? 0;
      return (
        <Show when={line && !(is_zero(before()) && is_zero(after()))}>
          <ChangeCell
            before={before()}
            after={after()}
            relative={app.state.relative !== 'absolute'}
            share={share(subtract(after(), before()), most().self)}
          />
        </Show>
      );
    },
  });
  const has_calls = () => app.profile().has.calls;
  const has_inlined = createMemo(() => props.answer.lines.some(line => line.inlined));
  const columns = createMemo<Column<SourceRow>[]>(() => [
    ...(app.comparing() ? [change_column()] : []),
    cost_column(0, 'self'),
    ...(has_calls() ? [cost_column(0, 'with_calls')] : []),
    ...(app.columns().length > 1 ? [cost_column(1, 'self')] : []),
    ...(has_inlined()
      ? [
          {
            id: 'inlined',
            title: '',
            width: '2.6ch',
            cell: (row: SourceRow) => (
              <Show when={row.is === 'line' && row.line?.inlined}>
                <span class="source-inlined" title="Inlined into functions of other files">
                  inl
                </span>
              </Show>
            ),
          },
        ]
      : []),
    {
      id: 'number',
      title: 'Line',
      numeric: true,
      width: `${Math.max(4, String(lines().number_of(Math.max(0, lines().count - 1))).length) + 3}ch`,
      cell: row => <LineNumber row={row} on_expand={expand} />,
    },
  ]);

  function text_of(row: SourceRow): JSX.Element {
    if (row.is === 'call') return <CallLine app={app} call={row.call} />;
    if (row.is === 'jump') return <JumpLine jump={row.jump} on_go={line => go(line)} />;
    const now = text();
    if (row.number === 0) return <span class="source-odd">line not known</span>;
    if (!now) return <FoldedNote app={app} row={row} />;
    if (!row.in_text) return <span class="source-odd">past the end of this file</span>;
    return (
      <>
        <CodeText text={now.line(row.number)} begin={now.begin(row.number)} tokens={tokens()} search={props.search} />
        <FoldedNote app={app} row={row} />
      </>
    );
  }
  function go(line: number) {
    set_sub(0);
    props.on_line(line);
    queueMicrotask(() => control?.show(rows().index_of(lines().row_of(line)), 'middle'));
  }
  function row_text(row: SourceRow): string {
    if (row.is === 'call')
      return [exact(row.call.cost[0] ?? 0), String(row.call.count ?? ''), row.call.name].join('\t');
    if (row.is === 'jump') return `${jump_words(row.jump)}\t${row.jump.to}`;
    const plain = (costs: Costs | undefined) => String(costs?.[0] ?? '');
    return [row.number, plain(row.line?.self), plain(row.line?.with_calls), text()?.line(row.number) ?? ''].join('\t');
  }
  function menu(row: SourceRow): MenuItem[] {
    const callees: Func[] = row.is === 'call' ? [row.call] : row.is === 'line' ? (row.line?.calls ?? []) : [];
    if (row.is === 'call') return function_menu(app, row.call, row_text(row));
    return [
      ...callees
        .slice(0, 12)
        .map((callee): MenuItem => ({ label: `Go to ${app.name(callee)}`, run: () => app.activate(callee, 'source') })),
      {
        label: 'Copy place',
        run: () => void app.copy(`${props.answer.path || file()}:${row.number}`, 'the place'),
      },
      { label: 'Copy row', key: 'Ctrl+C', run: () => void app.copy(row_text(row), 'the row') },
    ];
  }
  function activate(row: SourceRow) {
    if (row.is === 'call') app.activate(row.call, 'source');
    else if (row.is === 'jump') go(row.jump.to);
    else if (props.on_activate) props.on_activate(row.number);
    else if (row.open !== undefined) expand(row.number, !row.open);
  }
  const weights = createMemo(() =>
    props.answer.lines.map(line => ({
      at: rows().index_of(lines().row_of(line.line)),
      cost: weight_of_line(line, app.comparing()),
    })),
  );

  return (
    <div class="source-body">
      <Listing
        label={`Source of ${printable(base_name(file()) || 'an unknown file', 120)}`}
        columns={columns()}
        rows={{ count: () => rows().count, at: row_at }}
        text_title={text() ? 'Source' : 'Calls'}
        text={text_of}
        text_width={text()?.widest ?? 20}
        active={active()}
        on_active={set_active}
        on_activate={activate}
        row_level={row => (row.is === 'line' ? { level: 1, expanded: row.open } : { level: 2 })}
        on_expand={(row, open) => expand(row.number, open)}
        row_class={row =>
          row.is !== 'line' ? 'source-below' : props.linked?.has(row.number) ? 'source-linked' : undefined
        }
        row_text={row_text}
        on_copy={copied => void app.copy(copied, 'the row')}
        row_menu={menu}
        control={now => {
          control = now;
          props.control?.(now);
        }}
        on_sight={set_sight}
      />
      <HeatStrip
        app={app}
        weights={weights()}
        rows={rows().count}
        sight={sight()}
        on_go={index => {
          set_active(index);
          control?.show(index, 'middle');
        }}
      />
    </div>
  );
}

function LineNumber(props: { row: SourceRow; on_expand(number: number, open: boolean): void }): JSX.Element {
  const open = () => (props.row.is === 'line' ? props.row.open : undefined);
  return (
    <Show when={props.row.is === 'line'}>
      <Show when={open() !== undefined}>
        <button
          type="button"
          class="source-open"
          classList={{ open: open() === true }}
          tabindex="-1"
          aria-label={open() ? 'Hide calls and jumps' : 'Show calls and jumps'}
          onClick={event => {
            event.stopPropagation();
            props.on_expand(props.row.number, !open());
          }}
        >
          <Icon name="right" />
        </button>
      </Show>
      <span class="source-number">{props.row.number || '?'}</span>
    </Show>
  );
}

function FoldedNote(props: { app: App; row: Extract<SourceRow, { is: 'line' }> }): JSX.Element {
  return (
    <Show when={props.row.open === false && props.row.line?.calls.length}>
      <CallNote app={props.app} calls={props.row.line?.calls ?? []} />
    </Show>
  );
}

function CallLine(props: { app: App; call: LineCall }): JSX.Element {
  const { app } = props;
  return (
    <span class="source-call">
      <span aria-hidden="true">→</span>
      <FunctionName app={app} func={props.call} on_go={() => app.activate(props.call, 'source')} />
      <span class="muted">
        {props.call.count === null ? 'called before' : `${count_text(props.call.count, props.call.at_least)}×`}
        <Show when={props.call.recursive}> recursive</Show>
      </span>
    </span>
  );
}

function JumpLine(props: { jump: LineJump; on_go(line: number): void }): JSX.Element {
  return (
    <span class="source-call">
      <span aria-hidden="true">{props.jump.conditional ? '⤳' : '↝'}</span>
      <Show
        when={!props.jump.file}
        fallback={
          <span>
            jumps to {printable(base_name(props.jump.file ?? ''), 80)}:{props.jump.to}
          </span>
        }
      >
        <button
          type="button"
          class="link"
          tabindex="-1"
          onClick={event => {
            event.stopPropagation();
            props.on_go(props.jump.to);
          }}
        >
          jumps to line {props.jump.to}
        </button>
      </Show>
      <span class="muted">{jump_words(props.jump)}</span>
    </span>
  );
}
