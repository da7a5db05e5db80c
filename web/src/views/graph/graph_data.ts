// What the call graph shows: the central function, levels, limits.

import { type Accessor, createEffect, createMemo, onCleanup } from 'solid-js';
import type { Asked } from '../../app/answers';
import type { App } from '../../app/app';
import type { Layout, Size } from '../../model/graph';
import { type ColorBy, tellingColor } from '../../model/picture_style';
import { functionOptions, type Name, nameOf, sameName } from '../../model/state';
import type { Func, GraphAnswer, GraphNode } from '../../protocol/protocol';
import { functionOption, numberOption, oneOf, setOptions } from '../pictures/options';

export interface Limit {
  key: string;
  label: string;
  usual: number;
  values: number[];
  word(value: number): string;
}

export const forWindow = 0;
const mostAsked = 100; // of which those that suit the window are drawn
// With their lines they fill the window, and some of what is below.
export const boxesFor = ({ width, height }: Size) => Math.max(18, Math.round((width * height) / 22_000));

const noEnd = 1000;
const levels = (value: number) => (value >= noEnd ? 'All' : String(value));
const share = (value: number) => (value === 0 ? 'All' : `from ${value * 100} %`);

export const limits = {
  callers: {
    key: 'graph.callers',
    label: 'Levels of callers',
    usual: 2,
    values: [0, 1, 2, 3, 5, 10, noEnd],
    word: levels,
  },
  callees: {
    key: 'graph.callees',
    label: 'Levels of callees',
    usual: 4,
    values: [0, 1, 2, 4, 6, 10, noEnd],
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
    usual: forWindow,
    values: [forWindow, 25, 50, 100, 200, 400, 1000],
    word: value => (value === forWindow ? 'What suits the window' : String(value)),
  },
} satisfies Record<string, Limit>;

export interface GraphData {
  ofProgram: Accessor<boolean>;
  middle: Accessor<Name | null>; // null: the whole program
  middleId: Accessor<number | undefined>;
  middleMissing: Accessor<boolean>;
  layout: Accessor<Layout | 'auto'>;
  folds: Accessor<boolean>; // chains of single calls
  isOpened(key: string): boolean; // a chain
  setOpened(keys: readonly string[], isOpened: boolean): void;
  colorBy: Accessor<ColorBy>;
  limit(limit: Limit): number;
  asked: Asked<GraphAnswer>;
  selves: Accessor<Float64Array>; // of the nodes
  showAround(func: Func | Name): void;
  showProgram(): void;
  select(node: GraphNode): void; // without moving the picture
}

export function useGraph(app: App): GraphData {
  const pinned = () => functionOption(app.navigation, 'graph.middle');
  const ofProgram = () =>
    app.navigation.option('graph.of', '') === 'program' || (!pinned() && app.state.selection === null);
  // A copy: the selection itself changes in place.
  const chosen = () => pinned() ?? (app.state.selection && nameOf(app.state.selection));
  const middle = createMemo(() => (ofProgram() ? null : chosen()), undefined, { equals: sameName });
  const id = app.selection.idOf(middle);
  const limit = (one: Limit) => numberOption(app.navigation, one.key, one.usual, 0, Number.MAX_SAFE_INTEGER);
  const layout = () => oneOf(app.navigation, 'graph.layout', ['auto', 'down', 'right'] as const);
  const folds = () => oneOf(app.navigation, 'graph.fold', ['yes', 'no'] as const) === 'yes';
  const opened = createMemo(() => new Set(app.navigation.option('graph.open', '').split(' ').filter(Boolean)));

  const asked = app.answers.follow(() => {
    const now = id();
    if (middle() && typeof now !== 'number') return null;
    return app.answers.question({
      ask: 'graph' as const,
      ...(typeof now === 'number' && { id: now }),
      callers: limit(limits.callers),
      callees: limit(limits.callees),
      node_share: limit(limits.nodes),
      arc_share: limit(limits.arcs),
      most: limit(limits.most) || mostAsked,
    });
  });

  // A function selected elsewhere that is not in the graph becomes its centre.
  createEffect(() => {
    const answer = asked.value();
    const selected = app.selection.selected();
    if (!pinned() || !selected || !answer || !asked.current()) return;
    if (!answer.nodes.some(node => node.id === selected.id)) setOptions(app, functionOptions('graph.middle', null));
  });
  // When one comes back, it is with a function to look at.
  onCleanup(() => {
    if (app.state.view !== 'graph' && pinned()) setOptions(app, functionOptions('graph.middle', null));
  });

  const selves = createMemo(() => {
    const nodes = asked.value()?.nodes ?? [];
    return Float64Array.from(nodes, node => Math.max(0, Number(node.self[0] ?? 0)));
  });
  const telling = createMemo(() => tellingColor(asked.value()?.nodes ?? [], selves()));
  const colorBy = () => {
    const wanted = oneOf(app.navigation, 'pictures.color', ['', 'object', 'file', 'namespace', 'cost'] as const);
    return wanted === '' ? telling() : wanted;
  };

  return {
    ofProgram,
    middle,
    middleId: () => (middle() ? (id() ?? undefined) : undefined),
    middleMissing: () => middle() !== null && id() === null,
    layout,
    folds,
    isOpened: key => opened().has(key),
    setOpened(keys, isOpened) {
      const now = [...opened()].filter(key => !keys.includes(key));
      setOptions(app, { 'graph.open': [...now, ...(isOpened ? keys.slice(0, 1) : [])].join(' ') || null });
    },
    colorBy,
    limit,
    asked,
    selves,
    showAround(func) {
      if ('id' in func) app.selection.remember(func);
      app.selection.select(func, 'replace');
      setOptions(app, { ...functionOptions('graph.middle', func), 'graph.of': null }, 'push');
    },
    showProgram() {
      setOptions(app, { 'graph.of': 'program', ...functionOptions('graph.middle', null) }, 'push');
    },
    select(node) {
      if (ofProgram()) setOptions(app, { 'graph.of': 'program' });
      else setOptions(app, functionOptions('graph.middle', middle()));
      app.selection.select(node, 'replace');
    },
  };
}
