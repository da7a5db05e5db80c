// Machine code, each instruction with what it costs, and arrows where it jumps.

import { createMemo, For, type JSX, Show } from 'solid-js';
import type { App } from '../../app';
import type { Column } from '../../components/grid';
import type { MenuItem } from '../../components/menu';
import { OpenButton } from '../../components/open_button';
import type { InstructionRow, InstructionsAnswer, Jump } from '../../engine/protocol';
import { instruction_pieces } from '../../model/assembly';
import { below_instruction, type Code, type CodeRow, is_new_place, longest, weights_of } from '../../model/code_rows';
import { add, type Cost, is_zero, larger, subtract } from '../../model/cost';
import { gutter_piece, gutter_width, row_height } from '../../model/gutter';
import { jump_lanes } from '../../model/jump_lanes';
import { base_name } from '../../model/names';
import { printable } from '../../model/visible';
import { CostListing, change_column, cost_column } from '../listings/cost_listing';
import { use_folding } from '../listings/folding';
import { CallLine, CallNote, JumpLine, jump_words, RowLink } from '../listings/pieces';
import { go_to_place } from '../source/places';
import './code_listing.css';

export interface CodeListingProps {
  app: App;
  answer: InstructionsAnswer;
  code: Code;
  active: number; // instruction
  on_active(index: number): void;
  go_to?: { at: number };
  linked?: ReadonlySet<number>; // instructions of the line that is looked at
  hex: boolean;
  unfold_all: boolean;
  own_file: string; // of the function: places in it are written without their file
  search: string;
}

export function CodeListing(props: CodeListingProps): JSX.Element {
  const { app } = props;
  const instructions = () => props.answer.rows;
  const compared = () => props.answer.compared?.by;
  const entry_of = (index: number) => props.code.entry_of(index);
  const instruction_at = (entry: number) => {
    const one = props.code.entries[entry];
    return one?.is === 'gap' ? undefined : one?.index;
  };
  const lanes = createMemo(() => jump_lanes(props.code.arrows));
  const below = (entry: number) => {
    const row = instructions()[instruction_at(entry) ?? -1];
    return row ? below_instruction(row) : 0;
  };
  const folding = use_folding({
    count: () => props.code.entries.length,
    row_of: entry_of,
    number_at: instruction_at,
    below,
    foldable: () => [...instructions().keys()],
    unfold_all: () => props.unfold_all,
    active: () => props.active,
    on_active: index => props.on_active(index),
    go_to: () => props.go_to,
    anew: () => props.code,
  });
  function row_at(entry: number, sub: number, open: boolean | undefined): CodeRow {
    const one = props.code.entries[entry];
    if (!one || one.is === 'gap') return { is: 'gap', entry };
    if (one.is === 'gone') return { ...one, entry };
    const { index } = one;
    const row = instructions()[index]!;
    if (sub === 0) return { is: 'instruction', entry, index, row, open };
    const call = row.calls[sub - 1];
    if (call) return { is: 'call', entry, index, row, call };
    return { is: 'jump', entry, index, row, jump: row.jumps[sub - 1 - row.calls.length]! };
  }

  const whole = createMemo(() =>
    app.columns().map((_, column) => instructions().reduce<Cost>((sum, row) => add(sum, row.self[column] ?? 0), 0)),
  );
  const most = createMemo(() => instructions().reduce<Cost>((most, row) => larger(most, row.self[0] ?? 0), 0));
  const self_column = (column: number) =>
    cost_column<CodeRow>(app, column, 'Self', 'What the instruction cost itself; for calls: what was called', {
      cost: row =>
        (row.is === 'instruction' ? row.row.self[column] : row.is === 'call' ? row.call.cost[column] : undefined) ??
        null,
      whole: () => whole()[column] ?? 0,
      most,
    });
  const digits = createMemo(() => longest(instructions(), row => row.address, 8, 18) - 2);
  const most_bytes = createMemo(() => longest(instructions(), row => row.bytes, 5, 32));
  const place_width = createMemo(() => longest(instructions(), row => place_of(row, props.own_file), 5, 21) + 1);
  const changed = (row: CodeRow): [Cost, Cost] | null => {
    if (row.is === 'gone') return [row.row.self_before[0] ?? 0, 0];
    return row.is === 'instruction' ? [row.row.self_before?.[0] ?? 0, row.row.self[0] ?? 0] : null;
  };
  const columns = createMemo<Column<CodeRow>[]>(() => [
    ...(compared() ? [change_column<CodeRow>(app, { costs: changed, most })] : []),
    self_column(0),
    ...(app.columns().length > 1 ? [self_column(1)] : []),
    {
      id: 'place',
      title: 'Line',
      hint: 'Source position, where it changes',
      width: `${place_width()}ch`,
      cell: row => (
        <>
          <Show when={row.is === 'instruction' && is_new_place(instructions(), row.index) && row}>
            {one => <Place app={app} row={one().row} own_file={props.own_file} />}
          </Show>
          <Show when={row.is === 'gone' && row.row}>
            {one => <span class="muted">{printable(old_place_of(one(), props.own_file), 60)}</span>}
          </Show>
        </>
      ),
    },
    {
      id: 'address',
      title: 'Address',
      numeric: true,
      width: `${digits() + 4}ch`,
      cell: row => (
        <Show
          when={row.is === 'instruction' && row}
          fallback={
            <Show when={row.is === 'gone' && row.row.address_before}>
              {address => (
                <span class="code-address" title="Its address before">
                  {address().replace(/^0x/, '')}
                </span>
              )}
            </Show>
          }
        >
          {one => (
            <>
              <Show when={one().open !== undefined}>
                <OpenButton
                  open={one().open === true}
                  what="calls and jumps"
                  on_open={open => folding.expand(one().index, open)}
                />
              </Show>
              <span class="code-address">{one().row.address.replace(/^0x/, '')}</span>
            </>
          )}
        </Show>
      ),
    },
    {
      id: 'arrows',
      title: <span class="offscreen">Jumps</span>,
      width: `${gutter_width(lanes().lanes)}px`,
      cell: row => <Gutter row={row} lanes={lanes()} active={entry_of(props.active)} />,
    },
    ...(props.hex
      ? [
          {
            id: 'hex',
            title: 'Bytes',
            width: `${most_bytes()}ch`,
            cell: (row: CodeRow) => (
              <Show when={(row.is === 'instruction' || row.is === 'gone') && row.row.bytes}>
                {bytes => <span class="code-bytes">{printable(bytes(), 60)}</span>}
              </Show>
            ),
          },
        ]
      : []),
  ]);

  const target_of = (jump: Jump) => {
    const index = props.code.index_of(jump.to);
    return index >= 0 ? index : undefined;
  };
  // Of one build, what was not there was not executed.
  function sign_of(row: InstructionRow): Sign | undefined {
    if (!compared()) return undefined;
    return compared() === 'text' && row.address_before === undefined ? '+' : ' ';
  }
  function text_of(row: CodeRow): JSX.Element {
    if (row.is === 'gap') return <span class="source-odd">⋯ code between is not shown</span>;
    if (row.is === 'gone') return <Instruction text={row.row.text} search={props.search} sign="−" />;
    if (row.is === 'call') return <CallLine app={app} call={row.call} view="code" />;
    if (row.is === 'jump') {
      const target = target_of(row.jump);
      if (target === undefined) return <JumpLine jump={row.jump} target={`${row.jump.to}, outside`} />;
      return <JumpLine jump={row.jump} target={row.jump.to} on_go={() => folding.go(target)} />;
    }
    const { calls, text } = row.row;
    return (
      <>
        <Instruction text={text} search={props.search} sign={sign_of(row.row)} />
        <Show when={row.open === false && calls[0]}>
          {call => (
            <span class="source-note">
              <span aria-hidden="true">→ </span>
              <CallNote app={app} call={call()} view="code" />
              <Show when={calls.length > 1}> and {calls.length - 1} more</Show>
            </span>
          )}
        </Show>
      </>
    );
  }
  function row_text(row: CodeRow): string {
    if (row.is === 'gap') return '';
    if (row.is === 'call') return `${row.call.cost[0] ?? ''}\t${row.call.count ?? ''}\t${row.call.name}`;
    if (row.is === 'jump') return `${row.jump.to}\t${jump_words(row.jump)}`;
    if (row.is === 'gone') {
      const { address_before, bytes, text, file, line, self_before } = row.row;
      const change = subtract(0, self_before[0] ?? 0);
      return [String(change), address_before, bytes ?? '', `− ${text ?? ''}`, `${file}:${line}`].join('\t');
    }
    const { address, bytes, text, file, line, self } = row.row;
    return [String(self[0] ?? ''), address, bytes ?? '', text ?? '', `${file}:${line}`].join('\t');
  }
  function menu(row: CodeRow): MenuItem[] {
    if (row.is === 'gap' || row.is === 'gone') return [];
    const { file, line, calls, jumps } = row.row;
    const source = `Source: ${printable(base_name(file), 60)}:${line}`;
    return [
      ...(file && line > 0 ? [{ label: source, run: () => go_to_line(app, row.row, props.own_file) }] : []),
      ...calls
        .slice(0, 8)
        .map((callee): MenuItem => ({ label: `Go to ${app.name(callee)}`, run: () => app.activate(callee, 'code') })),
      ...jumps
        .flatMap((jump): MenuItem[] => {
          const target = target_of(jump);
          return target === undefined
            ? []
            : [{ label: `Follow the jump to ${jump.to}`, run: () => folding.go(target) }];
        })
        .slice(0, 8),
    ];
  }
  // Enter follows: a call into the function, a jump to its target.
  function activate(row: CodeRow) {
    if (row.is === 'gap' || row.is === 'gone') return;
    if (row.is === 'call') return app.activate(row.call, 'code');
    const jumps = row.is === 'jump' ? [row.jump] : row.row.jumps;
    const target = jumps.map(target_of).find(index => index !== undefined);
    if (target !== undefined) folding.go(target);
    else if (row.is === 'instruction' && row.row.calls[0]) app.activate(row.row.calls[0], 'code');
  }
  return (
    <CostListing
      app={app}
      label="Machine code"
      folding={folding}
      row={row_at}
      below={below}
      number_of={row => (row.is === 'gap' ? undefined : row.index)}
      columns={columns()}
      text_title="Instruction"
      text={text_of}
      text_width={70}
      weights={weights_of(props.code, instructions(), app.comparing())}
      linked={props.linked}
      row_class={row =>
        row.is === 'gap' || row.is === 'gone'
          ? `code-${row.is}`
          : row.is === 'instruction' && is_zero(row.row.self[0] ?? 0)
            ? 'code-cold'
            : ''
      }
      row_text={row_text}
      on_activate={activate}
      menu={menu}
    />
  );
}

export function place_of(row: { file: string; line: number }, own_file: string): string {
  if (!row.file && row.line === 0) return '';
  const line = row.line === 0 ? '?' : String(row.line);
  return row.file === own_file || !row.file ? line : `${base_name(row.file)}:${line}`;
}

// Another build has its sources elsewhere.
function old_place_of({ file, line }: { file: string; line: number }, own_file: string): string {
  return place_of({ file: base_name(file) === base_name(own_file) ? own_file : file, line }, own_file);
}

function go_to_line(app: App, { file, line }: InstructionRow, own_file: string) {
  go_to_place(app, null, { ...(file !== own_file && { file }), line }, 'function');
}

function Place(props: { app: App; row: InstructionRow; own_file: string }): JSX.Element {
  const { row } = props;
  const can_go = row.file !== '' && row.line > 0;
  const text = printable(place_of(row, props.own_file), 60);
  return (
    <Show when={can_go} fallback={<span class="muted">{text}</span>}>
      <RowLink
        class="name code-place"
        title={printable(`${row.file}:${row.line}`, 600)}
        on_go={() => go_to_line(props.app, row, props.own_file)}
      >
        {text}
      </RowLink>
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

type Sign = '+' | '−' | ' '; // new, gone, neither
const sign_words: Record<Sign, string | undefined> = { '+': 'new', '−': 'only before', ' ': undefined };

function Instruction(props: { text?: string; search: string; sign?: Sign }): JSX.Element {
  const pieces = () => instruction_pieces(props.text ?? '');
  const found = () => props.search !== '' && (props.text ?? '').toLowerCase().includes(props.search.toLowerCase());
  return (
    <>
      <Show when={props.sign}>
        {sign => (
          <span class="code-sign" title={sign_words[sign()]}>
            {sign()}
          </span>
        )}
      </Show>
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
    </>
  );
}
