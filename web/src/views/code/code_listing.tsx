// Machine code, each instruction with what it costs, and arrows where it jumps.

import { createMemo, For, type JSX, Show } from 'solid-js';
import type { App } from '../../app/app';
import type { Column } from '../../components/grid';
import { useIsPhone } from '../../components/media';
import type { MenuItem } from '../../components/menu';
import { OpenButton } from '../../components/open_button';
import { instructionPieces } from '../../model/assembly';
import { belowInstruction, type Code, type CodeRow, isNewPlace, longest, weightsOf } from '../../model/code_rows';
import { gutterPiece, gutterWidth, rowHeight } from '../../model/gutter';
import { jumpLanes } from '../../model/jump_lanes';
import { baseName } from '../../model/names';
import { printable } from '../../model/visible';
import { add, type Cost, isZero, larger, subtract } from '../../protocol/cost';
import type { InstructionRow, InstructionsAnswer, Jump } from '../../protocol/protocol';
import { CostListing, changeColumn, costColumn } from '../listings/cost_listing';
import { useFolding } from '../listings/folding';
import { CallLine, CallNote, JumpLine, jumpText, RowLink } from '../listings/row_content';
import { goToPlace } from '../source/places';
import './code_listing.css';

export interface CodeListingProps {
  app: App;
  answer: InstructionsAnswer;
  code: Code;
  active: number; // instruction
  onActive(index: number): void;
  goTo?: { at: number };
  linked?: ReadonlySet<number>; // instructions of the line that is looked at
  hex: boolean;
  unfoldAll: boolean;
  ownFile: string; // of the function: places in it are written without their file
  search: string;
}

export function CodeListing(props: CodeListingProps): JSX.Element {
  const { app } = props;
  const instructions = () => props.answer.rows;
  const compared = () => props.answer.compared?.by;
  const entryOf = (index: number) => props.code.entryOf(index);
  const instructionAt = (entry: number) => {
    const one = props.code.entries[entry];
    return one?.is === 'gap' ? undefined : one?.index;
  };
  const lanes = createMemo(() => jumpLanes(props.code.arrows));
  const below = (entry: number) => {
    const row = instructions()[instructionAt(entry) ?? -1];
    return row ? belowInstruction(row) : 0;
  };
  const folding = useFolding({
    count: () => props.code.entries.length,
    rowOf: entryOf,
    numberAt: instructionAt,
    below,
    foldable: () => [...instructions().keys()],
    unfoldAll: () => props.unfoldAll,
    active: () => props.active,
    onActive: index => props.onActive(index),
    goTo: () => props.goTo,
    anew: () => props.code,
  });
  function rowAt(entry: number, sub: number, open: boolean | undefined): CodeRow {
    const one = props.code.entries[entry];
    if (!one || one.is === 'gap') return { is: 'gap', entry };
    if (one.is === 'removed') return { ...one, entry };
    const { index } = one;
    const row = instructions()[index]!;
    if (sub === 0) return { is: 'instruction', entry, index, row, open };
    const call = row.calls[sub - 1];
    if (call) return { is: 'call', entry, index, row, call };
    return { is: 'jump', entry, index, row, jump: row.jumps[sub - 1 - row.calls.length]! };
  }

  const whole = createMemo(() =>
    app.measure
      .columns()
      .map((_, column) => instructions().reduce<Cost>((sum, row) => add(sum, row.self[column] ?? 0), 0)),
  );
  const most = createMemo(() => instructions().reduce<Cost>((most, row) => larger(most, row.self[0] ?? 0), 0));
  const selfColumn = (column: number) =>
    costColumn<CodeRow>(app, column, 'Self', 'Self cost; for calls: cost of the call', {
      cost: row =>
        (row.is === 'instruction' ? row.row.self[column] : row.is === 'call' ? row.call.cost[column] : undefined) ??
        null,
      whole: () => whole()[column] ?? 0,
      most,
    });
  const digits = createMemo(() => longest(instructions(), row => row.address, 8, 18) - 2);
  const mostBytes = createMemo(() => longest(instructions(), row => row.bytes, 5, 32));
  const placeWidth = createMemo(() => longest(instructions(), row => placeOf(row, props.ownFile), 5, 21) + 1);
  const changed = (row: CodeRow): [Cost, Cost] | null => {
    if (row.is === 'removed') return [row.row.self_before[0] ?? 0, 0];
    return row.is === 'instruction' ? [row.row.self_before?.[0] ?? 0, row.row.self[0] ?? 0] : null;
  };
  const isPhone = useIsPhone();
  const all = (): Column<CodeRow>[] => [
    ...(compared() ? [changeColumn<CodeRow>(app, { costs: changed, most })] : []),
    ...(compared() && isPhone() ? [] : [selfColumn(0)]),
    ...(app.measure.columns().length > 1 ? [selfColumn(1)] : []),
    {
      id: 'place',
      title: 'Line',
      hint: 'Source position, where it changes',
      width: `${placeWidth()}ch`,
      cell: row => (
        <>
          <Show when={row.is === 'instruction' && isNewPlace(instructions(), row.index) && row}>
            {one => <Place app={app} row={one().row} ownFile={props.ownFile} />}
          </Show>
          <Show when={row.is === 'removed' && row.row}>
            {one => <span class="muted">{printable(oldPlaceOf(one(), props.ownFile), 60)}</span>}
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
            <Show when={row.is === 'removed' && row.row.address_before}>
              {address => (
                <span class="code-address" title="Old address">
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
                  onOpen={open => folding.expand(one().index, open)}
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
      width: `${gutterWidth(lanes().lanes)}px`,
      cell: row => <Gutter row={row} lanes={lanes()} active={entryOf(props.active)} />,
    },
    ...(props.hex
      ? [
          {
            id: 'hex',
            title: 'Bytes',
            width: `${mostBytes()}ch`,
            cell: (row: CodeRow) => (
              <Show when={(row.is === 'instruction' || row.is === 'removed') && row.row.bytes}>
                {bytes => <span class="code-bytes">{printable(bytes(), 60)}</span>}
              </Show>
            ),
          },
        ]
      : []),
  ];

  // On a phone the instructions need the room that source positions have.
  const columns = createMemo(() => all().filter(column => !isPhone() || column.id !== 'place'));

  const targetOf = (jump: Jump) => {
    const index = props.code.indexOf(jump.to);
    return index >= 0 ? index : undefined;
  };
  // Within one build, an unmatched instruction was not executed.
  function signOf(row: InstructionRow): Sign | undefined {
    if (!compared()) return undefined;
    return compared() === 'text' && row.address_before === undefined ? '+' : ' ';
  }
  function textOf(row: CodeRow): JSX.Element {
    if (row.is === 'gap') return <span class="source-odd">⋯ code not shown</span>;
    if (row.is === 'removed') return <Instruction text={row.row.text} search={props.search} sign="−" />;
    if (row.is === 'call') return <CallLine app={app} call={row.call} view="code" />;
    if (row.is === 'jump') {
      const target = targetOf(row.jump);
      if (target === undefined) return <JumpLine jump={row.jump} target={`${row.jump.to}, outside`} />;
      return <JumpLine jump={row.jump} target={row.jump.to} onGo={() => folding.go(target)} />;
    }
    const { calls, text } = row.row;
    return (
      <>
        <Instruction text={text} search={props.search} sign={signOf(row.row)} />
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
  function rowText(row: CodeRow): string {
    if (row.is === 'gap') return '';
    if (row.is === 'call') return `${row.call.cost[0] ?? ''}\t${row.call.count ?? ''}\t${row.call.name}`;
    if (row.is === 'jump') return `${row.jump.to}\t${jumpText(row.jump)}`;
    if (row.is === 'removed') {
      const { address_before: addressBefore, bytes, text, file, line, self_before: selfBefore } = row.row;
      const change = subtract(0, selfBefore[0] ?? 0);
      return [String(change), addressBefore, bytes ?? '', `− ${text ?? ''}`, `${file}:${line}`].join('\t');
    }
    const { address, bytes, text, file, line, self } = row.row;
    return [String(self[0] ?? ''), address, bytes ?? '', text ?? '', `${file}:${line}`].join('\t');
  }
  function menu(row: CodeRow): MenuItem[] {
    if (row.is === 'gap' || row.is === 'removed') return [];
    const { file, line, calls, jumps } = row.row;
    const source = `Source: ${printable(baseName(file), 60)}:${line}`;
    return [
      ...(file && line > 0 ? [{ label: source, run: () => goToLine(app, row.row, props.ownFile) }] : []),
      ...calls.slice(0, 8).map(
        (callee): MenuItem => ({
          label: `Go to ${app.names.short(callee)}`,
          run: () => app.selection.activate(callee, 'code'),
        }),
      ),
      ...jumps
        .flatMap((jump): MenuItem[] => {
          const target = targetOf(jump);
          return target === undefined
            ? []
            : [{ label: `Follow the jump to ${jump.to}`, run: () => folding.go(target) }];
        })
        .slice(0, 8),
    ];
  }
  // Enter follows: a call into the function, a jump to its target.
  function activate(row: CodeRow) {
    if (row.is === 'gap' || row.is === 'removed') return;
    if (row.is === 'call') return app.selection.activate(row.call, 'code');
    const jumps = row.is === 'jump' ? [row.jump] : row.row.jumps;
    const target = jumps.map(targetOf).find(index => index !== undefined);
    if (target !== undefined) folding.go(target);
    else if (row.is === 'instruction' && row.row.calls[0]) app.selection.activate(row.row.calls[0], 'code');
  }
  return (
    <CostListing
      app={app}
      label="Machine code"
      folding={folding}
      row={rowAt}
      below={below}
      numberOf={row => (row.is === 'gap' ? undefined : row.index)}
      columns={columns()}
      textTitle="Instruction"
      text={textOf}
      textWidth={70}
      weights={weightsOf(props.code, instructions(), app.measure.comparing())}
      linked={props.linked}
      rowClass={row =>
        row.is === 'gap' || row.is === 'removed'
          ? `code-${row.is}`
          : row.is === 'instruction' && isZero(row.row.self[0] ?? 0)
            ? 'code-cold'
            : ''
      }
      rowText={rowText}
      onActivate={activate}
      menu={menu}
    />
  );
}

export function placeOf(row: { file: string; line: number }, ownFile: string): string {
  if (!row.file && row.line === 0) return '';
  const line = row.line === 0 ? '?' : String(row.line);
  return row.file === ownFile || !row.file ? line : `${baseName(row.file)}:${line}`;
}

// Another build has its sources elsewhere.
function oldPlaceOf({ file, line }: { file: string; line: number }, ownFile: string): string {
  return placeOf({ file: baseName(file) === baseName(ownFile) ? ownFile : file, line }, ownFile);
}

function goToLine(app: App, { file, line }: InstructionRow, ownFile: string) {
  goToPlace(app, null, { ...(file !== ownFile && { file }), line }, 'function');
}

function Place(props: { app: App; row: InstructionRow; ownFile: string }): JSX.Element {
  const { row } = props;
  const canGo = row.file !== '' && row.line > 0;
  const text = printable(placeOf(row, props.ownFile), 60);
  return (
    <Show when={canGo} fallback={<span class="muted">{text}</span>}>
      <RowLink
        class="name code-place"
        title={printable(`${row.file}:${row.line}`, 600)}
        onGo={() => goToLine(props.app, row, props.ownFile)}
      >
        {text}
      </RowLink>
    </Show>
  );
}

function Gutter(props: { row: CodeRow; lanes: ReturnType<typeof jumpLanes>; active: number }): JSX.Element {
  const entry = () => props.row.entry;
  const isBelow = () => props.row.is === 'call' || props.row.is === 'jump';
  const pieces = () => {
    return props.lanes
      .at(entry())
      .map(bundle => gutterPiece(bundle, entry(), isBelow(), props.lanes.lanes))
      .filter(piece => piece.line !== '');
  };
  return (
    <Show when={pieces().length > 0}>
      <svg class="code-gutter" width={gutterWidth(props.lanes.lanes)} height={rowHeight} aria-hidden="true">
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

type Sign = '+' | '−' | ' '; // new, removed, neither
const signText: Record<Sign, string | undefined> = { '+': 'new', '−': 'only in the old profile', ' ': undefined };

function Instruction(props: { text?: string; search: string; sign?: Sign }): JSX.Element {
  const pieces = () => instructionPieces(props.text ?? '');
  const found = () => props.search !== '' && (props.text ?? '').toLowerCase().includes(props.search.toLowerCase());
  return (
    <>
      <Show when={props.sign}>
        {sign => (
          <span class="code-sign" title={signText[sign()]}>
            {sign()}
          </span>
        )}
      </Show>
      <Show when={props.text !== undefined} fallback={<span class="source-odd">unknown instruction</span>}>
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
