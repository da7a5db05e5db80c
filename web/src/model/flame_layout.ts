// Flame graph layout: x from 0 to 1, a row per level.

import { parentOf, type Sizes, type Tree } from './tree';

export interface FlameLayout {
  begin: Float64Array;
  end: Float64Array;
  rows: Int32Array; // of the tree, by level, then from left to right
  first: Int32Array; // where a level begins in `rows`; one more than there are levels
}

export function flameLayout(tree: Tree, sizes: Sizes): FlameLayout {
  const { count, frames, levels } = tree;
  const begin = new Float64Array(count);
  const end = new Float64Array(count);
  const place = new Float64Array(count); // where the next one below begins
  const scale = new Float64Array(count);
  const below = new Float64Array(count);
  for (let row = count - 1; row >= 0; row--) {
    const parent = frames.parent[row]!;
    if (parent >= 0) below[parent] = below[parent]! + sizes.of[row]!;
  }
  let nextRoot = 0;
  const whole = sizes.whole > 0 ? 1 / sizes.whole : 0;
  for (let row = 0; row < count; row++) {
    const parent = frames.parent[row]!;
    const size = sizes.of[row]!;
    begin[row] = parent < 0 ? nextRoot : place[parent]!;
    end[row] = Math.min(1, begin[row]! + size * (parent < 0 ? whole : scale[parent]!));
    if (parent < 0) nextRoot = end[row]!;
    else place[parent] = end[row]!;
    place[row] = begin[row]!;
    // Rounded costs may add up to slightly more than their parent.
    const inside = Math.max(size, below[row]!);
    scale[row] = inside > 0 ? (end[row]! - begin[row]!) / inside : 0;
  }

  const first = new Int32Array(levels + 1);
  for (let row = 0; row < count; row++) first[frames.level[row]!] = first[frames.level[row]!]! + 1;
  for (let level = 1; level <= levels; level++) first[level] = first[level]! + first[level - 1]!;
  const next = first.slice();
  const rows = new Int32Array(count);
  for (let row = 0; row < count; row++) {
    const level = frames.level[row]! - 1;
    rows[next[level]!] = row;
    next[level] = next[level]! + 1;
  }
  return { begin, end, rows, first };
}

// The place in `rows` of the first box of a level (from 1) that ends behind `x`.
function firstBehind(layout: FlameLayout, level: number, x: number): number {
  let low = layout.first[level - 1] ?? 0;
  let high = layout.first[level] ?? low;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (layout.end[layout.rows[middle]!]! > x) high = middle;
    else low = middle + 1;
  }
  return low;
}

// Calls `see` for the boxes of a level between two positions, from left to right, without empty boxes.
export function eachBetween(layout: FlameLayout, level: number, from: number, to: number, see: (row: number) => void) {
  const last = layout.first[level] ?? 0;
  for (let at = firstBehind(layout, level, from); at < last; at++) {
    const row = layout.rows[at]!;
    if (layout.begin[row]! >= to) break;
    if (layout.end[row]! > layout.begin[row]!) see(row);
  }
}

// The box at a place, -1: none. `slack`: tolerance, for boxes narrower than a pixel.
export function boxAt(layout: FlameLayout, level: number, x: number, slack = 0): number {
  if (level < 1 || level >= layout.first.length) return -1;
  let best = -1;
  let bestDistance = slack;
  for (let at = firstBehind(layout, level, x - slack); at < layout.first[level]!; at++) {
    const row = layout.rows[at]!;
    const begin = layout.begin[row]!;
    const end = layout.end[row]!;
    if (begin > x + slack) break;
    if (x >= begin && x < end) return row;
    const distance = x < begin ? begin - x : x - end;
    if (end > begin && (best < 0 || distance < bestDistance)) {
      best = row;
      bestDistance = distance;
    }
  }
  return best;
}

// The next box on the same level, to the left (-1) or to the right (1), -1: none; only those at least so wide.
export function neighbour(layout: FlameLayout, tree: Tree, row: number, step: -1 | 1, least: number): number {
  const level = tree.frames.level[row]!;
  const begin = layout.first[level - 1]!;
  const end = layout.first[level]!;
  // Rows of a level ascend.
  let low = begin;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (layout.rows[middle]! < row) low = middle + 1;
    else high = middle;
  }
  for (let at = low + step; at >= begin && at < end; at += step) {
    const next = layout.rows[at]!;
    if (layout.end[next]! - layout.begin[next]! >= least) return next;
  }
  return -1;
}

// The widest box below, the first of equals; -1: none.
export function widestBelow(layout: FlameLayout, tree: Tree, row: number): number {
  let best = -1;
  let width = 0;
  const end = row < 0 ? tree.count : tree.end[row]!;
  for (let child = row + 1; child < end; child = tree.end[child]!) {
    const size = layout.end[child]! - layout.begin[child]!;
    if (size > width) {
      best = child;
      width = size;
    }
  }
  return best;
}

// The deepest level that has a box below this row, or the row's own.
export function deepestBelow(tree: Tree, row: number): number {
  if (row < 0) return tree.levels;
  let level = tree.frames.level[row]!;
  for (let at = row + 1; at < tree.end[row]!; at++) level = Math.max(level, tree.frames.level[at]!);
  return level;
}

export function levelOf(tree: Tree, row: number): number {
  return row < 0 ? 0 : tree.frames.level[row]!;
}

export function visibleAncestor(layout: FlameLayout, tree: Tree, row: number): number {
  let at = row;
  while (at >= 0 && !(layout.end[at]! > layout.begin[at]!)) at = parentOf(tree, at);
  return at;
}
