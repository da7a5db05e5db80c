// The hot part of a call graph: fewer boxes, in which the path to every one of them is drawn.

import { magnitude, toNumber } from '../protocol/cost';
import { type Graph, graphOf } from './graph';

export function subgraph(graph: Graph, isKept: (node: number) => boolean): Graph {
  const kept = graph.nodes.flatMap((_, node) => (isKept(node) ? [node] : []));
  const place = new Map(kept.map((node, at) => [node, at]));
  const arcs = graph.arcs.flatMap(arc => {
    const from = place.get(arc.from);
    const to = place.get(arc.to);
    return from === undefined || to === undefined ? [] : [{ ...arc, from, to }];
  });
  return graphOf({ nodes: kept.map(node => graph.nodes[node]!), arcs });
}

// `middle` (-1: none) with the callers that pay most for it, and the functions with the most self cost, each with its
// most expensive callers: about `most` boxes.
export function cutGraph(graph: Graph, most: number, middle: number): Graph {
  const { nodes, arcs, callers, callees } = graph;
  if (nodes.length <= most) return graph;
  const kept = new Set<number>();
  // Adds a node and what leads to it, if there is room for all of that.
  function add(node: number, leads: readonly (readonly number[])[], end: 'from' | 'to', limit: number) {
    const path = new Set<number>();
    for (let at: number | undefined = node; at !== undefined && !kept.has(at) && !path.has(at); ) {
      path.add(at);
      const arc: number | undefined = leads[at]!.find(one => arcs[one]!.from !== arcs[one]!.to);
      at = arc === undefined ? undefined : arcs[arc]![end];
    }
    if (kept.size + path.size <= limit) for (const at of path) kept.add(at);
  }
  if (middle >= 0) {
    kept.add(middle);
    const above = [middle];
    const seen = new Set(above);
    for (let at = 0; at < above.length; at++)
      for (const arc of callers[above[at]!]!) {
        const { from, recursive } = arcs[arc]!;
        if (recursive || seen.has(from)) continue;
        seen.add(from);
        above.push(from);
      }
    for (const node of above) add(node, callees, 'to', 1 + most / 3);
  }
  const self = nodes.map(node => toNumber(magnitude(node.self[0] ?? 0)));
  const inclusive = nodes.map(node => toNumber(magnitude(node.inclusive[0] ?? 0)));
  const order = nodes.map((_, node) => node);
  order.sort((a, b) => self[b]! - self[a]! || inclusive[b]! - inclusive[a]! || a - b);
  for (const node of order) add(node, callers, 'from', most);
  return subgraph(graph, node => kept.has(node));
}
