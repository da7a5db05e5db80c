// What the call graph shows: around which function, how far, and what of it is worth drawing.

import { type Accessor, createEffect, createMemo, onCleanup } from 'solid-js';
import type { App, Asked } from '../../app';
import type { Func, GraphAnswer, GraphNode } from '../../engine/protocol';
import type { Layout } from '../../model/graph';
import { type ColourBy, telling_colour } from '../../model/picture_style';
import { type Name, name_of, same_name } from '../../model/state';
import { function_option, function_options, number_option, one_of, set_options } from '../pictures/options';

export interface Limit {
  key: string;
  label: string;
  usual: number;
  values: number[];
  word(value: number): string;
}

const no_end = 1000;
const levels = (value: number) => (value >= no_end ? 'All' : String(value));
const share = (value: number) => (value === 0 ? 'All' : `from ${value * 100} %`);

export const limits = {
  callers: {
    key: 'graph.callers',
    label: 'Levels of callers',
    usual: 2,
    values: [0, 1, 2, 3, 5, 10, no_end],
    word: levels,
  },
  callees: {
    key: 'graph.callees',
    label: 'Levels of callees',
    usual: 4,
    values: [0, 1, 2, 4, 6, 10, no_end],
    word: levels,
  },
  nodes: {
    key: 'graph.node_share',
    label: 'Functions',
    usual: 0.01,
    values: [0, 0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5],
    word: share,
  },
  arcs: {
    key: 'graph.arc_share',
    label: 'Calls',
    usual: 0.005,
    values: [0, 0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5],
    word: share,
  },
  most: {
    key: 'graph.most',
    label: 'Functions at most',
    usual: 100,
    values: [25, 50, 100, 200, 400, 1000],
    word: String,
  },
} satisfies Record<string, Limit>;

export interface GraphData {
  of_program: Accessor<boolean>;
  middle: Accessor<Name | null>; // null: the whole program
  middle_id: Accessor<number | undefined>;
  middle_missing: Accessor<boolean>;
  layout: Accessor<Layout>;
  colour_by: Accessor<ColourBy>;
  limit(limit: Limit): number;
  asked: Asked<GraphAnswer>;
  selves: Accessor<Float64Array>; // of the nodes
  show_around(func: Func | Name): void;
  show_program(): void;
  select(node: GraphNode): void; // without moving the picture
}

export function use_graph(app: App): GraphData {
  const pinned = () => function_option(app, 'graph.middle');
  const of_program = () => app.option('graph.of', '') === 'program' || (!pinned() && app.state.selection === null);
  // A copy: the selection itself changes in place.
  const chosen = () => pinned() ?? (app.state.selection && name_of(app.state.selection));
  const middle = createMemo(() => (of_program() ? null : chosen()), undefined, { equals: same_name });
  const id = app.id_of(middle);
  const limit = (one: Limit) => number_option(app, one.key, one.usual, 0, Number.MAX_SAFE_INTEGER);
  const layout = () => one_of(app, 'graph.layout', ['down', 'right'] as const);

  const asked = app.use_answer(() => {
    const now = id();
    if (middle() && typeof now !== 'number') return null;
    return app.question({
      ask: 'graph' as const,
      ...(typeof now === 'number' && { id: now }),
      callers: limit(limits.callers),
      callees: limit(limits.callees),
      node_share: limit(limits.nodes),
      arc_share: limit(limits.arcs),
      most: limit(limits.most),
    });
  });

  // A function that was selected elsewhere and is not in the picture becomes its middle.
  createEffect(() => {
    const answer = asked.value();
    const selected = app.selected();
    if (!pinned() || !selected || !answer || !asked.current()) return;
    if (!answer.nodes.some(node => node.id === selected.id)) set_options(app, function_options('graph.middle', null));
  });
  // When one comes back, it is with a function to look at.
  onCleanup(() => {
    if (app.state.view !== 'graph' && pinned()) set_options(app, function_options('graph.middle', null));
  });

  const selves = createMemo(() => {
    const nodes = asked.value()?.nodes ?? [];
    return Float64Array.from(nodes, node => Math.max(0, Number(node.self[0] ?? 0)));
  });
  const telling = createMemo(() => telling_colour(asked.value()?.nodes ?? [], selves()));
  const colour_by = () => {
    const wanted = one_of(app, 'pictures.colour', ['', 'object', 'file', 'namespace', 'cost'] as const);
    return wanted === '' ? telling() : wanted;
  };

  return {
    of_program,
    middle,
    middle_id: () => (middle() ? (id() ?? undefined) : undefined),
    middle_missing: () => middle() !== null && id() === null,
    layout,
    colour_by,
    limit,
    asked,
    selves,
    show_around(func) {
      if ('id' in func) app.remember(func);
      app.select(func, 'replace');
      set_options(app, { ...function_options('graph.middle', func), 'graph.of': null }, 'push');
    },
    show_program() {
      set_options(app, { 'graph.of': 'program', ...function_options('graph.middle', null) }, 'push');
    },
    select(node) {
      if (of_program()) set_options(app, { 'graph.of': 'program' });
      else set_options(app, function_options('graph.middle', middle()));
      app.select(node, 'replace');
    },
  };
}
