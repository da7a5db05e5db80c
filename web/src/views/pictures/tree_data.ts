// What flame graph and treemap are drawn from: the tree, its sizes, zoom, cursor, and search matches.

import { type Accessor, createEffect, createMemo, createSignal, on, onCleanup, untrack } from 'solid-js';
import type { Answers, Asked } from '../../app/answers';
import type { App } from '../../app/app';
import { foldChains } from '../../model/chains';
import { counted } from '../../model/format';
import type { ColorBy } from '../../model/picture_style';
import { colorWays, tellingColor } from '../../model/picture_style';
import { functionOptions, type Name, nameOf, sameName } from '../../model/state';
import {
  areasOf,
  funcOf,
  isBelow,
  kinds,
  parentOf,
  rowOfKey,
  type Size,
  type Sizes,
  selfSizes,
  shareFound,
  sizesOf,
  type Tree,
  treeOf,
} from '../../model/tree';
import type { Func, TreeAnswer } from '../../protocol/protocol';
import { functionOption, numberOption, oneOf, setOptions } from './options';

export type Direction = 'callees' | 'callers';
export type Chains = 'long' | 'all' | 'none'; // which ones are folded

export interface Found {
  functions: Uint8Array; // by index of the answer's functions
  frames: number;
  share: number; // of the whole, none counted twice
  isEstimated: boolean;
}

export interface TreeData {
  key(name: string): string; // of an option of this view
  direction: Accessor<Direction>;
  folded: Accessor<boolean>;
  certainOnly: Accessor<boolean>;
  size: Accessor<Size>;
  colorBy: Accessor<ColorBy>;
  frames: Accessor<number>;
  root: Accessor<Name | null>;
  rootMissing: Accessor<boolean>;
  setRoot(func: Func | Name | null, direction?: Direction): void;

  asked: Asked<TreeAnswer>;
  whole: Accessor<Tree | undefined>; // with every box that the engine gave
  tree: Accessor<Tree | undefined>; // that is drawn: chains are folded
  sizes: Accessor<Sizes>;
  chains: Accessor<Chains>;
  setChains(chains: Chains): void;
  openChain(row: number): void;
  selves: Accessor<Float64Array>; // self cost in the picture, by index of the answer's functions

  zoom: Accessor<number>; // row; -1: all
  setZoom(row: number): void;
  group: Accessor<readonly number[] | null>; // rows below it that alone are drawn: they are small
  setGroup(rows: readonly number[]): void;
  out(): boolean; // one step; false: there is none
  selected: Accessor<ReadonlySet<number>>; // of the answer's functions, those that are the selected one
  cursor: Accessor<number>; // row; -1: none
  setCursor(row: number): void;
  select(row: number): void; // and look at its function

  found: Accessor<Found | null>; // null: nothing is searched
  isFound(row: number): boolean;
  nextMatch(step: 1 | -1): boolean; // moves the cursor there
}

export const usualFrames = 20_000;

// `half`: of a sandwich, the paths that lead to the selected function, or those that it begins.
export function useTree(app: App, view: 'flame' | 'treemap' | 'sandwich', half?: Direction): TreeData {
  const key = (name: string) => `${view}.${half === 'callers' && name === 'zoom' ? 'zoom_callers' : name}`;
  const direction = () => half ?? oneOf(app.navigation, key('direction'), ['callees', 'callers'] as const);
  const folded = () => app.navigation.option(key('recursion'), 'fold') !== 'unfold';
  const certainOnly = () => !app.measure.comparing() && app.navigation.option(key('certain'), 'no') === 'yes';
  const frames = () => numberOption(app.navigation, key('frames'), usualFrames, 100, 200_000);
  const size = createMemo<Size>(() => {
    if (certainOnly()) return 'least';
    if (!app.measure.comparing()) return 'estimate';
    const by = oneOf(app.navigation, key('size'), ['larger', 'after', 'before'] as const);
    return by === 'after' ? 'estimate' : by;
  });

  const root = createMemo(() =>
    half ? app.state.selection && nameOf(app.state.selection) : functionOption(app.navigation, key('root')),
  );
  const rootId = app.selection.idOf(root);
  function setRoot(func: Func | Name | null, to?: Direction) {
    if (func && half && !to) return app.selection.activate(func, view);
    if (func && 'id' in func) app.selection.remember(func);
    const of = half ? 'flame' : view;
    setOptions(
      app,
      {
        ...functionOptions(`${of}.root`, func),
        [`${of}.zoom`]: null,
        ...(to && { [`${of}.direction`]: to === 'callees' ? null : to }),
      },
      half ? 'replace' : 'push',
    );
    if (half) app.navigation.go(of);
  }

  const asked = app.answers.follow(() => {
    const id = rootId();
    if (root() && typeof id !== 'number') return null;
    return app.answers.question({
      ask: 'tree' as const,
      direction: direction(),
      ...(typeof id === 'number' && { root: id }),
      ...(!folded() && { recursion: 'unfold' as const }),
      ...(frames() !== usualFrames && { frames: frames() }),
    });
  });
  // All functions with self cost are there, but some of them in one box: their number is that of the table's rows.
  const isInverted = () => direction() === 'callers' && !root();
  const all = app.answers.follow(() => {
    const frames = isInverted() && asked.current() ? asked.value()?.frames : undefined;
    if (!frames?.kind.some((kind, row) => kind === kinds.notExpanded && frames.parent[row]! < 0)) return null;
    return app.answers.question({ ask: 'call_tree' as const, direction: 'callers' as const, limit: 1 });
  });
  const rest = () => {
    const level = all.current() ? all.value()?.levels[0] : undefined;
    const now = asked.value();
    if (!level || !now) return 0;
    const isFunction = (kind: number, row: number) => kind === kinds.function && now.frames.parent[row]! < 0;
    return Math.max(0, level.rows.length + level.omitted_rows - now.frames.kind.filter(isFunction).length);
  };
  const whole = createMemo(() => {
    const answer = asked.value();
    return answer && { ...treeOf(answer), ...(isInverted() && { rest }) };
  });
  const noSizes: Sizes = { by: 'estimate', whole: 0, of: new Float64Array(), own: new Float64Array() };
  const wholeSizes = createMemo(() => (whole() ? sizesOf(whole()!, size()) : noSizes));
  const functions = useFound(app, () => whole()?.answer.functions);

  const chains = () =>
    view !== 'treemap' ? oneOf(app.navigation, key('chains'), ['long', 'all', 'none'] as const) : 'none';
  const [opened, setOpened] = createSignal<ReadonlySet<string>>(new Set<string>());
  const tree = createMemo(() => {
    const now = whole();
    if (!now || chains() === 'none') return now;
    const hits = functions();
    const zoomKey = app.navigation.option(key('zoom'), '');
    return foldChains(now, wholeSizes(), {
      least: chains() === 'all' ? 3 : 5,
      alone: row => hits?.[now.frames.function[row]!] === 1 || now.keys[row] === zoomKey,
      isOpen: row => opened().has(now.keys[row]!),
    });
  });
  const sizes = createMemo(() => {
    const now = tree();
    return now && now !== whole() ? sizesOf(now, size()) : wholeSizes();
  });

  const zoom = createMemo(() => {
    const now = tree();
    const row = now ? rowOfKey(now, app.navigation.option(key('zoom'), '')) : -1;
    return row >= 0 && sizes().of[row]! > 0 ? row : -1;
  });
  const [group, setGroup] = createSignal<readonly number[] | null>(null);
  createEffect(on([tree, zoom], () => setGroup(null)));
  function setZoom(row: number) {
    setGroup(null);
    const now = tree();
    if (now && row !== zoom()) setOptions(app, { [key('zoom')]: row < 0 ? null : now.keys[row]! }, 'push');
  }

  // The cursor stays at its path when the tree is another one.
  const [cursorKey, setCursorKey] = createSignal('');
  const cursor = createMemo(() => {
    const now = tree();
    return now ? rowOfKey(now, cursorKey()) : -1;
  });
  const setCursor = (row: number) => setCursorKey(tree()?.keys[row] ?? '');
  function select(row: number) {
    setCursor(row);
    const now = tree();
    const func = now && !half && funcOf(now, row); // a sandwich stays around its own
    if (func) app.selection.select(func, 'replace');
  }

  const selected = createMemo(() => {
    const now = app.selection.selected();
    const rows = new Set<number>();
    whole()?.answer.functions.forEach((func, index) => {
      if (now && (func.id === now.id || sameName(func, now.name))) rows.add(index);
    });
    return rows;
  });
  const found = createMemo<Found | null>(() => {
    const now = whole();
    const hits = functions();
    if (!now || !hits) return null;
    const is = (row: number) => hits[now.frames.function[row]!] === 1;
    let count = 0;
    for (let row = 0; row < now.count; row++) if (is(row)) count++;
    return { functions: hits, frames: count, ...shareFound(now, wholeSizes(), is) };
  });

  const selves = createMemo(() => {
    const now = whole();
    return now ? selfSizes(now, wholeSizes(), direction() === 'callers') : new Float64Array();
  });
  const telling = createMemo(() => {
    const now = whole();
    return now ? tellingColor(now.answer.functions, selves(), 'function', areasOf(now, wholeSizes())) : 'function';
  });
  const colorBy = () => {
    const chosen = oneOf<ColorBy | ''>(app.navigation, 'pictures.color', ['', ...colorWays.map(way => way.value)]);
    return chosen || telling();
  };

  const isFound = (row: number) => {
    const now = tree();
    return found()?.functions[now?.frames.function[row] ?? -1] === 1;
  };
  function nextMatch(step: 1 | -1): boolean {
    const now = tree();
    if (!now || !found()?.frames) return false;
    let row = cursor() < 0 && step < 0 ? 0 : cursor();
    for (let tried = 0; tried < now.count; tried++) {
      row = (row + step + now.count) % now.count;
      if (!isFound(row) || !(sizes().of[row]! > 0)) continue;
      if (!isBelow(now, row, zoom())) setZoom(-1);
      setCursor(row);
      return true;
    }
    return false;
  }

  return {
    key,
    direction,
    folded,
    certainOnly,
    size,
    colorBy,
    frames,
    root,
    rootMissing: () => root() !== null && rootId() === null,
    setRoot,
    asked,
    whole,
    tree,
    sizes,
    chains,
    setChains(now) {
      setOpened(new Set<string>());
      app.navigation.setOption(key('chains'), now === 'long' ? null : now);
    },
    openChain(row) {
      const opens = tree()?.keys[row];
      if (opens === undefined) return;
      setOpened(new Set([...opened(), opens]));
      setCursorKey(opens);
    },
    selves,
    zoom,
    setZoom,
    group,
    setGroup,
    out() {
      const now = tree();
      if (group()) {
        setGroup(null);
        return true;
      }
      if (!now || zoom() < 0) return false;
      let above = parentOf(now, zoom());
      // Steps without a visible change are skipped.
      while (above >= 0 && sizes().of[above]! < 1.1 * sizes().of[zoom()]!) above = parentOf(now, above);
      setZoom(above);
      return true;
    },
    selected,
    cursor,
    setCursor,
    select,
    found,
    isFound,
    nextMatch,
  };
}

// The functions that match the search. Substrings are matched here; the engine matches expressions,
// in linear time.
export function useFound(app: App, functions: () => readonly Func[] | undefined): Accessor<Uint8Array | null> {
  const search = () => app.state.search;
  const isExpression = () => /^\/.+\/$/.test(search());
  const [ids, setIds] = createSignal<ReadonlySet<number> | null>(null);
  createEffect(
    on([search, app.answers.common], () => {
      setIds(null);
      if (!isExpression()) return;
      const stop = new AbortController();
      onCleanup(() => stop.abort());
      void allMatching(app.answers, untrack(search), stop.signal).then(
        all => stop.signal.aborted || setIds(all),
        () => stop.signal.aborted || setIds(new Set<number>()),
      );
    }),
  );
  return createMemo(() => {
    const all = functions();
    const text = search();
    if (!all || text === '') return null;
    const hits = new Uint8Array(all.length);
    const piece = text.toLowerCase();
    const found = ids();
    all.forEach((func, index) => {
      const hit = isExpression()
        ? (found?.has(func.id) ?? false)
        : `${func.name}${func.context ?? ''}`.toLowerCase().includes(piece);
      if (hit) hits[index] = 1;
    });
    return hits;
  });
}

async function allMatching(answers: Answers, search: string, signal: AbortSignal): Promise<Set<number>> {
  const ids = new Set<number>();
  const limit = 5000;
  for (let offset = 0; ; offset += limit) {
    const list = await answers.engine.ask(
      answers.question({ ask: 'functions' as const, search, offset, limit }),
      signal,
    );
    for (const row of list.rows) ids.add(row.id);
    if (list.rows.length < limit || ids.size >= list.matching) return ids;
  }
}

export function foundText(found: Found, percent: (part: number) => string): string {
  return `${counted(found.frames, 'box', 'boxes')}, ${found.isEstimated ? '~' : ''}${percent(found.share)}`;
}
