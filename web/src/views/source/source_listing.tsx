// A source file, each line with what it costs; calls and jumps unfold below their lines.

import { createMemo, For, type JSX, Show } from 'solid-js';
import type { App } from '../../app';
import type { Column } from '../../components/grid';
import type { MenuItem } from '../../components/menu';
import { OpenButton } from '../../components/open_button';
import type { Costs, SourceAnswer } from '../../engine/protocol';
import { weight_of } from '../../model/code_rows';
import { counted, exact } from '../../model/format';
import { base_name } from '../../model/names';
import { below_line, largest, row_below, type SourceRow, source_lines } from '../../model/source_rows';
import { source_text } from '../../model/source_text';
import { cut_off, pieces_of_line } from '../../model/syntax';
import { printable, visible } from '../../model/visible';
import { CostListing, change_column, cost_column } from '../listings/cost_listing';
import { use_folding } from '../listings/folding';
import { CallLine, CallNote, JumpLine, jump_words } from '../listings/pieces';
import { use_colours } from './colours';
import './source_listing.css';

export interface SourceListingProps {
  app: App;
  answer: SourceAnswer;
  line: number; // the active one
  on_line(line: number): void;
  go_to?: { at: number }; // a line to be brought in sight, when this changes
  linked?: ReadonlySet<number>; // lines that belong to what is active elsewhere
  unfold_all: boolean;
  search: string;
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
  const file = createMemo(() => props.answer.file.name);
  const whole_text = createMemo(() => props.answer.text);
  const text = createMemo(() => {
    const now = whole_text();
    return now === null ? null : source_text(now);
  });
  const tokens = use_colours(file, whole_text);
  const lines = createMemo(() => source_lines(props.answer.lines, text()?.count ?? null));
  const below = (row: number) => below_line(lines().line_at(row));
  const folding = use_folding({
    count: () => lines().count,
    row_of: number => lines().row_of(number),
    number_at: row => lines().number_of(row),
    below,
    foldable: () => props.answer.lines.map(line => line.line),
    unfold_all: () => props.unfold_all,
    active: () => props.line,
    on_active: number => props.on_line(number),
    go_to: () => props.go_to,
    anew: createMemo(() => [file(), text()]),
  });
  function row(at: number, sub: number, open: boolean | undefined): SourceRow {
    const number = lines().number_of(at);
    const line = lines().line_at(at);
    if (sub > 0 && line) return row_below(number, line, sub);
    return { is: 'line', number, line, in_text: lines().in_text(at), open };
  }

  const most = createMemo(() => ({
    self: largest(props.answer.lines, line => line.self[0]),
    with_calls: largest(props.answer.lines, line => line.with_calls[0]),
  }));
  const self_column = (column: number) =>
    cost_column<SourceRow>(app, column, 'Self', 'What the code of the line cost itself', {
      cost: row => (row.is === 'line' ? (row.line?.self[column] ?? null) : null),
      whole: () => props.answer.self[column] ?? 0,
      most: () => most().self,
    });
  const with_calls_column = () =>
    cost_column<SourceRow>(app, 0, 'With calls', 'Self, and all that is called from the line', {
      cost: row =>
        (row.is === 'line' ? row.line?.with_calls[0] : row.is === 'call' ? row.call.cost[0] : undefined) ?? null,
      whole: () => props.answer.self[0] ?? 0,
      most: () => most().with_calls,
    });
  const has_calls = () => app.profile().has.calls;
  const has_inlined = createMemo(() => props.answer.lines.some(line => line.inlined));
  const columns = createMemo<Column<SourceRow>[]>(() => [
    ...(app.comparing()
      ? [
          change_column<SourceRow>(app, {
            costs: row => (row.is === 'line' ? [row.line?.self_before?.[0] ?? 0, row.line?.self[0] ?? 0] : null),
            most: () => most().self,
            hint: '. Lines that have moved are found again by their order and cost, so one may stand for another',
          }),
        ]
      : []),
    self_column(0),
    ...(has_calls() ? [with_calls_column()] : []),
    ...(app.columns().length > 1 ? [self_column(1)] : []),
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
      cell: row => (
        <Show when={row.is === 'line' && row}>
          {line => (
            <>
              <Show when={line().open !== undefined}>
                <OpenButton
                  open={line().open === true}
                  what="calls and jumps"
                  on_open={open => folding.expand(line().number, open)}
                />
              </Show>
              <span class="source-number">{line().number || '?'}</span>
            </>
          )}
        </Show>
      ),
    },
  ]);

  function text_of(row: SourceRow): JSX.Element {
    if (row.is === 'call') return <CallLine app={app} call={row.call} view="source" />;
    if (row.is === 'jump') {
      const { file, to } = row.jump;
      if (file) return <JumpLine jump={row.jump} target={`${printable(base_name(file), 80)}:${to}`} />;
      return <JumpLine jump={row.jump} target={`line ${to}`} on_go={() => folding.go(to)} />;
    }
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
  function row_text(row: SourceRow): string {
    if (row.is === 'call')
      return [exact(row.call.cost[0] ?? 0), String(row.call.count ?? ''), row.call.name].join('\t');
    if (row.is === 'jump') return `${jump_words(row.jump)}\t${row.jump.to}`;
    const plain = (costs: Costs | undefined) => String(costs?.[0] ?? '');
    return [row.number, plain(row.line?.self), plain(row.line?.with_calls), text()?.line(row.number) ?? ''].join('\t');
  }
  function menu(row: SourceRow): MenuItem[] {
    const callees = row.is === 'line' ? (row.line?.calls ?? []) : [];
    return [
      ...callees
        .slice(0, 12)
        .map((callee): MenuItem => ({ label: `Go to ${app.name(callee)}`, run: () => app.activate(callee, 'source') })),
      {
        label: 'Copy place',
        run: () => void app.copy(`${props.answer.path || file()}:${row.number}`, 'the place'),
      },
    ];
  }
  function activate(row: SourceRow) {
    if (row.is === 'call') app.activate(row.call, 'source');
    else if (row.is === 'jump') folding.go(row.jump.to);
    else if (row.open !== undefined) folding.expand(row.number, !row.open);
  }

  return (
    <CostListing
      app={app}
      label={`Source of ${printable(base_name(file()) || 'an unknown file', 120)}`}
      folding={folding}
      row={row}
      below={below}
      number_of={row => row.number}
      columns={columns()}
      text_title={text() ? 'Source' : 'Calls'}
      text={text_of}
      text_width={text()?.widest ?? 20}
      weights={props.answer.lines.map(line => ({ at: line.line, cost: weight_of(line, app.comparing()) }))}
      linked={props.linked}
      row_text={row_text}
      on_activate={activate}
      menu={menu}
    />
  );
}

function FoldedNote(props: { app: App; row: Extract<SourceRow, { is: 'line' }> }): JSX.Element {
  const calls = () => (props.row.open === false ? (props.row.line?.calls ?? []) : []);
  return (
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
  );
}
