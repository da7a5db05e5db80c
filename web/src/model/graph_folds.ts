// Chains of single calls in a call graph, folded to one box each.

import { add, type Cost, magnitude, toNumber } from '../protocol/cost';
import type { Costs, Func, GraphNode } from '../protocol/protocol';
import { hashOf } from './color';
import { type Graph, type GraphBox, graphOf } from './graph';

const fewest = 3; // two boxes are read as easily as one
const little = 0.01; // of the most expensive function's inclusive cost

// What an opened chain is known by in the address: one of its functions.
export const chainKey = ({ name, context = '', file, object }: Func) =>
  hashOf([name, context, file, object].join('\n')).toString(36);

const membersOf = (box: GraphBox): readonly GraphNode[] => box.folded ?? [box];
export const functionsIn = (graph: Graph): GraphNode[] => graph.nodes.flatMap(membersOf);
export const boxOf = (graph: Graph, id: number | undefined): number =>
  graph.nodes.findIndex(box => membersOf(box).some(node => node.id === id));

const sum = (lists: readonly (Costs | undefined)[]): Costs | undefined =>
  lists.reduce((total, costs) =>
    total?.map((cost, column) => {
      const other = costs?.[column] ?? null;
      return cost === null || other === null ? null : add(cost, other);
    }),
  );

// Functions that call each other in a line, where nothing else drawn calls or is called on the way, and none costs much
// itself: nodes, from the first caller on. `keep` is in no chain, and no function of a cycle is.
function chainsOf({ nodes, arcs, callers, callees }: Graph, keep: number): number[][] {
  const size = (cost: Cost | null | undefined) => toNumber(magnitude(cost ?? 0));
  const most = nodes.reduce((most, { inclusive, self }) => Math.max(most, size(inclusive[0]), size(self[0])), 0);
  const isPlain = (node: number) => {
    const { self, self_before: before, cycle } = nodes[node]!;
    return node !== keep && cycle === undefined && Math.max(size(self[0]), size(before?.[0])) < little * most;
  };
  const next = nodes.map((_, node) => {
    const [only, ...more] = callees[node]!;
    const to = only === undefined ? node : arcs[only]!.to;
    const isSingle = more.length === 0 && to !== node && callers[to]!.length === 1;
    return isSingle && isPlain(node) && isPlain(to) ? to : -1;
  });
  const isContinued = new Set(next);
  return nodes.flatMap((_, first) => {
    if (isContinued.has(first) || next[first]! < 0) return [];
    const chain = [first];
    for (let at = next[first]!; at >= 0; at = next[at]!) chain.push(at);
    return chain.length < fewest ? [] : [chain];
  });
}

// One box for every chain that is not opened. Nodes of those that are say which chain they are of.
export function foldChains(graph: Graph, keep: number, isOpened: (key: string) => boolean): Graph {
  const place = graph.nodes.map((_, node) => node);
  const boxes: (GraphBox | null)[] = [...graph.nodes];
  for (const chain of chainsOf(graph, keep)) {
    const folded = chain.map(node => graph.nodes[node]!);
    if (folded.some(node => isOpened(chainKey(node)))) {
      for (const node of chain) boxes[node] = { ...graph.nodes[node]!, chain: folded };
      continue;
    }
    for (const node of chain) {
      boxes[node] = null;
      place[node] = chain[0]!;
    }
    const before = sum(folded.map(node => node.self_before));
    boxes[chain[0]!] = {
      ...folded[0]!,
      self: sum(folded.map(node => node.self))!,
      ...(before && { self_before: before }),
      folded,
    };
  }
  const kept = boxes.flatMap((box, node) => (box ? [node] : []));
  if (kept.length === boxes.length) return graphOf({ nodes: boxes as GraphBox[], arcs: graph.arcs });
  const index = new Map(kept.map((node, at) => [node, at]));
  const at = (node: number) => index.get(place[node]!)!;
  return graphOf({
    nodes: kept.map(node => boxes[node]!),
    arcs: graph.arcs
      .filter(({ from, to }) => from === to || place[from] !== place[to])
      .map(arc => ({ ...arc, from: at(arc.from), to: at(arc.to) })),
  });
}
