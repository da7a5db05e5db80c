// The call graph around a function, or of the whole program.

import { createEffect, createMemo, type JSX, Match, on, Show, Switch, untrack } from 'solid-js';
import type { App } from '../../app/app';
import { EmptyState } from '../../components/empty_state';
import { functionMenu } from '../../components/function_menu';
import { Problem } from '../../components/problem';
import { dotOf } from '../../model/dot';
import { counted } from '../../model/format';
import { cutGraph, type Graph, graphOf, lineWidth } from '../../model/graph';
import { share } from '../../protocol/cost';
import { textMeasure } from '../pictures/canvas_surface';
import { useFound } from '../pictures/tree_data';
import '../pictures/pictures.css';
import { LayingOut, useLaidOut } from '../node_link/laid_out';
import { NodeLink } from '../node_link/node_link';
import './graph.css';
import { FunctionBox } from './function_box';
import { GraphBar } from './graph_bar';
import { useGraph } from './graph_data';
import { ArcTip, arcLabel, NodeTip, nodeLabel } from './graph_labels';
import { callLook, layoutInput, nodeLooks } from './graph_style';

interface Shown {
  graph: Graph;
  middle: number; // -1: none
  cut: number; // functions left out to bound the layout time
}

export function GraphView(props: { app: App }): JSX.Element {
  const { app } = props;
  const data = useGraph(app);
  const measure = textMeasure(app.palette().font);
  const middleIn = (graph: Graph, id: number | undefined) => graph.nodes.findIndex(node => node.id === id);
  const laidOut = useLaidOut<Shown>(app, {
    input: ({ graph, middle }) => layoutInput(app, graph, nodeLooks(app, data, graph), data.layout(), measure, middle),
    less({ graph, middle, cut }) {
      const count = Math.floor(graph.nodes.length / 2);
      const less = cutGraph(graph, count, middle);
      const id = graph.nodes[middle]?.id;
      return { graph: less, middle: middleIn(less, id), cut: cut + graph.nodes.length - count };
    },
    file: () => 'call-graph',
    dot: now => dotTextOf(app, now, nodeLooks(app, data, now.graph), data.layout()),
  });
  const { drawn } = laidOut;
  // Laid out anew if there is another answer, or boxes need another width.
  createEffect(
    on([data.asked.value, data.layout, () => app.state.relative, () => app.measure.comparing()], ([answer]) => {
      if (!answer) return;
      if (answer.nodes.length === 0) return laidOut.clear();
      const graph = graphOf(answer);
      void laidOut.layOut({ graph, middle: middleIn(graph, untrack(data.middleId)), cut: 0 });
    }),
  );
  const looks = createMemo(() => {
    const now = drawn();
    return now && nodeLooks(app, data, now.graph);
  });

  const selected = createMemo(
    () => drawn()?.graph.nodes.findIndex(node => node.id === app.selection.selected()?.id) ?? -1,
  );
  const found = useFound(app, () => drawn()?.graph.nodes);

  const answer = () => data.asked.value();
  return (
    <div class="picture">
      <GraphBar app={app} data={data} drawn={drawn()?.graph ?? null} />
      <Show when={drawn()?.cut}>
        <div class="picture-notes">
          <p class="picture-note">
            {counted(drawn()?.cut ?? 0, 'function')} left out, as laying them out would take too long.
          </p>
        </div>
      </Show>
      <Switch>
        <Match when={data.asked.error() ?? laidOut.problem()}>{error => <Problem error={error()} />}</Match>
        <Match when={data.middleMissing()}>
          <EmptyState
            title="Function not in this profile"
            text={`${data.middle() ? app.names.short(data.middle()!) : ''}`}
          >
            <button type="button" class="button" onClick={() => data.showProgram()}>
              Show the whole program
            </button>
          </EmptyState>
        </Match>
        <Match when={answer()?.nodes.length === 0}>
          <EmptyState
            title="Nothing to draw"
            text={
              app.state.chips.length > 0
                ? 'No function passes the filters and limits.'
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
                  isMiddle={node === now().middle}
                />
              )}
              describe={node => nodeLabel(app, now().graph, node)}
              tip={node => <NodeTip app={app} node={now().graph.nodes[node]!} />}
              line={arc => callLook(app, now().graph.arcs[arc]!, now().graph.nodes[now().middle]?.inclusive[0])}
              lineTip={arc => <ArcTip app={app} graph={now().graph} arc={now().graph.arcs[arc]!} />}
              table={{
                caption: 'Calls in this graph',
                heads: ['Caller', 'Callee', 'Calls and cost'],
                cells(index) {
                  const arc = now().graph.arcs[index]!;
                  const name = (node: number) => app.names.short(now().graph.nodes[node]!);
                  const recursive = arc.recursive ? ', recursive' : '';
                  return [name(arc.from), name(arc.to), arcLabel(app.measure, arc, undefined) + recursive];
                },
              }}
              onSelect={node => data.select(now().graph.nodes[node]!)}
              onOpen={node => data.showAround(now().graph.nodes[node]!)}
              items={node => [
                {
                  label: 'Center',
                  key: 'Enter',
                  disabled: node === now().middle,
                  run: () => data.showAround(now().graph.nodes[node]!),
                },
                { kind: 'title', label: 'Go to' },
                ...functionMenu(app, now().graph.nodes[node]!),
              ]}
              drawn={laidOut.takeWorld}
            />
          )}
        </Match>
      </Switch>
      <LayingOut of={laidOut} />
    </div>
  );
}

function dotTextOf(app: App, drawn: Shown, looks: ReturnType<typeof nodeLooks>, layout: 'down' | 'right'): string {
  const { graph, middle } = drawn;
  const parent = graph.nodes[middle]?.inclusive[0] ?? undefined;
  return dotOf(
    graph.nodes.map((node, index) => {
      const { fill, inclusive, self } = looks(index);
      return { lines: [app.names.short(node), `${inclusive}, ${self}`], tooltip: app.names.full(node), fill };
    }),
    graph.arcs.map(arc => ({
      from: arc.from,
      to: arc.to,
      label: arcLabel(app.measure, arc, parent),
      width: lineWidth(share(arc.cost[0] ?? 0, parent ?? app.measure.base())),
      dashed: arc.recursive,
    })),
    layout,
  );
}
