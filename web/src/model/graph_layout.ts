// Layout of a call graph. Slow: runs in a worker.

import { Graph as LayoutGraph, layout } from '@dagrejs/dagre';
import type { Layout, Placed, PlacedNode, Point } from './graph';

export interface LayoutInput {
  nodes: { width: number; height: number }[];
  arcs: { from: number; to: number; weight: number; label: { width: number; height: number } | null }[];
  layout: Layout;
}

const fewNodes = 80;
const loopSize = 30;

interface Room {
  width: number;
  height: number;
  extra: number; // for a loop, beside the node (or below it, if the graph goes to the right)
}

export function layoutGraph(input: LayoutInput): Placed {
  const isDown = input.layout === 'down';
  const graph = new LayoutGraph({ directed: true, multigraph: true });
  graph.setGraph({
    rankdir: isDown ? 'TB' : 'LR',
    nodesep: isDown ? 18 : 12,
    edgesep: 8,
    ranksep: isDown ? 44 : 56,
    marginx: 12,
    marginy: 12,
    // The best ranker is too slow for large graphs.
    ranker: input.nodes.length <= fewNodes ? 'network-simplex' : 'tight-tree',
  });
  const rooms: Room[] = input.nodes.map(node => ({ ...node, extra: 0 }));
  for (const { from, to, label } of input.arcs) {
    const room = rooms[from];
    if (from !== to || !room) continue;
    room.extra = loopSize + (label ? (isDown ? label.width + 4 : label.height + 4) : 0);
  }
  for (const [index, { width, height, extra }] of rooms.entries())
    graph.setNode(String(index), isDown ? { width: width + extra, height } : { width, height: height + extra });
  input.arcs.forEach(({ from, to, weight, label }, index) => {
    if (from === to) return;
    const size = label ?? { width: 0, height: 0 };
    graph.setEdge(String(from), String(to), { ...size, weight, labelpos: 'c' }, String(index));
  });
  layout(graph);

  const nodes: PlacedNode[] = rooms.map(({ width, height, extra }, index) => {
    const { x = 0, y = 0 } = graph.node(String(index)) as Partial<Point>;
    return isDown ? { x: x - extra / 2, y, width, height } : { x, y: y - extra / 2, width, height };
  });
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  return {
    width,
    height,
    nodes,
    arcs: input.arcs.map(({ from, to, label }, index) => {
      if (from === to) return loop(nodes[from]!, label, isDown);
      const edge = graph.edge(String(from), String(to), String(index)) as Partial<Point> & { points?: Point[] };
      const points = (edge.points ?? []).map(({ x, y }) => ({ x, y }));
      const inner = points.slice(1, -1);
      const begin = border(nodes[from]!, inner[0] ?? nodes[to]!);
      const end = border(nodes[to]!, inner[inner.length - 1] ?? nodes[from]!);
      const hasPlace = label !== null && edge.x !== undefined && edge.y !== undefined;
      return { points: [begin, ...inner, end], label: hasPlace ? { x: edge.x!, y: edge.y! } : null };
    }),
  };
}

// Where the line from the middle of a node to a point leaves the node.
function border(node: PlacedNode, to: Point): Point {
  const dx = to.x - node.x;
  const dy = to.y - node.y;
  const part = Math.min(
    dx === 0 ? Number.POSITIVE_INFINITY : node.width / 2 / Math.abs(dx),
    dy === 0 ? Number.POSITIVE_INFINITY : node.height / 2 / Math.abs(dy),
    1,
  );
  return { x: node.x + dx * part, y: node.y + dy * part };
}

// From a node to itself.
function loop(node: PlacedNode, label: { width: number } | null, isDown: boolean): Placed['arcs'][number] {
  const turn = (out: number, along: number): Point =>
    isDown
      ? { x: node.x + node.width / 2 + out, y: node.y + along }
      : { x: node.x + along, y: node.y + node.height / 2 + out };
  const points = [turn(0, -9), turn(22, -17), turn(28, 0), turn(22, 17), turn(0, 9)];
  const place = isDown ? turn(loopSize + (label?.width ?? 0) / 2, 0) : turn(loopSize + 6, 0);
  return { points, label: label && place };
}
