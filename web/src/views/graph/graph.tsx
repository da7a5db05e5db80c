// The call graph around a function, or of the whole program.

import {
  createEffect,
  createMemo,
  createSignal,
  type JSX,
  Match,
  on,
  onCleanup,
  Show,
  Switch,
  untrack,
} from 'solid-js';
import type { App } from '../../app';
import { EmptyState } from '../../components/empty_state';
import { Problem } from '../../components/problem';
import { save_file } from '../../components/save_file';
import { share } from '../../model/cost';
import { dot_of } from '../../model/dot';
import { counted } from '../../model/format';
import { cut_graph, type Graph, graph_of, line_width, type Placed } from '../../model/graph';
import { text_measure } from '../pictures/canvas_pen';
import { save_svg, save_svg_as_png, svg_of_element } from '../pictures/save_picture';
import { use_found } from '../pictures/tree_data';
import '../pictures/pictures.css';
import './graph.css';
import { GraphBar } from './graph_bar';
import { use_graph } from './graph_data';
import { GraphPicture } from './graph_picture';
import { layout_input, node_looks } from './graph_style';
import { arc_label } from './graph_words';
import { create_layouter, TooSlow } from './layouter';

const patience = 4000;

interface Drawn {
  graph: Graph;
  placed: Placed;
  middle: number;
}

export function GraphView(props: { app: App }): JSX.Element {
  const { app } = props;
  const data = use_graph(app);
  const layouter = create_layouter();
  onCleanup(layouter.stop);
  const [drawn, set_drawn] = createSignal<Drawn | null>(null);
  const [problem, set_problem] = createSignal<Error | null>(null);
  const [busy, set_busy] = createSignal(false);
  const [cut, set_cut] = createSignal(0); // how many functions the layout had no time for
  let world: SVGGElement | undefined;

  async function lay_out(whole: Graph, middle_id: number | undefined) {
    let graph = whole;
    const index_of = (one: Graph) => one.nodes.findIndex(node => node.id === middle_id);
    const measure = text_measure(app.palette().font);
    set_problem(null);
    const waiting = setTimeout(() => set_busy(true), 150);
    try {
      for (;;) {
        const middle = index_of(graph);
        const input = layout_input(app, graph, node_looks(app, data, graph), data.layout(), measure, middle);
        try {
          const placed = await layouter.layout(input, patience);
          set_cut(whole.nodes.length - graph.nodes.length);
          set_drawn({ graph, placed, middle });
          return;
        } catch (reason) {
          if (!(reason instanceof TooSlow) || graph.nodes.length < 12) throw reason;
          graph = cut_graph(graph, Math.floor(graph.nodes.length / 2), middle);
        }
      }
    } catch (reason) {
      if ((reason as Error).name !== 'AbortError') set_problem(reason as Error);
    } finally {
      clearTimeout(waiting);
      set_busy(false);
    }
  }
  // Laid out anew if there is another answer, or boxes need another width.
  createEffect(
    on(
      [data.asked.value, data.layout, () => app.state.shorten, () => app.state.relative, () => app.comparing()],
      ([answer]) => {
        if (!answer) return;
        if (answer.nodes.length > 0) void lay_out(graph_of(answer), untrack(data.middle_id));
        else {
          layouter.stop();
          set_drawn(null);
        }
      },
    ),
  );
  const looks = createMemo(() => {
    const now = drawn();
    return now && node_looks(app, data, now.graph);
  });

  const found = use_found(app, () => drawn()?.graph.nodes);

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
      if (one) save_svg('call-graph.svg', one.text);
    },
  });
  app.offer_picture({
    label: 'Picture (PNG)',
    save() {
      const one = picture();
      if (one) void save_svg_as_png(app, 'call-graph.png', one.text, one.width, one.height);
    },
  });
  app.offer_picture({
    label: 'This graph (DOT)',
    save() {
      const now = drawn();
      if (now) save_file('call-graph.dot', 'text/vnd.graphviz', dot_text_of(app, now, looks()!, data.layout()));
    },
  });

  const answer = () => data.asked.value();
  return (
    <div class="picture">
      <GraphBar app={app} data={data} drawn={drawn()?.graph ?? null} />
      <Show when={cut() > 0}>
        <div class="picture-notes">
          <p class="picture-note">
            {counted(cut(), 'function')} more would take too long to lay out: these are the costliest ones.
          </p>
        </div>
      </Show>
      <Switch>
        <Match when={data.asked.error() ?? problem()}>{error => <Problem error={error()} />}</Match>
        <Match when={data.middle_missing()}>
          <EmptyState
            title="This profile has no such function"
            text={`${data.middle() ? app.name(data.middle()!) : ''} is not in it.`}
          >
            <button type="button" class="button" onClick={() => data.show_program()}>
              Show the whole program
            </button>
          </EmptyState>
        </Match>
        <Match when={answer()?.nodes.length === 0}>
          <EmptyState
            title="There is nothing to draw"
            text={
              app.state.chips.length > 0
                ? 'The filters, or the limits, leave no function.'
                : 'No function is within the limits.'
            }
          />
        </Match>
        <Match when={drawn()}>
          {now => (
            <GraphPicture
              app={app}
              data={data}
              graph={now().graph}
              placed={now().placed}
              middle={now().middle}
              found={found()}
              look={node => looks()!(node)}
              drawn={element => {
                world = element;
              }}
            />
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

function dot_text_of(app: App, drawn: Drawn, looks: ReturnType<typeof node_looks>, layout: 'down' | 'right'): string {
  const { graph, middle } = drawn;
  const parent = graph.nodes[middle]?.inclusive[0] ?? undefined;
  return dot_of(
    graph.nodes.map((node, index) => {
      const { fill, inclusive, self } = looks(index);
      return { lines: [app.name(node), `${inclusive}, ${self}`], tooltip: app.full_name(node), fill };
    }),
    graph.arcs.map(arc => ({
      from: arc.from,
      to: arc.to,
      label: arc_label(app, arc, parent),
      width: line_width(share(arc.cost[0] ?? 0, parent ?? app.base())),
      dashed: arc.recursive,
    })),
    layout,
  );
}
