// A source file, each line with what it costs; calls and jumps unfold below their lines.

import { createMemo, For, type JSX, Show } from 'solid-js';
import type { App } from '../../app/app';
import type { Column } from '../../components/grid';
import { useIsPhone } from '../../components/media';
import type { MenuItem } from '../../components/menu';
import { OpenButton } from '../../components/open_button';
import { weightOf } from '../../model/code_rows';
import { counted, exact } from '../../model/format';
import { baseName } from '../../model/names';
import { belowLine, largest, rowBelow, type SourceRow, selfOf, shownLine, sourceLines } from '../../model/source_rows';
import { sourceText } from '../../model/source_text';
import { cutOff, piecesOfLine } from '../../model/syntax';
import { printable, visibleCode } from '../../model/visible';
import { add } from '../../protocol/cost';
import type { Costs, InlinedLine, SourceAnswer } from '../../protocol/protocol';
import { CostListing, changeColumn, costColumn } from '../listings/cost_listing';
import { useFolding } from '../listings/folding';
import { CallLine, CallNote, JumpLine, jumpText, RowLink } from '../listings/row_content';
import { useColors } from './colors';
import { goToPlace, rememberFiles } from './places';
import './source_listing.css';

export interface SourceListingProps {
  app: App;
  answer: SourceAnswer;
  line: number; // the active one
  onLine(line: number): void;
  goTo?: { at: number }; // a line to scroll to when this changes
  linked?: ReadonlySet<number>; // lines that correspond to the active row elsewhere
  unfoldAll: boolean;
  search: string;
}

function CodeText(props: { text: string; begin: number; tokens: Uint32Array | null; search: string }): JSX.Element {
  const pieces = () => piecesOfLine(props.text, props.begin, props.tokens);
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
      <Show when={cutOff(props.text) > 0}>
        <span class="source-cut"> … {counted(cutOff(props.text), 'more character')}</span>
      </Show>
    </span>
  );
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
      {piece => (piece.found ? <mark class="source-found">{visibleCode(piece.text)}</mark> : visibleCode(piece.text))}
    </For>
  );
}

export function SourceListing(props: SourceListingProps): JSX.Element {
  const { app } = props;
  const file = createMemo(() => props.answer.file.name);
  const wholeText = createMemo(() => props.answer.text);
  const text = createMemo(() => {
    const now = wholeText();
    return now === null ? null : sourceText(now);
  });
  const tokens = useColors(file, wholeText);
  const lines = createMemo(() => sourceLines(props.answer.lines, text()?.count ?? null));
  const below = (row: number) => belowLine(lines().lineAt(row));
  const folding = useFolding({
    count: () => lines().count,
    rowOf: number => lines().rowOf(number),
    numberAt: row => lines().numberOf(row),
    below,
    foldable: () => props.answer.lines.map(line => line.line),
    unfoldAll: () => props.unfoldAll,
    active: () => props.line,
    onActive: number => props.onLine(number),
    goTo: () => props.goTo,
    anew: createMemo(() => [file(), text()]),
  });
  function row(at: number, sub: number, open: boolean | undefined): SourceRow {
    const number = lines().numberOf(at);
    const line = lines().lineAt(at);
    if (sub > 0 && line) return rowBelow(number, line, sub);
    return { is: 'line', number, line, inText: lines().inText(at), open };
  }

  const most = createMemo(() => ({
    self: largest(props.answer.lines, line => selfOf(line)[0]),
    withCalls: largest(props.answer.lines, line => line.with_calls[0]),
  }));
  const whole = (column: number) => add(props.answer.self[column] ?? 0, props.answer.inlined?.self[column] ?? 0);
  const selfColumn = (column: number) =>
    costColumn<SourceRow>(app, column, 'Self', 'Self cost of the line, with code inlined at it', {
      cost: row =>
        (row.is === 'line'
          ? row.line && selfOf(row.line)[column]
          : row.is === 'inlined'
            ? row.code.self[column]
            : null) ?? null,
      whole: () => whole(column),
      most: () => most().self,
    });
  const withCallsColumn = () =>
    costColumn<SourceRow>(app, 0, 'With calls', 'Self cost and cost of calls from the line', {
      cost: row =>
        (row.is === 'line'
          ? row.line?.with_calls[0]
          : row.is === 'call'
            ? row.call.cost[0]
            : row.is === 'inlined'
              ? withCalls(row.code)
              : undefined) ?? null,
      whole: () => whole(0),
      most: () => most().withCalls,
    });
  const hasCalls = () => app.profile().has.calls;
  const hasInlined = createMemo(() => props.answer.lines.some(line => line.inlined));
  const isPhone = useIsPhone();
  // On a phone there is room for one number beside the text.
  const columns = createMemo<Column<SourceRow>[]>(() => [
    ...(app.measure.comparing()
      ? [
          changeColumn<SourceRow>(app, {
            costs: row => (row.is === 'line' ? [row.line?.self_before?.[0] ?? 0, row.line?.self[0] ?? 0] : null),
            most: () => most().self,
            hint: '. Moved lines are matched by order and cost, so a match may be wrong',
          }),
        ]
      : []),
    ...(isPhone() && (hasCalls() || app.measure.comparing()) ? [] : [selfColumn(0)]),
    ...(hasCalls() && !(isPhone() && app.measure.comparing()) ? [withCallsColumn()] : []),
    ...(app.measure.columns().length > 1 && !isPhone() ? [selfColumn(1)] : []),
    ...(hasInlined()
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
      width: `${Math.max(4, String(lines().numberOf(Math.max(0, lines().count - 1))).length) + 3}ch`,
      cell: row => (
        <Show when={row.is === 'line' && row}>
          {line => (
            <>
              <Show when={line().open !== undefined}>
                <OpenButton
                  open={line().open === true}
                  what="calls, jumps and inlined code"
                  onOpen={open => folding.expand(line().number, open)}
                />
              </Show>
              <span class="source-number">{line().number || '?'}</span>
            </>
          )}
        </Show>
      ),
    },
  ]);

  const name = (code: InlinedLine) => printable((app.state.shorten && code.short) || code.function || '', 200);
  function goToInlined({ file, line }: InlinedLine) {
    rememberFiles(app, [file]);
    goToPlace(app, null, { file: file.name, line }, 'function');
  }
  const inlinedProblem = () => {
    const { message = '', hint = '' } = props.answer.inlined?.problem ?? {};
    return hint ? `${message}: ${hint}` : message;
  };

  function textOf(row: SourceRow): JSX.Element {
    if (row.is === 'call') {
      const line = <CallLine app={app} call={row.call} view="source" />;
      return row.inlined ? <span class="source-inner">{line}</span> : line;
    }
    if (row.is === 'inlined')
      return <InlinedText code={row.code} short={name(row.code)} onGo={() => goToInlined(row.code)} />;
    if (row.is === 'jump') {
      const { file, to } = row.jump;
      if (file) return <JumpLine jump={row.jump} target={`${printable(baseName(file), 80)}:${to}`} />;
      return <JumpLine jump={row.jump} target={`line ${to}`} onGo={() => folding.go(to)} />;
    }
    const now = text();
    if (row.number === 0)
      return (
        <span class="source-odd" title={printable(inlinedProblem(), 600)}>
          {row.line?.inlined_code ? 'inlined, it is not known where' : 'unknown line'}
        </span>
      );
    if (!now) return <FoldedNote app={app} row={row} />;
    if (!row.inText) return <span class="source-odd">beyond the end of the file</span>;
    return (
      <>
        <CodeText text={now.line(row.number)} begin={now.begin(row.number)} tokens={tokens()} search={props.search} />
        <FoldedNote app={app} row={row} />
      </>
    );
  }
  function rowText(row: SourceRow): string {
    if (row.is === 'call')
      return [exact(row.call.cost[0] ?? 0), String(row.call.count ?? ''), row.call.name].join('\t');
    if (row.is === 'jump') return `${jumpText(row.jump)}\t${row.jump.to}`;
    if (row.is === 'inlined')
      return [exact(row.code.self[0] ?? 0), `${row.code.file.name}:${row.code.line}`, row.code.function].join('\t');
    const plain = (costs: Costs | undefined) => String(costs?.[0] ?? '');
    return [
      row.number,
      plain(row.line && selfOf(row.line)),
      plain(row.line?.with_calls),
      text()?.line(row.number) ?? '',
    ].join('\t');
  }
  function menu(row: SourceRow): MenuItem[] {
    const callees = row.is === 'line' ? (row.line?.calls ?? []) : [];
    return [
      ...callees.slice(0, 12).map(
        (callee): MenuItem => ({
          label: `Go to ${app.names.short(callee)}`,
          run: () => app.selection.activate(callee, 'source'),
        }),
      ),
      {
        label: 'Copy location',
        run: () => void app.copy(`${props.answer.path || file()}:${row.number}`, 'the location'),
      },
    ];
  }
  function activate(row: SourceRow) {
    if (row.is === 'call') app.selection.activate(row.call, 'source');
    else if (row.is === 'jump') folding.go(row.jump.to);
    else if (row.is === 'inlined') goToInlined(row.code);
    else if (row.open !== undefined) folding.expand(row.number, !row.open);
  }

  return (
    <CostListing
      app={app}
      label={`Source of ${printable(baseName(file()) || 'an unknown file', 120)}`}
      folding={folding}
      row={row}
      below={below}
      numberOf={row => row.number}
      columns={columns()}
      textTitle={text() ? 'Source' : 'Calls'}
      text={textOf}
      textWidth={text()?.widest ?? 20}
      weights={props.answer.lines.map(line => ({
        at: line.line,
        cost: weightOf(shownLine(line), app.measure.comparing()),
      }))}
      linked={props.linked}
      rowText={rowText}
      onActivate={activate}
      menu={menu}
    />
  );
}

function withCalls({ self, calls }: InlinedLine) {
  return calls.reduce((sum, call) => (call.counted_again ? sum : add(sum, call.cost[0] ?? 0)), self[0] ?? 0);
}

function InlinedText(props: { code: InlinedLine; short: string; onGo(): void }): JSX.Element {
  const place = () => `${baseName(props.code.file.name) || '(unknown file)'}:${props.code.line || '?'}`;
  return (
    <span class="source-call" title={printable(props.code.function ?? '', 4000)}>
      <span aria-hidden="true">⊂</span>
      <RowLink title={printable(`${props.code.file.name}:${props.code.line}`, 600)} onGo={props.onGo}>
        {printable(place(), 120)}
      </RowLink>
      <span class="muted">{props.short}</span>
    </span>
  );
}

function FoldedNote(props: { app: App; row: Extract<SourceRow, { is: 'line' }> }): JSX.Element {
  const calls = () => (props.row.open === false ? (props.row.line?.calls ?? []) : []);
  const inlined = () => (props.row.open === false ? (props.row.line?.inlined_code?.length ?? 0) : 0);
  return (
    <>
      <Show when={calls()[0]}>
        {call => (
          <span class="source-note">
            <span aria-hidden="true">→ </span>
            <Show when={calls().length === 1} fallback={counted(calls().length, 'function')}>
              <CallNote app={props.app} call={call()} view="source" />
            </Show>
          </span>
        )}
      </Show>
      <Show when={inlined() > 0}>
        <span class="source-note">⊂ {counted(inlined(), 'inlined line')}</span>
      </Show>
    </>
  );
}
