// Where nodes and lines of a call graph are. It takes its time: for a worker.

import { Graph as LayoutGraph, layout } from '@dagrejs/dagre';
import type { Layout, Placed, PlacedNode, Point } from './graph';

export interface LayoutInput {
  nodes: { width: number; height: number }[];
  arcs: { from: number; to: number; weight: number; label: { width: number; height: number } | null }[];
  layout: Layout;
}

const few_nodes = 80;

// From a node to itself. The layout leaves room for it, with the label in the middle, but goes astray there.
function loop_beside({ x, y, width, height }: PlacedNode, label: number | undefined): Point[] {
  const right = x + width / 2;
  const out = Math.max(right + 18, label ?? 0);
  const half = Math.max(3, Math.min(height / 2 - 4, 11));
  return [
    { x: right, y: y - half },
    { x: out, y: y - half },
    { x: out, y: y + half },
    { x: right, y: y + half },
  ];
}

export function layout_graph(input: LayoutInput): Placed {
  const graph = new LayoutGraph({ directed: true, multigraph: true });
  graph.setGraph({
    rankdir: input.layout === 'down' ? 'TB' : 'LR',
    nodesep: input.layout === 'down' ? 18 : 12,
    edgesep: 8,
    ranksep: input.layout === 'down' ? 44 : 56,
    marginx: 12,
    marginy: 12,
    // The best one takes too long for many.
    ranker: input.nodes.length <= few_nodes ? 'network-simplex' : 'tight-tree',
  });
  for (const [index, node] of input.nodes.entries()) graph.setNode(String(index), { ...node });
  input.arcs.forEach(({ from, to, weight, label }, index) => {
    const size = label ?? { width: 0, height: 0 };
    graph.setEdge(String(from), String(to), { ...size, weight, labelpos: 'c' }, String(index));
  });
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  const placed_node = (index: number): PlacedNode => {
    const { x = 0, y = 0 } = graph.node(String(index)) as Partial<Point>;
    return { x, y, ...input.nodes[index]! };
  };
  return {
    width,
    height,
    nodes: input.nodes.map((_, index) => placed_node(index)),
    arcs: input.arcs.map(({ from, to, label }, index) => {
      const edge = graph.edge(String(from), String(to), String(index)) as Partial<Point> & { points?: Point[] };
      const points =
        from === to ? loop_beside(placed_node(from), edge.x) : (edge.points ?? []).map(({ x, y }) => ({ x, y }));
      return { points, label: label && edge.x !== undefined && edge.y !== undefined ? { x: edge.x, y: edge.y } : null };
    }),
  };
}
