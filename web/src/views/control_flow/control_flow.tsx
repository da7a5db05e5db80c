// The control flow graph of a function: its basic blocks, and how control went from one to another.

import { createEffect, createMemo, createSignal, For, type JSX, Match, on, onCleanup, Show, Switch } from 'solid-js';
import type { App } from '../../app';
import { Icon } from '../../components/icon';
import { MenuButton, type MenuItem } from '../../components/menu';
import { Problem } from '../../components/problem';
import { save_file } from '../../components/save_file';
import { Segmented } from '../../components/segmented';
import type { InstructionsAnswer } from '../../engine/protocol';
import { main_file } from '../../model/code_rows';
import { type Block, type EdgeKind, edge_words, type Flow, flow_of } from '../../model/control_flow';
import { is_zero, share } from '../../model/cost';
import { dot_of } from '../../model/dot';
import { counted, percent_brief } from '../../model/format';
import { line_width, type Placed } from '../../model/graph';
import { printable } from '../../model/visible';
import { NoCode } from '../code/code';
import { FunctionName } from '../functions/columns';
import { create_layouter, TooSlow } from '../graph/layouter';
import '../graph/graph.css';
import { one_of, set_options } from '../pictures/options';
import '../pictures/pictures.css';
import { save_svg, save_svg_as_png, svg_of_element } from '../pictures/save_picture';
import { SaveMenu } from '../pictures/tree_bar';
import { go_to_place } from '../source/places';
import { type BlockLook, block_looks, type Detail, edge_label, layout_input } from './block_look';
import './control_flow.css';
import { FlowPicture } from './flow_picture';

const patience = 4000;
const most_blocks = 300;
const most_ways = 320; // a dense graph takes long, and nobody can follow its lines
const few_blocks = 60; // up to so many show their instructions if nothing else is chosen

interface Drawn {
  answer: InstructionsAnswer;
  flow: Flow;
  looks: BlockLook[];
  placed: Placed;
}

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
  const id = createMemo(() => app.selected()?.id);
  const syntax = () => one_of(app, 'code.syntax', ['att', 'intel'] as const);
  const answer = app.use_answer(() => {
    const wanted = id();
    return wanted === undefined ? null : app.question({ ask: 'instructions' as const, id: wanted, syntax: syntax() });
  });
  const layouter = create_layouter();
  onCleanup(layouter.stop);
  const [drawn, set_drawn] = createSignal<Drawn | null>(null);
  const [problem, set_problem] = createSignal<Error | null>(null);
  const [busy, set_busy] = createSignal(false);
  let world: SVGGElement | undefined;

  const limit = () => limits.find(one => one.value === app.option('blocks.least', '')) ?? limits[0]!;
  const own_file = () => app.state.selection?.file || main_file(answer.value()?.rows ?? []);
  const detail_option = () => app.option('blocks.detail', '');
  const detail_of = (flow: Flow): Detail =>
    detail_option() === 'costs' || detail_option() === 'instructions'
      ? (detail_option() as Detail)
      : flow.blocks.length <= few_blocks
        ? 'instructions'
        : 'costs';

  async function lay_out(now: InstructionsAnswer) {
    set_problem(null);
    const waiting = setTimeout(() => set_busy(true), 150);
    try {
      for (let most = most_blocks; most > 0; most = Math.floor(most / 2)) {
        const flow = flow_of(now, limit().least, most);
        if (flow.arcs.length > most_ways && flow.blocks.length > 12) {
          most = Math.min(most, Math.ceil(flow.blocks.length * 1.6));
          continue;
        }
        const looks = block_looks(app, flow, now.rows, own_file(), detail_of(flow));
        try {
          const placed = await layouter.layout(layout_input(app, flow, looks), patience);
          set_drawn({ answer: now, flow, looks, placed });
          return;
        } catch (reason) {
          if (!(reason instanceof TooSlow) || flow.blocks.length < 12) throw reason;
          most = Math.min(most, flow.blocks.length);
        }
      }
    } catch (reason) {
      if ((reason as Error).name !== 'AbortError') set_problem(reason as Error);
    } finally {
      clearTimeout(waiting);
      set_busy(false);
    }
  }
  createEffect(
    on([answer.value, limit, detail_option, () => app.state.relative, app.palette], ([now]) => {
      if (now && now.blocks.length > 0) void lay_out(now);
      else {
        layouter.stop();
        set_drawn(null);
      }
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
    return new Set(now.flow.blocks.flatMap((block, index) => (holds(block) ? [index] : [])));
  });

  const name = () => printable(app.state.selection?.name ?? 'function', 80);
  function picture(): { text: string; width: number; height: number } | null {
    const now = drawn();
    if (!now || !world) return null;
    const { width, height } = now.placed;
    return { text: svg_of_element(world, width, height, app.palette().surface), width, height };
  }
  app.offer_picture({
    label: 'Picture (SVG)',
    save() {
      const one = picture();
      if (one) save_svg(`${name()}.svg`, one.text);
    },
  });
  app.offer_picture({
    label: 'Picture (PNG)',
    save() {
      const one = picture();
      if (one) void save_svg_as_png(app, `${name()}.png`, one.text, one.width, one.height);
    },
  });
  app.offer_picture({
    label: 'This graph (DOT)',
    save() {
      const now = drawn();
      if (now) save_file(`${name()}.dot`, 'text/vnd.graphviz', dot_text(now));
    },
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
        <Show when={app.state.selection}>
          {selection => (
            <span class="source-function">
              <FunctionName app={app} func={{ id: 0, ...selection() }} />
            </span>
          )}
        </Show>
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
        <MenuButton
          label="Which blocks"
          class="button quiet"
          button={
            <>
              Blocks <Icon name="down" />
            </>
          }
          items={limit_items}
        />
        <span class="view-bar-gap" />
        <Show when={drawn()}>{now => <Sum flow={now().flow} />}</Show>
        <SaveMenu app={app} />
      </div>
      <Switch fallback={<p class="view-note">{answer.waiting() ? 'Looking…' : ''}</p>}>
        <Match when={answer.error() ?? problem()}>{error => <Problem error={error()} />}</Match>
        <Match when={answer.value() && answer.value()!.blocks.length === 0}>
          <NoCode title="No control flow of this function" answer={answer.value()!} />
        </Match>
        <Match when={drawn()}>
          {now => (
            <>
              <FlowPicture
                app={app}
                answer={now().answer}
                flow={now().flow}
                looks={now().looks}
                placed={now().placed}
                on_open={open_code}
                on_source={open_source}
                found={found()}
                drawn={element => {
                  world = element;
                }}
              />
              <Legend flow={now().flow} />
            </>
          )}
        </Match>
      </Switch>
      <Show when={busy()}>
        <div class="graph-busy" role="status">
          Laying out the graph…
          <button type="button" class="button" onClick={() => layouter.stop()}>
            Stop
          </button>
        </div>
      </Show>
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
                  <path class="flow-line" d="M1 5H25" />
                  <path class="flow-head" d="M33 5L24 1.2L24 8.8Z" />
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

function dot_text({ flow, looks, answer }: Drawn): string {
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
