// What flame graph and treemap are drawn from: the tree, its sizes, where the reader is in it, and what a search found.

import { type Accessor, createEffect, createMemo, createSignal, on, onCleanup, untrack } from 'solid-js';
import type { App, Asked } from '../../app';
import type { Func, TreeAnswer } from '../../engine/protocol';
import { counted } from '../../model/format';
import type { ColourBy } from '../../model/picture_style';
import { telling_colour } from '../../model/picture_style';
import { type Name, same_name } from '../../model/state';
import {
  func_of,
  is_below,
  parent_of,
  row_of_key,
  type Size,
  type Sizes,
  self_sizes,
  share_found,
  sizes_of,
  type Tree,
  tree_of,
} from '../../model/tree';
import { function_option, function_options, number_option, one_of, set_options } from './options';

export type Direction = 'callees' | 'callers';

export interface Found {
  functions: Uint8Array; // by index of the answer's functions
  frames: number;
  share: number; // of the whole, none counted twice
}

export interface TreeData {
  key(name: string): string; // of an option of this view
  direction: Accessor<Direction>;
  folded: Accessor<boolean>;
  certain_only: Accessor<boolean>;
  size: Accessor<Size>;
  colour_by: Accessor<ColourBy>;
  frames: Accessor<number>;
  root: Accessor<Name | null>;
  root_missing: Accessor<boolean>;
  set_root(func: Func | Name | null, direction?: Direction): void;

  asked: Asked<TreeAnswer>;
  tree: Accessor<Tree | undefined>;
  sizes: Accessor<Sizes>;
  selves: Accessor<Float64Array>; // self cost in the picture, by index of the answer's functions

  zoom: Accessor<number>; // row; -1: all
  set_zoom(row: number): void;
  out(): boolean; // one step; false: there is none
  selected: Accessor<ReadonlySet<number>>; // of the answer's functions, those that are the selected one
  cursor: Accessor<number>; // row; -1: none
  set_cursor(row: number): void;
  select(row: number): void; // and look at its function

  found: Accessor<Found | null>; // null: nothing is searched
  is_found(row: number): boolean;
  next_match(step: 1 | -1): boolean; // moves the cursor there
}

export const usual_frames = 20_000;

export function use_tree(app: App, view: 'flame' | 'treemap'): TreeData {
  const key = (name: string) => `${view}.${name}`;
  const direction = () => one_of(app, key('direction'), ['callees', 'callers'] as const);
  const folded = () => app.option(key('recursion'), 'fold') !== 'unfold';
  const certain_only = () => !app.comparing() && app.option(key('certain'), 'no') === 'yes';
  const frames = () => number_option(app, key('frames'), usual_frames, 100, 200_000);
  const size = createMemo<Size>(() => {
    if (certain_only()) return 'least';
    if (!app.comparing()) return 'estimate';
    const by = one_of(app, key('size'), ['larger', 'after', 'before'] as const);
    return by === 'after' ? 'estimate' : by;
  });

  const root = createMemo(() => function_option(app, key('root')));
  const root_id = app.id_of(root);
  function set_root(func: Func | Name | null, to?: Direction) {
    if (func && 'id' in func) app.remember(func);
    set_options(
      app,
      { ...function_options(key('root'), func), [key('zoom')]: null, ...(to && { [key('direction')]: usual(to) }) },
      'push',
    );
  }
  const usual = (to: Direction) => (to === 'callees' ? null : to);

  // Contexts of functions say more about who called whom. (Filters and roots name functions without them.)
  const knows_contexts = () =>
    app.profile().has.contexts && app.state.contexts === 'fold' && root() === null && app.state.chips.length === 0;
  const asked = app.use_answer(() => {
    const id = root_id();
    if (root() && typeof id !== 'number') return null;
    return app.question({
      ask: 'tree' as const,
      direction: direction(),
      ...(typeof id === 'number' && { root: id }),
      ...(!folded() && { recursion: 'unfold' as const }),
      ...(frames() !== usual_frames && { frames: frames() }),
      ...(knows_contexts() && { contexts: 'keep' as const }),
    });
  });
  const tree = createMemo(() => {
    const answer = asked.value();
    return answer && tree_of(app.state.contexts === 'fold' ? without_contexts(answer) : answer);
  });
  const no_sizes: Sizes = { by: 'estimate', whole: 0, of: new Float64Array(), own: new Float64Array() };
  const sizes = createMemo(() => {
    const now = tree();
    return now ? sizes_of(now, size()) : no_sizes;
  });

  const zoom = createMemo(() => {
    const now = tree();
    const row = now ? row_of_key(now, app.option(key('zoom'), '')) : -1;
    return row >= 0 && sizes().of[row]! > 0 ? row : -1;
  });
  function set_zoom(row: number) {
    const now = tree();
    if (now && row !== zoom()) set_options(app, { [key('zoom')]: row < 0 ? null : now.keys[row]! }, 'push');
  }

  // The cursor stays at its path when the tree is another one.
  const [cursor_key, set_cursor_key] = createSignal('');
  const cursor = createMemo(() => {
    const now = tree();
    return now ? row_of_key(now, cursor_key()) : -1;
  });
  const set_cursor = (row: number) => set_cursor_key(tree()?.keys[row] ?? '');
  function select(row: number) {
    set_cursor(row);
    const now = tree();
    const func = now && func_of(now, row);
    if (func) app.select(func, 'replace');
  }

  const selected = createMemo(() => {
    const now = app.selected();
    const rows = new Set<number>();
    tree()?.answer.functions.forEach((func, index) => {
      if (now && (func.id === now.id || same_name(func, now.name))) rows.add(index);
    });
    return rows;
  });
  const functions = use_found(app, () => tree()?.answer.functions);
  const found = createMemo<Found | null>(() => {
    const now = tree();
    const hits = functions();
    if (!now || !hits) return null;
    const is = (row: number) => hits[now.frames.function[row]!] === 1;
    let count = 0;
    for (let row = 0; row < now.count; row++) if (is(row)) count++;
    return { functions: hits, frames: count, share: share_found(now, sizes(), is) };
  });

  const selves = createMemo(() => {
    const now = tree();
    return now ? self_sizes(now, sizes(), direction() === 'callers') : new Float64Array();
  });
  const telling = createMemo(() => telling_colour(tree()?.answer.functions ?? [], selves()));
  const colour_by = () => {
    const chosen = one_of(app, 'pictures.colour', ['', 'object', 'file', 'namespace', 'cost'] as const);
    return chosen === '' ? telling() : chosen;
  };

  const is_found = (row: number) => {
    const now = tree();
    return found()?.functions[now?.frames.function[row] ?? -1] === 1;
  };
  function next_match(step: 1 | -1): boolean {
    const now = tree();
    if (!now || !found()?.frames) return false;
    let row = cursor() < 0 && step < 0 ? 0 : cursor();
    for (let tried = 0; tried < now.count; tried++) {
      row = (row + step + now.count) % now.count;
      if (!is_found(row) || !(sizes().of[row]! > 0)) continue;
      if (!is_below(now, row, zoom())) set_zoom(-1);
      set_cursor(row);
      return true;
    }
    return false;
  }

  return {
    key,
    direction,
    folded,
    certain_only,
    size,
    colour_by,
    frames,
    root,
    root_missing: () => root() !== null && root_id() === null,
    set_root,
    asked,
    tree,
    sizes,
    selves,
    zoom,
    set_zoom,
    out() {
      const now = tree();
      if (!now || zoom() < 0) return false;
      let above = parent_of(now, zoom());
      // A step that shows hardly anything else is none.
      while (above >= 0 && sizes().of[above]! < 1.1 * sizes().of[zoom()]!) above = parent_of(now, above);
      set_zoom(above);
      return true;
    },
    selected,
    cursor,
    set_cursor,
    select,
    found,
    is_found,
    next_match,
  };
}

// Boxes are called as their functions are, whatever is known about who called them.
function without_contexts(answer: TreeAnswer): TreeAnswer {
  return { ...answer, functions: answer.functions.map(({ context: _, ...func }) => func) };
}

// Which functions the page's search means. A piece of a name is looked for here; an expression is the engine's business,
// whose matching takes no longer for any of them.
export function use_found(app: App, functions: () => readonly Func[] | undefined): Accessor<Uint8Array | null> {
  const search = () => app.state.search;
  const is_expression = () => /^\/.+\/$/.test(search());
  const [ids, set_ids] = createSignal<ReadonlySet<number> | null>(null);
  createEffect(
    on([search, app.common], () => {
      set_ids(null);
      if (!is_expression()) return;
      const stop = new AbortController();
      onCleanup(() => stop.abort());
      void all_matching(app, untrack(search), stop.signal).then(
        all => stop.signal.aborted || set_ids(all),
        () => stop.signal.aborted || set_ids(new Set<number>()),
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
      const hit = is_expression()
        ? (found?.has(func.id) ?? false)
        : `${func.name}${func.context ?? ''}`.toLowerCase().includes(piece);
      if (hit) hits[index] = 1;
    });
    return hits;
  });
}

async function all_matching(app: App, search: string, signal: AbortSignal): Promise<Set<number>> {
  const ids = new Set<number>();
  const limit = 5000;
  for (let offset = 0; ; offset += limit) {
    const list = await app.engine.ask(app.question({ ask: 'functions' as const, search, offset, limit }), signal);
    for (const row of list.rows) ids.add(row.id);
    if (list.rows.length < limit || ids.size >= list.matching) return ids;
  }
}

export function found_words(found: Found, percent: (part: number) => string): string {
  return `${counted(found.frames, 'box', 'boxes')}, ${percent(found.share)}`;
}
