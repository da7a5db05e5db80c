// The call graph for drawing: adjacency, reduction to what is drawn, and the shapes of lines.

import { type Cost, compare, magnitude } from '../protocol/cost';
import type { GraphArc, GraphNode } from '../protocol/protocol';

// A function, or a chain of functions: the first one with the self cost of all.
export interface GraphBox extends GraphNode {
  folded?: readonly GraphNode[];
  chain?: readonly GraphNode[]; // that it is of, opened
  allCallers?: number; // drawn or not
}

export interface Graph {
  nodes: GraphBox[];
  arcs: GraphArc[];
  callers: number[][]; // of each node: arcs to it, most expensive first
  callees: number[][]; // and from it
}

// How many callers of a box have no line.
export function hiddenCallers(graph: Graph, node: number): number {
  return Math.max(0, (graph.nodes[node]?.allCallers ?? 0) - graph.callers[node]!.length);
}

export interface Point {
  x: number;
  y: number;
}

export interface PlacedNode extends Point {
  // x, y: the middle
  width: number;
  height: number;
}

export type Layout = 'down' | 'right';

export interface Placed {
  layout: Layout;
  width: number;
  height: number;
  nodes: PlacedNode[];
  arcs: { points: Point[]; label: Point | null }[];
}

export interface Size {
  width: number;
  height: number;
}

export interface LayoutInput {
  nodes: (Size & { priority: number })[]; // the highest come first where they are free to
  arcs: { from: number; to: number; weight: number; back?: boolean; label: Size | null }[]; // back: against the order
  layout: Layout | 'auto'; // auto: whichever fits the window better
  window: Size;
}

const costOf = (arc: GraphArc): Cost => magnitude(arc.cost[0] ?? 0);

export function graphOf(answer: Pick<Graph, 'nodes' | 'arcs'>): Graph {
  const { nodes, arcs } = answer;
  const callers: number[][] = nodes.map(() => []);
  const callees: number[][] = nodes.map(() => []);
  const order = arcs.map((_, index) => index).sort((a, b) => compare(costOf(arcs[b]!), costOf(arcs[a]!)) || a - b);
  for (const index of order) {
    const { from, to } = arcs[index]!;
    callees[from]?.push(index);
    callers[to]?.push(index);
  }
  return { nodes, arcs, callers, callees };
}

export type Move = 'up' | 'down' | 'left' | 'right';

const turned: Record<Move, Move> = { up: 'left', left: 'up', down: 'right', right: 'down' };

// Adjacency of any graph.
export interface Ways {
  arcs: readonly { from: number; to: number }[];
  callers: readonly (readonly number[])[]; // of each node: arcs to it, the first is the one to go along
  callees: readonly (readonly number[])[];
}

// The next node along the most expensive call to a caller or callee, or the sibling; the node itself if there is none.
export function nextNode(graph: Ways, placed: Placed, node: number, move: Move): number {
  const { layout } = placed;
  const meant = layout === 'down' ? move : turned[move];
  const along = (arcs: readonly number[] | undefined, end: 'from' | 'to') =>
    (arcs ?? []).map(arc => graph.arcs[arc]![end]).find(other => other !== node);
  if (meant === 'up') return along(graph.callers[node], 'from') ?? node;
  if (meant === 'down') return along(graph.callees[node], 'to') ?? node;
  const across = (place: PlacedNode) => (layout === 'down' ? place.x : place.y);
  const rank = (place: PlacedNode) => (layout === 'down' ? place.y : place.x);
  const here = placed.nodes[node];
  if (!here) return node;
  const sign = meant === 'left' ? -1 : 1;
  let best = node;
  let nearest = Number.POSITIVE_INFINITY;
  placed.nodes.forEach((place, index) => {
    const distance = (across(place) - across(here)) * sign;
    if (index === node || Math.abs(rank(place) - rank(here)) > 1 || distance <= 0 || distance >= nearest) return;
    best = index;
    nearest = distance;
  });
  return best;
}

const number = (value: number) => String(Math.round(value * 10) / 10);
const point = ({ x, y }: Point) => `${number(x)} ${number(y)}`;

function between(a: Point, b: Point, part: number): Point {
  return { x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part };
}

// The line shortened at its end, where the arrow is.
function trimmed(points: readonly Point[], length: number): Point[] {
  const last = points[points.length - 1]!;
  const before = points[points.length - 2] ?? last;
  const distance = Math.hypot(last.x - before.x, last.y - before.y);
  if (distance <= length) return [...points];
  return [...points.slice(0, -1), between(last, before, length / distance)];
}

// A smooth line through the neighbourhood of all points: a uniform B-spline.
export function curve(points: readonly Point[], arrow: number): string {
  if (points.length < 2) return '';
  const line = trimmed(points, arrow);
  const parts = [`M${point(line[0]!)}`];
  if (line.length === 2) return `${parts[0]}L${point(line[1]!)}`;
  const weighted = (a: Point, b: Point, c: Point, d: number, e: number, f: number): Point => ({
    x: (a.x * d + b.x * e + c.x * f) / (d + e + f),
    y: (a.y * d + b.y * e + c.y * f) / (d + e + f),
  });
  parts.push(`L${point(weighted(line[0]!, line[1]!, line[1]!, 5, 1, 0))}`);
  for (let at = 1; at < line.length; at++) {
    const a = line[at - 1]!;
    const b = line[at]!;
    const c = line[at + 1] ?? b;
    parts.push(`C${point(between(a, b, 1 / 3))} ${point(between(a, b, 2 / 3))} ${point(weighted(a, b, c, 1, 4, 1))}`);
  }
  parts.push(`L${point(line[line.length - 1]!)}`);
  return parts.join('');
}

// A triangle at the end of the line.
export function arrowHead(points: readonly Point[], length: number): string {
  const tip = points[points.length - 1];
  const before = points[points.length - 2];
  if (!tip || !before) return '';
  const distance = Math.hypot(tip.x - before.x, tip.y - before.y) || 1;
  const along = { x: ((tip.x - before.x) / distance) * length, y: ((tip.y - before.y) / distance) * length };
  const half = 0.42;
  const left = { x: tip.x - along.x - along.y * half, y: tip.y - along.y + along.x * half };
  const right = { x: tip.x - along.x + along.y * half, y: tip.y - along.y - along.x * half };
  return `M${point(tip)}L${point(left)}L${point(right)}Z`;
}

// Line width from 1 to 7 pixels, by share of the cost.
export function lineWidth(share: number | null): number {
  return 1 + 6 * Math.sqrt(Math.max(0, Math.min(1, share ?? 0)));
}
