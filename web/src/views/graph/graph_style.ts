// What the boxes of the call graph look like, and how large they are.

import type { App } from '../../app';
import type { GraphArc, GraphNode } from '../../engine/protocol';
import { type Cost, share, to_number } from '../../model/cost';
import { brief, change } from '../../model/format';
import { type Graph, type Layout, line_width } from '../../model/graph';
import type { LayoutInput } from '../../model/graph_layout';
import { label_choices } from '../../model/labels';
import { group_of, picture_change, shade, shades_of } from '../../model/picture_style';
import { change_fill, cost_label } from '../node_link/change_look';
import type { LineLook } from '../node_link/node_link';
import type { Measure } from '../pictures/canvas_surface';
import type { GraphData } from './graph_data';
import { arc_label } from './graph_labels';

export const node_height = 46;
const least_width = 132;
const most_width = 232;

export interface NodeLook {
  fill: string;
  mark: string;
  labels: readonly string[];
  inclusive: string;
  self: string;
}

export function node_looks(app: App, data: GraphData, graph: Graph): (node: number) => NodeLook {
  const palette = app.palette();
  const shades = shades_of(palette);
  const by = data.colour_by();
  const comparing = app.comparing();
  const largest_self = graph.nodes.reduce((most, node) => Math.max(most, to_number(node.self[0] ?? 0)), 0);
  const delta = (node: GraphNode) => Math.abs(picture_change(node.inclusive_before?.[0], node.inclusive[0]).delta);
  const largest_change = graph.nodes.reduce((most, node) => Math.max(most, delta(node)), 0);

  function fill(node: GraphNode): { fill: string; mark: string } {
    if (comparing) {
      const changed = picture_change(node.inclusive_before?.[0], node.inclusive[0]);
      return { fill: change_fill(shades, changed, largest_change), mark: changed.mark };
    }
    if (by === 'cost')
      return { fill: shade(shades.heat, largest_self > 0 ? to_number(node.self[0] ?? 0) / largest_self : 0), mark: '' };
    return { fill: palette.fill(group_of(node, by)), mark: '' };
  }
  return index => {
    const node = graph.nodes[index]!;
    const bound = node.most ? '≤ ' : '';
    return {
      ...fill(node),
      labels: label_choices(app.name(node)),
      inclusive: `${bound}${cost_label(app, node.inclusive[0], node.inclusive_before?.[0])}`,
      self: `self ${bound}${app.label(node.self[0] ?? null)}`,
    };
  };
}

// `parent`: what its numbers are parts of.
export function call_look(app: App, arc: GraphArc, parent: Cost | null | undefined): LineLook {
  const cost = arc.cost[0] ?? 0;
  const before = arc.cost_before?.[0];
  const changed = app.comparing() && before !== undefined && before !== null;
  // What recursion costs is counted again at each level: no part of anything.
  const width = arc.recursive ? 1.5 : line_width(share(cost, parent ?? app.base()) ?? 0);
  return {
    kind: `graph-call ${arc.recursive ? 'recursive' : ''} ${changed ? change(before, cost, brief).direction : ''}`,
    head: 7 + width * 1.2,
    width,
    label: `${arc.recursive ? '↻ ' : ''}${arc_label(app, arc, parent ?? undefined)}`,
  };
}

const many_arcs = 140;

export function layout_input(
  app: App,
  graph: Graph,
  looks: (node: number) => NodeLook,
  layout: Layout,
  measure: Measure,
  middle: number,
): LayoutInput {
  const parent = graph.nodes[middle]?.inclusive[0] ?? undefined;
  const costs = graph.arcs.map(arc => Math.abs(to_number(arc.cost[0] ?? 0)));
  const largest = costs.reduce((most, cost) => Math.max(most, cost), 0);
  // Numbers on all lines would be in the way of each other.
  const least = graph.arcs.length > many_arcs ? ([...costs].sort((a, b) => b - a)[many_arcs] ?? 0) : -1;
  return {
    layout,
    nodes: graph.nodes.map((_, index) => {
      const { labels, inclusive, self } = looks(index);
      const name = measure(
        labels.find(label => measure(label, 12) < most_width - 40) ?? labels[labels.length - 1]!,
        12,
      );
      const numbers = measure(`${inclusive}   ${self}`, 11);
      return {
        width: Math.round(Math.max(least_width, Math.min(most_width, Math.max(name + 40, numbers + 20)))),
        height: node_height,
      };
    }),
    arcs: graph.arcs.map((arc, index) => ({
      from: arc.from,
      to: arc.to,
      weight: 1 + Math.round(largest > 0 ? (9 * costs[index]!) / largest : 0),
      label: costs[index]! > least ? { width: measure(`↻ ${arc_label(app, arc, parent)}`, 10) + 6, height: 14 } : null,
    })),
  };
}
