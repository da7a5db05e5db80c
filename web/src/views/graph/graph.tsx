// The call graph around a function, or of the whole program.

import { createEffect, createMemo, type JSX, Match, on, Show, Switch, untrack } from 'solid-js';
import type { App } from '../../app';
import { EmptyState } from '../../components/empty_state';
import { function_menu } from '../../components/function_menu';
import { Problem } from '../../components/problem';
import { share } from '../../model/cost';
import { dot_of } from '../../model/dot';
import { counted } from '../../model/format';
import { cut_graph, type Graph, graph_of, line_width } from '../../model/graph';
import { text_measure } from '../pictures/canvas_surface';
import { use_found } from '../pictures/tree_data';
import '../pictures/pictures.css';
import { LayingOut, use_laid_out } from '../node_link/laid_out';
import { NodeLink } from '../node_link/node_link';
import './graph.css';
import { FunctionBox } from './function_box';
import { GraphBar } from './graph_bar';
import { use_graph } from './graph_data';
import { ArcTip, arc_label, NodeTip, node_label } from './graph_labels';
import { call_look, layout_input, node_looks } from './graph_style';

interface Shown {
  graph: Graph;
  middle: number; // -1: none
  cut: number; // how many functions the layout had no time for
}

export function GraphView(props: { app: App }): JSX.Element {
  const { app } = props;
  const data = use_graph(app);
  const measure = text_measure(app.palette().font);
  const middle_in = (graph: Graph, id: number | undefined) => graph.nodes.findIndex(node => node.id === id);
  const laid_out = use_laid_out<Shown>(app, {
    input: ({ graph, middle }) =>
      layout_input(app, graph, node_looks(app, data, graph), data.layout(), measure, middle),
    less({ graph, middle, cut }) {
      const count = Math.floor(graph.nodes.length / 2);
      const less = cut_graph(graph, count, middle);
      const id = graph.nodes[middle]?.id;
      return { graph: less, middle: middle_in(less, id), cut: cut + graph.nodes.length - count };
    },
    file: () => 'call-graph',
    dot: now => dot_text_of(app, now, node_looks(app, data, now.graph), data.layout()),
  });
  const { drawn } = laid_out;
  // Laid out anew if there is another answer, or boxes need another width.
  createEffect(
    on(
      [data.asked.value, data.layout, () => app.state.shorten, () => app.state.relative, () => app.comparing()],
      ([answer]) => {
        if (!answer) return;
        if (answer.nodes.length === 0) return laid_out.clear();
        const graph = graph_of(answer);
        void laid_out.lay_out({ graph, middle: middle_in(graph, untrack(data.middle_id)), cut: 0 });
      },
    ),
  );
  const looks = createMemo(() => {
    const now = drawn();
    return now && node_looks(app, data, now.graph);
  });

  const selected = createMemo(() => drawn()?.graph.nodes.findIndex(node => node.id === app.selected()?.id) ?? -1);
  const found = use_found(app, () => drawn()?.graph.nodes);

  const answer = () => data.asked.value();
  return (
    <div class="picture">
      <GraphBar app={app} data={data} drawn={drawn()?.graph ?? null} />
      <Show when={drawn()?.cut}>
        <div class="picture-notes">
          <p class="picture-note">
            {counted(drawn()?.cut ?? 0, 'function')} more would take too long to lay out: these are the costliest ones.
          </p>
        </div>
      </Show>
      <Switch>
        <Match when={data.asked.error() ?? laid_out.problem()}>{error => <Problem error={error()} />}</Match>
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
            <NodeLink
              app={app}
              label="Call graph"
              ways={now().graph}
              placed={now().placed}
              layout={data.layout()}
              home={Math.max(now().middle, 0)}
              selected={selected()}
              found={found()}
              waiting={data.asked.waiting()}
              kind={node => (node === now().middle ? 'graph-function middle' : 'graph-function')}
              draw={(node, { width }) => (
                <FunctionBox
                  app={app}
                  node={now().graph.nodes[node]!}
                  look={looks()!(node)}
                  width={width}
                  measure={measure}
                  is_middle={node === now().middle}
                />
              )}
              words={node => node_label(app, now().graph, node)}
              tip={node => <NodeTip app={app} node={now().graph.nodes[node]!} />}
              line={arc => call_look(app, now().graph.arcs[arc]!, now().graph.nodes[now().middle]?.inclusive[0])}
              line_tip={arc => <ArcTip app={app} graph={now().graph} arc={now().graph.arcs[arc]!} />}
              table={{
                caption: 'Calls in this picture',
                heads: ['Caller', 'Callee', 'Calls and cost'],
                cells(index) {
                  const arc = now().graph.arcs[index]!;
                  const name = (node: number) => app.name(now().graph.nodes[node]!);
                  const recursive = arc.recursive ? ', recursive' : '';
                  return [name(arc.from), name(arc.to), arc_label(app, arc, undefined) + recursive];
                },
              }}
              on_select={node => data.select(now().graph.nodes[node]!)}
              on_open={node => data.show_around(now().graph.nodes[node]!)}
              items={node => [
                {
                  label: 'In the middle',
                  key: 'Enter',
                  disabled: node === now().middle,
                  run: () => data.show_around(now().graph.nodes[node]!),
                },
                { kind: 'title', label: 'Go to' },
                ...function_menu(app, now().graph.nodes[node]!),
              ]}
              drawn={laid_out.take_world}
            />
          )}
        </Match>
      </Switch>
      <LayingOut of={laid_out} />
    </div>
  );
}

function dot_text_of(app: App, drawn: Shown, looks: ReturnType<typeof node_looks>, layout: 'down' | 'right'): string {
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
