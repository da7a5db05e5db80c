// Flame graph layout: x from 0 to 1, a row per level.

import type { Sizes, Tree } from './tree';

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

export function levelOf(tree: Tree, row: number): number {
  return row < 0 ? 0 : tree.frames.level[row]!;
}
