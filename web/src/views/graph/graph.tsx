// The call graph around a function, or of the whole program.

import { createEffect, createMemo, type JSX, Match, on, Show, Switch, untrack } from 'solid-js';
import type { App } from '../../app/app';
import { EmptyState } from '../../components/empty_state';
import { functionMenu } from '../../components/function_menu';
import type { MenuItem } from '../../components/menu';
import { Problem } from '../../components/problem';
import { dotOf } from '../../model/dot';
import { counted } from '../../model/format';
import { type Graph, type GraphBox, graphOf, hiddenCallers, lineWidth, type Placed } from '../../model/graph';
import { cutGraph, subgraph } from '../../model/graph_cut';
import { boxOf, chainKey, foldChains, functionsIn } from '../../model/graph_folds';
import { larger, share, toNumber } from '../../protocol/cost';
import { textMeasure } from '../pictures/canvas_surface';
import { useFound } from '../pictures/tree_data';
import '../pictures/pictures.css';
import { LayingOut, useLaidOut } from '../node_link/laid_out';
import { NodeLink } from '../node_link/node_link';
import { useSettledSize } from '../node_link/settled_size';
import './graph.css';
import { FunctionBox } from './function_box';
import { GraphBar } from './graph_bar';
import { boxesFor, forWindow, limits, useGraph } from './graph_data';
import { ArcTip, arcLabel, boxName, NodeTip, nodeLabel } from './graph_labels';
import { callLook, layoutInput, nodeLooks } from './graph_style';

const mostListed = 20; // functions of a chain in its menu

interface Shown {
  graph: Graph;
  middle: number; // -1: none
  cut: number; // functions left out to bound the layout time
  stays: number; // the box that was opened or folded, which stays where it is; -1: none
}

export function GraphView(props: { app: App }): JSX.Element {
  const { app } = props;
  const data = useGraph(app);
  const measure = textMeasure(app.palette().font);
  let picture!: HTMLDivElement;
  const size = useSettledSize(() => picture);
  const laidOut = useLaidOut<Shown>(app, {
    input: ({ graph, middle }) =>
      layoutInput(app, graph, nodeLooks(app, data, graph), data.layout(), size(), measure, middle),
    less({ graph, middle, cut, stays }) {
      const count = Math.floor(graph.nodes.length / 2);
      const less = cutGraph(graph, count, middle);
      const again = (box: number) => boxOf(less, graph.nodes[box]?.id);
      return {
        graph: less,
        middle: again(middle),
        cut: cut + functionsIn(graph).length - functionsIn(less).length,
        stays: again(stays),
      };
    },
    file: () => 'call-graph',
    dot: now => dotTextOf(app, now, nodeLooks(app, data, now.graph)),
  });
  const { drawn } = laidOut;
  let turned: number | undefined; // a function of the chain that was opened or folded last
  function turn({ folded, chain }: GraphBox) {
    const members = folded ?? chain;
    turned = members?.[0]?.id;
    if (members) data.setOpened(members.map(chainKey), folded !== undefined);
  }
  function fold(graph: Graph, isOpened: (key: string) => boolean): Graph {
    return data.folds() ? foldChains(graph, boxOf(graph, untrack(data.middleId)), isOpened) : graph;
  }
  const graph = createMemo(() => {
    const answer = data.asked.value();
    if (!answer || size().width === 0) return null;
    let whole = graphOf(answer);
    const { nodes, callers } = whole;
    const all = (node: number) => callers[node]!.length + (answer.hidden_callers[node] ?? 0);
    whole = { ...whole, nodes: nodes.map((box, node) => ({ ...box, allCallers: all(node) })) };
    if (data.limit(limits.most) === forWindow) {
      // Whatever chains are opened, the functions are the same.
      const folded = fold(whole, () => false);
      const cut = functionsIn(cutGraph(folded, boxesFor(size()), boxOf(folded, untrack(data.middleId))));
      const kept = new Set(cut.map(node => node.id));
      whole = subgraph(whole, node => kept.has(whole.nodes[node]!.id));
    }
    return fold(whole, data.isOpened);
  });
  // Laid out anew if there is another graph, or boxes need another width.
  createEffect(
    on([graph, data.layout, () => app.state.relative, () => app.measure.comparing()], ([graph]) => {
      if (!graph) return;
      if (graph.nodes.length === 0) return laidOut.clear();
      void laidOut.layOut({
        graph,
        middle: boxOf(graph, untrack(data.middleId)),
        cut: 0,
        stays: turned === undefined ? -1 : boxOf(graph, turned),
      });
      turned = undefined;
    }),
  );
  const looks = createMemo(() => {
    const now = drawn();
    return now && nodeLooks(app, data, now.graph);
  });

  const selected = createMemo(() => {
    const now = drawn();
    const id = app.selection.selected()?.id;
    return now && id !== undefined ? boxOf(now.graph, id) : -1;
  });
  const functions = createMemo(() => {
    const now = drawn();
    return now ? functionsIn(now.graph) : undefined;
  });
  const foundFunctions = useFound(app, functions);
  // A folded chain is found if one of its functions is.
  const found = createMemo(() => {
    const hits = foundFunctions();
    let at = 0;
    return (
      hits &&
      Uint8Array.from(drawn()!.graph.nodes, ({ folded }) => {
        const end = at + (folded?.length ?? 1);
        const hit = hits.subarray(at, end).includes(1);
        at = end;
        return hit ? 1 : 0;
      })
    );
  });
  // The central function with what it spends its cost in and what calls it, or what costs most itself with the way there; then the rest.
  const hot = createMemo(() => {
    const now = drawn();
    if (!now) return [];
    const { nodes, arcs, callers, callees } = now.graph;
    const self = nodes.map(node => Math.abs(toNumber(node.self[0] ?? 0)));
    const hottest = nodes.map((_, node) => node).sort((a, b) => self[b]! - self[a]! || a - b);
    if (now.middle >= 0) {
      const [first = [], ...rest] = callees[now.middle]!.map(arc => [arcs[arc]!.to]);
      const callersOf = callers[now.middle]!.map(arc => arcs[arc]!.from);
      return [now.middle, ...first, ...callersOf.slice(0, 1), ...rest.flat(), ...hottest];
    }
    const way = new Set<number>();
    for (let at = hottest[0]; at !== undefined && !way.has(at); ) {
      way.add(at);
      const arc: number | undefined = callers[at]!.find(one => arcs[one]!.from !== arcs[one]!.to);
      at = arc === undefined ? undefined : arcs[arc]!.from;
    }
    return [...way, ...hottest];
  });
  // What lines are drawn as parts of: all of them are parts of it.
  const whole = createMemo(() => {
    const now = drawn();
    const parent = now?.graph.nodes[now.middle]?.inclusive[0] ?? app.measure.base();
    const costs = now?.graph.arcs.filter(arc => !arc.counted_again).map(arc => arc.cost[0] ?? 0) ?? [];
    return costs.reduce(larger, parent);
  });

  function itemsOf(box: GraphBox, isMiddle: boolean): MenuItem[] {
    const count = counted((box.folded ?? box.chain ?? []).length, 'function');
    if (box.folded)
      return [
        { label: `Open the chain of ${count}`, key: 'Enter', run: () => turn(box) },
        { kind: 'title', label: 'Center' },
        ...box.folded
          .slice(0, mostListed)
          .map(node => ({ label: app.names.short(node), run: () => data.showAround(node) })),
      ];
    return [
      ...(box.chain ? [{ label: `Fold the chain of ${count}`, key: 'c', run: () => turn(box) }] : []),
      { label: 'Center', key: 'Enter', disabled: isMiddle, run: () => data.showAround(box) },
      { kind: 'title', label: 'Go to' },
      ...functionMenu(app, box),
    ];
  }

  const answer = () => data.asked.value();
  return (
    <div class="picture" ref={picture}>
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
              stays={now().stays}
              hot={hot()}
              home={Math.max(now().middle, 0)}
              selected={selected()}
              found={found()}
              waiting={data.asked.waiting()}
              kind={node => (node === now().middle ? 'graph-function middle' : 'graph-function')}
              draw={(node, { width }, textScale) => (
                <FunctionBox
                  app={app}
                  node={now().graph.nodes[node]!}
                  look={looks()!(node)}
                  hidden={hiddenCallers(now().graph, node)}
                  onCallers={() => data.showAround(now().graph.nodes[node]!)}
                  width={width}
                  measure={measure}
                  isMiddle={node === now().middle}
                  textScale={textScale}
                  onFold={() => turn(now().graph.nodes[node]!)}
                />
              )}
              describe={node => nodeLabel(app, now().graph, node)}
              tip={node => <NodeTip app={app} node={now().graph.nodes[node]!} />}
              line={arc =>
                callLook(app, now().graph.arcs[arc]!, now().graph.nodes[now().middle]?.inclusive[0], whole())
              }
              lineTip={arc => <ArcTip app={app} graph={now().graph} arc={now().graph.arcs[arc]!} />}
              table={{
                caption: 'Calls in this graph',
                heads: ['Caller', 'Callee', 'Calls and cost'],
                cells(index) {
                  const arc = now().graph.arcs[index]!;
                  const { nodes } = now().graph;
                  const from = nodes[arc.from]!.folded?.at(-1) ?? nodes[arc.from]!;
                  const recursive = arc.recursive ? ', recursive' : '';
                  return [
                    app.names.short(from),
                    app.names.short(nodes[arc.to]!),
                    arcLabel(app.measure, arc, undefined) + recursive,
                  ];
                },
              }}
              onSelect={node => {
                const box = now().graph.nodes[node]!;
                if (!box.folded) data.select(box);
              }}
              opens={node => now().graph.nodes[node]?.folded !== undefined}
              onOpen={node => {
                const box = now().graph.nodes[node]!;
                if (box.folded) turn(box);
                else data.showAround(box);
              }}
              keys={{ c: node => turn(now().graph.nodes[node]!) }}
              items={node => itemsOf(now().graph.nodes[node]!, node === now().middle)}
              drawn={laidOut.takeWorld}
            />
          )}
        </Match>
      </Switch>
      <LayingOut of={laidOut} />
    </div>
  );
}

function dotTextOf(app: App, drawn: Shown & { placed: Placed }, looks: ReturnType<typeof nodeLooks>): string {
  const { graph, middle, placed } = drawn;
  const parent = graph.nodes[middle]?.inclusive[0] ?? undefined;
  return dotOf(
    graph.nodes.map((node, index) => {
      const { fill, inclusive, self } = looks(index);
      const tooltip = (node.folded ?? [node]).map(app.names.full).join(', ');
      return { lines: [boxName(app, node), `${inclusive}, ${self}`], tooltip, fill };
    }),
    graph.arcs.map(arc => ({
      from: arc.from,
      to: arc.to,
      label: arcLabel(app.measure, arc, parent),
      width: lineWidth(share(arc.cost[0] ?? 0, parent ?? app.measure.base())),
      dashed: arc.recursive,
    })),
    placed.layout,
  );
}
