// The control flow graph of a function: its basic blocks, and how control went from one to another.

import { createEffect, createMemo, For, type JSX, Match, on, Show, Switch } from 'solid-js';
import type { App } from '../../app';
import { MenuButton, type MenuItem } from '../../components/menu';
import { Problem } from '../../components/problem';
import { Segmented } from '../../components/segmented';
import type { InstructionsAnswer } from '../../engine/protocol';
import { main_file } from '../../model/code_rows';
import { type Block, type EdgeKind, edge_words, type Flow, flow_of } from '../../model/control_flow';
import { is_zero, share } from '../../model/cost';
import { dot_of } from '../../model/dot';
import { counted, exact, percent_brief } from '../../model/format';
import { line_width } from '../../model/graph';
import { printable } from '../../model/visible';
import { compared_words, NoCode, use_instructions } from '../code/code';
import { SelectedName } from '../functions/columns';
import { LayingOut, use_laid_out } from '../node_link/laid_out';
import { NodeLink } from '../node_link/node_link';
import { set_options } from '../pictures/options';
import '../pictures/pictures.css';
import { SaveMenu } from '../pictures/tree_bar';
import { go_to_place } from '../source/places';
import { BlockBox } from './block_box';
import { block_looks, type Detail, edge_label, layout_input, way_look } from './block_look';
import './control_flow.css';
import { BlockTip, block_words, EdgeTip, type FlowShown } from './flow_labels';

const most_blocks = 300;
const most_ways = 320; // a dense graph takes long, and nobody can follow its lines
const few_blocks = 60; // up to so many show their instructions if nothing else is chosen

const limits = [
  { value: '', least: 0, label: 'All that were executed' },
  { value: 'all', least: -1, label: 'All, never executed ones too' },
  ...[0.01, 0.02, 0.05, 0.1, 0.2].map(least => ({
    value: String(least),
    least,
    label: `From ${least * 100} % of the function’s self cost`,
  })),
];

export function ControlFlowView(props: { app: App }): JSX.Element {
  const { app } = props;
  const { answer } = use_instructions(app);
  const limit = () => limits.find(one => one.value === app.option('blocks.least', '')) ?? limits[0]!;
  const own_file = () => app.state.selection?.file || main_file(answer.value()?.rows ?? []);
  const detail_option = () => app.option('blocks.detail', '');
  const detail_of = (flow: Flow): Detail =>
    detail_option() === 'costs' || detail_option() === 'instructions'
      ? (detail_option() as Detail)
      : flow.blocks.length <= few_blocks
        ? 'instructions'
        : 'costs';

  function shown_of(answer: InstructionsAnswer, most: number): FlowShown {
    const flow = flow_of(answer, limit().least, most);
    const blocks = flow.blocks.length;
    if (flow.arcs.length > most_ways && blocks > 12)
      return shown_of(answer, Math.floor(Math.min(most, Math.ceil(blocks * 1.6)) / 2));
    return { answer, flow, looks: block_looks(app, flow, answer.rows, own_file(), detail_of(flow)) };
  }
  const laid_out = use_laid_out<FlowShown>(app, {
    input: ({ flow, looks }) => layout_input(app, flow, looks),
    less: ({ answer, flow }) => shown_of(answer, Math.floor(flow.blocks.length / 2)),
    file: () => printable(app.state.selection?.name ?? 'function', 80),
    dot: dot_text,
  });
  const { drawn } = laid_out;
  createEffect(
    on([answer.value, limit, detail_option, () => app.state.relative, app.palette], ([now]) => {
      if (now && now.blocks.length > 0) void laid_out.lay_out(shown_of(now, most_blocks));
      else laid_out.clear();
    }),
  );

  const found = createMemo(() => {
    const wanted = app.state.search.trim().toLowerCase();
    const now = drawn();
    if (!wanted || !now) return null;
    const holds = (block: Block) => {
      for (let at = block.first; at <= block.last; at++) {
        const row = now.answer.rows[at];
        if (row?.text?.toLowerCase().includes(wanted) || row?.address.includes(wanted)) return true;
      }
      return false;
    };
    return Uint8Array.from(now.flow.blocks, block => (holds(block) ? 1 : 0));
  });

  const hottest = createMemo(() => {
    const shares = drawn()?.flow.blocks.map(block => block.share) ?? [];
    return shares.indexOf(Math.max(...shares));
  });
  function open_code(block: Block) {
    const address = answer.value()?.rows[block.first]?.address;
    set_options(app, { 'code.at': address ?? null });
    app.go('code');
  }
  function open_source(block: Block) {
    const rows = answer.value()?.rows ?? [];
    for (let at = block.first; at <= block.last; at++) {
      const row = rows[at];
      if (!row || row.line === 0 || !row.file) continue;
      go_to_place(app, null, { ...(row.file !== own_file() && { file: row.file }), line: row.line }, 'function');
      return;
    }
    app.toast('The source of this block is not known');
  }
  const limit_items = (): MenuItem[] =>
    limits.map(({ value, label }) => ({
      kind: 'radio',
      label,
      checked: limit().value === value,
      run: () => set_options(app, { 'blocks.least': value || null }),
    }));

  return (
    <div class="picture">
      <div class="picture-bar">
        <SelectedName app={app} />
        <Show when={drawn()}>
          {now => (
            <Segmented
              label="What blocks show"
              choices={[
                { value: 'instructions', label: 'Instructions' },
                { value: 'costs', label: 'Costs only' },
              ]}
              value={detail_of(now().flow)}
              on_change={value => set_options(app, { 'blocks.detail': value })}
            />
          )}
        </Show>
        <MenuButton label="Which blocks" text="Blocks" items={limit_items} />
        <span class="view-bar-gap" />
        <Show when={drawn()}>{now => <Sum flow={now().flow} />}</Show>
        <SaveMenu app={app} />
      </div>
      <Show when={app.comparing() && answer.value()}>
        {now => (
          <p class="source-strip" role="note">
            {compared_words(app, now())}
          </p>
        )}
      </Show>
      <Switch fallback={<p class="view-note">{answer.waiting() ? 'Looking…' : ''}</p>}>
        <Match when={answer.error() ?? laid_out.problem()}>{error => <Problem error={error()} />}</Match>
        <Match when={answer.value() && answer.value()!.blocks.length === 0}>
          <NoCode title="No control flow of this function" answer={answer.value()!} />
        </Match>
        <Match when={drawn()}>
          {now => (
            <>
              <NodeLink
                app={app}
                label="Control flow graph"
                ways={now().flow}
                placed={now().placed}
                layout="down"
                home={0}
                hottest={hottest()}
                found={found()}
                kind={() => 'flow-block'}
                draw={(block, at) => <BlockBox look={now().looks[block]!} at={at} />}
                words={block => block_words(app, now(), block)}
                tip={block => <BlockTip app={app} shown={now()} index={block} />}
                line={way => way_look(now().flow.arcs[way]!)}
                line_tip={way => <EdgeTip shown={now()} edge={now().flow.arcs[way]!} />}
                table={{
                  caption: 'Ways between the blocks',
                  heads: ['From block', 'To block', 'How, how often'],
                  cells(way) {
                    const { from, to, kind, count } = now().flow.arcs[way]!;
                    const title = (block: number) => `${block + 1}: ${now().looks[block]?.title}`;
                    return [
                      title(from),
                      title(to),
                      edge_words[kind] + (count === undefined ? '' : `, ${exact(count)}×`),
                    ];
                  },
                }}
                on_open={block => open_code(now().flow.blocks[block]!)}
                keys={{ s: block => open_source(now().flow.blocks[block]!) }}
                items={block => [
                  { label: 'Machine code', key: 'Enter', run: () => open_code(now().flow.blocks[block]!) },
                  { label: 'Source', key: 's', run: () => open_source(now().flow.blocks[block]!) },
                ]}
                drawn={laid_out.take_world}
              />
              <Legend flow={now().flow} />
            </>
          )}
        </Match>
      </Switch>
      <LayingOut of={laid_out} />
    </div>
  );
}

function Sum(props: { flow: Flow }): JSX.Element {
  const hidden = () => props.flow.hidden;
  const words = () => {
    const { blocks, cold, self } = hidden();
    if (blocks === 0) return '';
    if (blocks === cold) return `; ${counted(cold, 'block')} never executed`;
    const part = is_zero(self) ? '' : ` with ${percent_brief(share(self, props.flow.self) ?? 0)} of the cost`;
    return `; ${counted(blocks, 'more block')}${part}`;
  };
  return (
    <span class="muted graph-sum" role="status">
      {counted(props.flow.blocks.length, 'block')}, {counted(props.flow.arcs.length, 'way')}
      {words()}
    </span>
  );
}

const kinds: EdgeKind[] = ['taken', 'not_taken', 'jump', 'next', 'indirect'];

function Legend(props: { flow: Flow }): JSX.Element {
  const used = createMemo(() => kinds.filter(kind => props.flow.arcs.some(edge => edge.kind === kind)));
  return (
    <Show when={used().length > 0}>
      <div class="flow-legend" role="note" aria-label="What the lines mean">
        <For each={used()}>
          {kind => (
            <span>
              <svg class="graph-svg" width="34" height="10" aria-hidden="true">
                <g class={`flow-edge ${kind}`}>
                  <path class="graph-line" d="M1 5H25" />
                  <path class="graph-head" d="M33 5L24 1.2L24 8.8Z" />
                </g>
              </svg>
              {edge_words[kind]}
            </span>
          )}
        </For>
      </div>
    </Show>
  );
}

function dot_text({ flow, looks, answer }: FlowShown): string {
  return dot_of(
    looks.map(({ title, cost, lines, fill }, index) => ({
      lines: [`${title}  ${cost}`, ...lines.map(line => `${line.cost}  ${line.text}`)],
      tooltip: answer.rows[flow.blocks[index]!.first]?.address ?? '',
      fill,
    })),
    flow.arcs.map(edge => ({
      from: edge.from,
      to: edge.to,
      label: [edge.kind === 'next' ? '' : edge_words[edge.kind], edge_label(edge)].filter(part => part).join(' '),
      width: line_width(edge.kind === 'jump' ? 0.1 : 0),
      dashed: edge.kind === 'not_taken' || edge.kind === 'indirect',
    })),
    'down',
  );
}
