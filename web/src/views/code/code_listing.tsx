// Machine code, each instruction with what it costs, and arrows where it jumps.

import { createEffect, createMemo, createSignal, For, type JSX, on, Show } from 'solid-js';
import type { App } from '../../app';
import { function_menu } from '../../components/function_menu';
import type { Column, GridControl, Sight } from '../../components/grid';
import { HeatStrip } from '../../components/heat_strip';
import { Icon } from '../../components/icon';
import { Listing } from '../../components/listing';
import type { MenuItem } from '../../components/menu';
import { NumberCell } from '../../components/number_cell';
import type { InstructionRow, InstructionsAnswer } from '../../engine/protocol';
import { instruction_pieces } from '../../model/assembly';
import { below_instruction, type Code, type CodeRow, is_new_place, longest } from '../../model/code_rows';
import { add, type Cost, is_zero, larger, share } from '../../model/cost';
import { exact } from '../../model/format';
import { gutter_piece, gutter_width, row_height } from '../../model/gutter';
import { jump_lanes } from '../../model/jump_lanes';
import { base_name } from '../../model/names';
import { unfolding } from '../../model/unfolding';
import { printable } from '../../model/visible';
import { count_text, FunctionName, number_width } from '../functions/columns';
import { go_to_place } from '../source/places';
import { jump_words } from '../source/words';
import './code_listing.css';

export interface CodeListingProps {
  app: App;
  answer: InstructionsAnswer;
  code: Code;
  active: number; // instruction
  on_active(index: number): void;
  go_to?: { index: number };
  linked?: ReadonlySet<number>; // instructions of the line that is looked at
  hex: boolean;
  unfold_all: boolean;
  own_file: string; // of the function: places in it are written without their file
  search: string;
}

export function CodeListing(props: CodeListingProps): JSX.Element {
  const { app } = props;
  const [toggled, set_toggled] = createSignal<ReadonlySet<number>>(new Set<number>()); // entries unlike the others
  const [sub, set_sub] = createSignal(0);
  const [sight, set_sight] = createSignal<Sight>({ first: 0, last: 1 });
  let control: GridControl | undefined;

  const instructions = () => props.answer.rows;
  const entries = () => props.code.entries;
  const lanes = createMemo(() => jump_lanes(props.code.arrows));
  createEffect(on([() => props.code, () => props.unfold_all], () => set_toggled(new Set<number>()), { defer: true }));

  const below = (entry: number) => {
    const one = entries()[entry];
    const row = one?.is === 'instruction' ? instructions()[one.index] : undefined;
    return row ? below_instruction(row) : 0;
  };
  const rows = createMemo(() => {
    const open = props.unfold_all
      ? props.code.entry_of.filter(entry => !toggled().has(entry))
      : [...toggled()].filter(entry => entry < entries().length);
    return unfolding(entries().length, open, below);
  });
  function row_at(at: number): CodeRow | undefined {
    if (at < 0 || at >= rows().count) return undefined;
    const { row: entry, sub: place } = rows().at(at);
    const one = entries()[entry];
    if (!one || one.is === 'gap') return { is: 'gap', entry };
    const row = instructions()[one.index]!;
    if (place === 0) {
      const open = below_instruction(row) > 0 ? rows().is_open(entry) : undefined;
      return { is: 'instruction', entry, index: one.index, row, open };
    }
    const call = row.calls[place - 1];
    if (call) return { is: 'call', entry, index: one.index, row, call };
    return { is: 'jump', entry, index: one.index, row, jump: row.jumps[place - 1 - row.calls.length]! };
  }
  const active_entry = () => props.code.entry_of[props.active] ?? 0;
  const active = createMemo(() => {
    const entry = active_entry();
    return rows().index_of(entry, rows().is_open(entry) ? Math.min(sub(), below(entry)) : 0);
  });
  function set_active(at: number) {
    const place = rows().at(at);
    const one = entries()[place.row];
    if (one?.is === 'instruction') {
      set_sub(place.sub);
      props.on_active(one.index);
      return;
    }
    // A gap cannot be chosen: on to the instruction behind it.
    const step = at < active() ? -1 : 1;
    const next = entries()[place.row + step];
    if (next?.is === 'instruction') {
      set_sub(0);
      props.on_active(next.index);
    }
  }
  function expand(entry: number, open: boolean) {
    const next = new Set(toggled());
    if (open === props.unfold_all) next.delete(entry);
    else next.add(entry);
    set_toggled(next);
    if (!open) set_sub(0);
  }
  function show(index: number) {
    queueMicrotask(() => control?.show(rows().index_of(props.code.entry_of[index] ?? 0), 'middle'));
  }
  createEffect(
    on([() => props.go_to, () => props.code], ([wanted]) => {
      if (!wanted) return;
      set_sub(0);
      show(wanted.index);
    }),
  );
  function go(index: number) {
    set_sub(0);
    props.on_active(index);
    show(index);
  }

  const whole = createMemo(() =>
    app.columns().map((_, column) => instructions().reduce<Cost>((sum, row) => add(sum, row.self[column] ?? 0), 0)),
  );
  const most = createMemo(() => instructions().reduce<Cost>((most, row) => larger(most, row.self[0] ?? 0), 0));
  function cost_column(column: number): Column<CodeRow> {
    const cost = (row: CodeRow): Cost | null =>
      row.is === 'instruction'
        ? (row.row.self[column] ?? null)
        : row.is === 'call'
          ? (row.call.cost[column] ?? null)
          : null;
    const text = (row: CodeRow) => {
      const now = cost(row);
      if (now === null || (row.is === 'instruction' && is_zero(now))) return '';
      return row.is === 'call' && row.call.recursive ? exact(now) : app.cell(now, whole()[column], column);
    };
    return {
      id: `self:${column}`,
      title: column === 0 ? 'Self' : `Self ${printable(app.columns()[column] ?? '', 20)}`,
      hint: 'What the instruction cost itself; for calls: what was called',
      numeric: true,
      width: number_width(app, column),
      cell: row => (
        <NumberCell
          text={text(row)}
          share={row.is === 'instruction' && column === 0 ? share(cost(row) ?? 0, most()) : null}
          quiet={row.is !== 'instruction'}
        />
      ),
    };
  }
  const digits = createMemo(() => longest(instructions(), row => row.address, 8, 18) - 2);
  const most_bytes = createMemo(() => longest(instructions(), row => row.bytes, 5, 32));
  const place_width = createMemo(() => longest(instructions(), row => place_of(row, props.own_file), 5, 21) + 1);
  const columns = createMemo<Column<CodeRow>[]>(() => [
    cost_column(0),
    ...(app.columns().length > 1 ? [cost_column(1)] : []),
    {
      id: 'place',
      title: 'Line',
      hint: 'Source position, where it changes',
      width: `${place_width()}ch`,
      cell: row => (
        <Show when={row.is === 'instruction' && is_new_place(instructions(), row.index) && row}>
          {one => <Place app={app} row={one().row} own_file={props.own_file} />}
        </Show>
      ),
    },
    {
      id: 'address',
      title: 'Address',
      numeric: true,
      width: `${digits() + 4}ch`,
      cell: row => <Address row={row} on_expand={expand} />,
    },
    {
      id: 'arrows',
      title: <span class="offscreen">Jumps</span>,
      width: `${gutter_width(lanes().lanes)}px`,
      cell: row => <Gutter row={row} lanes={lanes()} active={active_entry()} />,
    },
    ...(props.hex
      ? [
          {
            id: 'hex',
            title: 'Bytes',
            width: `${most_bytes()}ch`,
            cell: (row: CodeRow) => (
              <Show when={row.is === 'instruction' && row.row.bytes}>
                {bytes => <span class="code-bytes">{printable(bytes(), 60)}</span>}
              </Show>
            ),
          },
        ]
      : []),
  ]);

  function text_of(row: CodeRow): JSX.Element {
    if (row.is === 'gap') return <span class="source-odd">⋯ code between is not shown</span>;
    if (row.is === 'call')
      return (
        <span class="source-call">
          <span aria-hidden="true">→</span>
          <FunctionName app={app} func={row.call} on_go={() => app.activate(row.call, 'code')} />
          <span class="muted">
            {row.call.count === null ? 'called before' : `${count_text(row.call.count, row.call.at_least)}×`}
            <Show when={row.call.recursive}> recursive</Show>
          </span>
        </span>
      );
    if (row.is === 'jump') {
      const target = () => props.code.index_of(row.jump.to);
      return (
        <span class="source-call">
          <span aria-hidden="true">{row.jump.conditional ? '⤳' : '↝'}</span>
          <Show when={target() >= 0} fallback={<span>jumps to {row.jump.to}, outside</span>}>
            <button
              type="button"
              class="link"
              tabindex="-1"
              onClick={event => {
                event.stopPropagation();
                go(target());
              }}
            >
              jumps to {row.jump.to}
            </button>
          </Show>
          <span class="muted">{jump_words(row.jump)}</span>
        </span>
      );
    }
    return (
      <>
        <Instruction text={row.row.text} search={props.search} />
        <Show when={row.open === false && row.row.calls.length > 0}>
          <span class="source-note">
            <span aria-hidden="true">→ </span>
            <button
              type="button"
              class="link"
              tabindex="-1"
              title={app.full_name(row.row.calls[0]!)}
              onClick={event => {
                event.stopPropagation();
                app.activate(row.row.calls[0]!, 'code');
              }}
            >
              {app.name(row.row.calls[0]!)}
            </button>
            <Show when={row.row.calls[0]!.count !== null}>
              {' '}
              ×{count_text(row.row.calls[0]!.count, row.row.calls[0]!.at_least)}
            </Show>
            <Show when={row.row.calls.length > 1}> and {row.row.calls.length - 1} more</Show>
          </span>
        </Show>
      </>
    );
  }
  function row_text(row: CodeRow): string {
    if (row.is === 'gap') return '';
    if (row.is === 'call') return `${row.call.cost[0] ?? ''}\t${row.call.count ?? ''}\t${row.call.name}`;
    if (row.is === 'jump') return `${row.jump.to}\t${jump_words(row.jump)}`;
    const { address, bytes, text, file, line, self } = row.row;
    return [String(self[0] ?? ''), address, bytes ?? '', text ?? '', `${file}:${line}`].join('\t');
  }
  function menu(row: CodeRow): MenuItem[] {
    if (row.is === 'gap') return [];
    if (row.is === 'call') return function_menu(app, row.call, row_text(row));
    const { file, line } = row.row;
    return [
      ...(file && line > 0
        ? [
            {
              label: `Source: ${printable(base_name(file), 60)}:${line}`,
              run: () => go_to_place(app, null, { ...(file !== props.own_file && { file }), line }, 'function'),
            },
          ]
        : []),
      ...row.row.calls
        .slice(0, 8)
        .map((callee): MenuItem => ({ label: `Go to ${app.name(callee)}`, run: () => app.activate(callee, 'code') })),
      ...row.row.jumps
        .filter(jump => props.code.index_of(jump.to) >= 0)
        .slice(0, 8)
        .map(
          (jump): MenuItem => ({ label: `Follow the jump to ${jump.to}`, run: () => go(props.code.index_of(jump.to)) }),
        ),
      { label: 'Copy row', key: 'Ctrl+C', run: () => void app.copy(row_text(row), 'the row') },
    ];
  }
  // Enter follows: a call into the function, a jump to its target.
  function activate(row: CodeRow) {
    if (row.is === 'gap') return;
    if (row.is === 'call') return app.activate(row.call, 'code');
    const jumps = row.is === 'jump' ? [row.jump] : row.row.jumps;
    const target = jumps.map(jump => props.code.index_of(jump.to)).find(index => index >= 0);
    if (target !== undefined) go(target);
    else if (row.is === 'instruction' && row.row.calls[0]) app.activate(row.row.calls[0], 'code');
  }
  const weights = createMemo(() =>
    instructions().map((row, index) => ({
      at: rows().index_of(props.code.entry_of[index] ?? 0),
      cost: row.self[0] ?? 0,
    })),
  );
  return (
    <div class="source-body">
      <Listing
        label="Machine code"
        columns={columns()}
        rows={{ count: () => rows().count, at: row_at }}
        text_title="Instruction"
        text={text_of}
        text_width={70}
        active={active()}
        on_active={set_active}
        on_activate={activate}
        row_level={row =>
          row.is === 'instruction' ? { level: 1, expanded: row.open } : { level: row.is === 'gap' ? 1 : 2 }
        }
        on_expand={(row, open) => row.is !== 'gap' && expand(row.entry, open)}
        row_class={row => {
          if (row.is === 'gap') return 'code-gap';
          if (row.is !== 'instruction') return 'source-below';
          const cold = is_zero(row.row.self[0] ?? 0) ? 'code-cold' : '';
          return `${cold} ${props.linked?.has(row.index) ? 'source-linked' : ''}`;
        }}
        row_text={row_text}
        on_copy={copied => void app.copy(copied, 'the row')}
        row_menu={menu}
        control={now => {
          control = now;
        }}
        on_sight={set_sight}
      />
      <HeatStrip
        app={app}
        weights={weights()}
        rows={rows().count}
        sight={sight()}
        on_go={at => {
          set_active(at);
          control?.show(at, 'middle');
        }}
      />
    </div>
  );
}

export function place_of(row: InstructionRow, own_file: string): string {
  if (!row.file && row.line === 0) return '';
  const line = row.line === 0 ? '?' : String(row.line);
  return row.file === own_file || !row.file ? line : `${base_name(row.file)}:${line}`;
}

function Place(props: { app: App; row: InstructionRow; own_file: string }): JSX.Element {
  const { row } = props;
  const can_go = row.file !== '' && row.line > 0;
  const text = printable(place_of(row, props.own_file), 60);
  return (
    <Show when={can_go} fallback={<span class="muted">{text}</span>}>
      <button
        type="button"
        class="link name code-place"
        tabindex="-1"
        title={printable(`${row.file}:${row.line}`, 600)}
        onClick={event => {
          event.stopPropagation();
          const file = row.file !== props.own_file ? { file: row.file } : {};
          go_to_place(props.app, null, { ...file, line: row.line }, 'function');
        }}
      >
        {text}
      </button>
    </Show>
  );
}

function Address(props: { row: CodeRow; on_expand(entry: number, open: boolean): void }): JSX.Element {
  return (
    <Show when={props.row.is === 'instruction' && props.row}>
      {row => (
        <>
          <Show when={row().open !== undefined}>
            <button
              type="button"
              class="source-open"
              classList={{ open: row().open === true }}
              tabindex="-1"
              aria-label={row().open ? 'Hide calls and jumps' : 'Show calls and jumps'}
              onClick={event => {
                event.stopPropagation();
                props.on_expand(row().entry, !row().open);
              }}
            >
              <Icon name="right" />
            </button>
          </Show>
          <span class="code-address">{row().row.address.replace(/^0x/, '')}</span>
        </>
      )}
    </Show>
  );
}

function Gutter(props: { row: CodeRow; lanes: ReturnType<typeof jump_lanes>; active: number }): JSX.Element {
  const entry = () => props.row.entry;
  const is_below = () => props.row.is === 'call' || props.row.is === 'jump';
  const pieces = () => {
    return props.lanes
      .at(entry())
      .map(bundle => gutter_piece(bundle, entry(), is_below(), props.lanes.lanes))
      .filter(piece => piece.line !== '');
  };
  return (
    <Show when={pieces().length > 0}>
      <svg class="code-gutter" width={gutter_width(props.lanes.lanes)} height={row_height} aria-hidden="true">
        <For each={pieces()}>
          {({ bundle, line, head }) => (
            <g
              classList={{
                conditional: bundle.conditional,
                active: bundle.to === props.active || bundle.from.includes(props.active),
              }}
            >
              <path d={line} />
              <Show when={head}>
                <path class="head" d={head} />
              </Show>
            </g>
          )}
        </For>
      </svg>
    </Show>
  );
}

function Instruction(props: { text?: string; search: string }): JSX.Element {
  const pieces = () => instruction_pieces(props.text ?? '');
  const found = () => props.search !== '' && (props.text ?? '').toLowerCase().includes(props.search.toLowerCase());
  return (
    <Show when={props.text !== undefined} fallback={<span class="source-odd">text not known</span>}>
      <span classList={{ 'source-found': found() }}>
        <span class="code-mnemonic">{printable(pieces().mnemonic, 60)}</span>
        <For each={pieces().operands}>
          {piece => (
            <span class={piece.kind === 'plain' ? undefined : `syntax-${piece.kind}`}>
              {printable(piece.text, 300)}
            </span>
          )}
        </For>
      </span>
    </Show>
  );
}
