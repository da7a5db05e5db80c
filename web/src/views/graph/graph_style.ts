// What the boxes of the call graph look like, and how large they are.

import type { App } from '../../app/app';
import { brief, change, counted } from '../../model/format';
import type { LayoutInput, Size } from '../../model/graph';
import { type Graph, type GraphBox, lineWidth } from '../../model/graph';
import { groupOf, pictureChange, shade, shadesOf } from '../../model/picture_style';
import { type Cost, magnitude, share, toNumber } from '../../protocol/cost';
import type { Bounds, GraphArc, GraphNode } from '../../protocol/protocol';
import { leastText } from '../node_link/camera';
import { changeFill, costLabel } from '../node_link/change_style';
import type { LineLook } from '../node_link/node_link';
import type { Measure } from '../pictures/canvas_surface';
import type { GraphData } from './graph_data';
import { arcLabel } from './graph_labels';

export const nodeHeight = 46;
const leastWidth = 132;
const mostWidth = 232;

export interface NodeLook {
  fill: string;
  mark: string;
  labels: readonly string[];
  inclusive: string;
  self: string;
}

export function nodeLooks(app: App, data: GraphData, graph: Graph): (node: number) => NodeLook {
  const palette = app.palette();
  const shades = shadesOf(palette);
  const by = data.colorBy();
  const comparing = app.measure.comparing();
  const largestSelf = graph.nodes.reduce((most, node) => Math.max(most, toNumber(node.self[0] ?? 0)), 0);
  const delta = (node: GraphNode) => Math.abs(pictureChange(node.inclusive_before?.[0], node.inclusive[0]).delta);
  const largestChange = graph.nodes.reduce((most, node) => Math.max(most, delta(node)), 0);

  function fill(node: GraphNode): { fill: string; mark: string } {
    if (comparing) {
      const changed = pictureChange(node.inclusive_before?.[0], node.inclusive[0]);
      return { fill: changeFill(shades, changed, largestChange), mark: changed.mark };
    }
    if (by === 'cost')
      return { fill: shade(shades.heat, largestSelf > 0 ? toNumber(node.self[0] ?? 0) / largestSelf : 0), mark: '' };
    return { fill: palette.fill(groupOf(node, by)), mark: '' };
  }
  return index => {
    const node = graph.nodes[index]!;
    const about = (bounds: Bounds | undefined) => (bounds?.[0] ? '~' : '');
    return {
      ...fill(node),
      labels: labelsOf(app, node),
      inclusive: `${about(node.inclusive_bounds)}${costLabel(app, node.inclusive[0], node.inclusive_before?.[0])}`,
      self: node.folded
        ? counted(node.folded.length, 'function')
        : `self ${about(node.self_bounds)}${app.measure.label(node.self[0] ?? null)}`,
    };
  };
}

// The first and the last function of a chain.
function labelsOf(app: App, { folded, ...node }: GraphBox): string[] {
  const first = app.names.labels(node);
  const last = folded && app.names.labels(folded.at(-1)!);
  if (!last) return first;
  const pairs = Math.max(first.length, last.length);
  return Array.from({ length: pairs }, (_, at) => `${first[at] ?? first.at(-1)} … ${last[at] ?? last.at(-1)}`);
}

// `parent`: what percentages are of. `whole`: the cost of the widest line.
export function callLook(app: App, arc: GraphArc, parent: Cost | null | undefined, whole: Cost): LineLook {
  const cost = arc.cost[0] ?? 0;
  const before = arc.cost_before?.[0];
  const changed = app.measure.comparing() && before !== undefined && before !== null;
  // The cost of nested calls is counted repeatedly: never a percentage.
  const width = arc.counted_again ? 1.5 : lineWidth(share(cost, whole) ?? 0);
  return {
    kind: `graph-call ${arc.recursive ? 'recursive' : ''} ${changed ? change(before, cost, brief).direction : ''}`,
    head: 7 + width * 1.2,
    width,
    label: `${arc.recursive ? '↻ ' : ''}${arcLabel(app.measure, arc, parent ?? undefined)}`,
  };
}

export function layoutInput(
  app: App,
  graph: Graph,
  looks: (node: number) => NodeLook,
  layout: LayoutInput['layout'],
  window: Size,
  measure: Measure,
  middle: number,
): LayoutInput {
  const parent = graph.nodes[middle]?.inclusive[0] ?? undefined;
  const costs = graph.arcs.map(arc => Math.abs(toNumber(arc.cost[0] ?? 0)));
  const largest = costs.reduce((most, cost) => Math.max(most, cost), 0);
  return {
    layout,
    window,
    nodes: graph.nodes.map((box, index) => {
      const { labels, inclusive, self } = looks(index);
      const name = measure(labels.find(label => measure(label, 12) < mostWidth - 40) ?? labels[labels.length - 1]!, 12);
      const numbers = measure(`${inclusive}   ${self}`, leastText);
      return {
        width: Math.round(Math.max(leastWidth, Math.min(mostWidth, Math.max(name + 50, numbers + 20)))),
        height: nodeHeight,
        priority: Math.max(
          toNumber(magnitude(box.inclusive[0] ?? box.self[0] ?? 0)),
          ...graph.callers[index]!.map(arc => costs[arc]!),
        ),
      };
    }),
    arcs: graph.arcs.map((arc, index) => ({
      from: arc.from,
      to: arc.to,
      weight: 1 + Math.round(largest > 0 ? (9 * costs[index]!) / largest : 0),
      back: arc.recursive,
      label: { width: measure(`↻ ${arcLabel(app.measure, arc, parent)}`, leastText) + 6, height: 15 },
    })),
  };
}
