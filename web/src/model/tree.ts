// The estimated tree of paths for drawing. Rows are those of the answer, in
// preorder; row -1 stands for the whole.

import { add, type Cost, larger, toNumber } from '../protocol/cost';
import type { Frames, Func, TreeAnswer } from '../protocol/protocol';

export const kinds = { function: 0, notExpanded: 1, unbalanced: 2, unrecorded: 3, unattributed: 4 } as const;
export const unrecordedName = '(callees not recorded)';
export const inlinedMark = '⊂'; // before the name
export const unattributedName = '(unattributed)';

// What box sizes mean. `larger`: of two profiles, the larger cost.
export type Size = 'estimate' | 'least' | 'larger' | 'before';

export interface Tree {
  answer: TreeAnswer;
  frames: Frames;
  count: number;
  end: Int32Array; // the row behind the last one below it
  levels: number; // how many there are
  partlyPaid: Set<number>;
  inlined: Set<number>;
  keys: string[]; // the same path has the same key in every tree
  chains: ReadonlyMap<number, readonly number[]>; // the functions that a box of several stands for, by row
  rest?: (() => number) | undefined; // how many functions the outermost box that is not expanded stands for; 0: not known
  unfolded: { keys: string[]; boxes: Int32Array } | null; // of the tree without such boxes: keys, and rows in this one
}

export function treeOf(answer: TreeAnswer): Tree {
  return withFrames(answer, answer.frames, keysOf(answer));
}

export function withFrames(answer: TreeAnswer, frames: Frames, keys: string[]): Tree {
  const count = frames.kind.length;
  const end = new Int32Array(count);
  let levels = 0;
  for (let row = count - 1; row >= 0; row--) {
    end[row] = Math.max(end[row]!, row + 1);
    levels = Math.max(levels, frames.level[row]!);
    const parent = frames.parent[row]!;
    if (parent >= 0) end[parent] = Math.max(end[parent]!, end[row]!);
  }
  const partlyPaid = new Set(frames.partly_paid);
  const inlined = new Set(frames.inlined);
  return { answer, frames, count, end, levels, partlyPaid, inlined, keys, chains: new Map(), unfolded: null };
}

export function funcOf(tree: Tree, row: number): Func | undefined {
  return tree.answer.functions[tree.frames.function[row] ?? -1];
}

export function isFunction(tree: Tree, row: number): boolean {
  return tree.frames.kind[row] === kinds.function;
}

// Those that a box stands for, by index of the answer's functions.
export function functionsOf(tree: Tree, row: number): readonly number[] {
  return tree.chains.get(row) ?? [tree.frames.function[row]!];
}

// How many functions a box stands for that is not expanded; 0: not known.
export function restOf(tree: Tree, row: number): number {
  return tree.frames.kind[row] === kinds.notExpanded && parentOf(tree, row) < 0 ? (tree.rest?.() ?? 0) : 0;
}

// Inverted, no outermost box is wide enough for a name.
export function isFlat({ frames, answer }: Tree, least: number): boolean {
  return !frames.kind.some(
    (kind, row) =>
      kind === kinds.function &&
      frames.parent[row]! < 0 &&
      toNumber(larger(frames.inclusive[row] ?? 0, frames.inclusive_before?.[row] ?? 0)) >=
        least * toNumber(answer.whole),
  );
}

// The rows directly below; of -1 those without a parent.
export function children(tree: Tree, row: number): number[] {
  return siblings(tree, row + 1, row < 0 ? tree.count : tree.end[row]!);
}

// Rows of the same parent: from `first` on, before `last`.
export function siblings(tree: Tree, first: number, last: number): number[] {
  const rows: number[] = [];
  for (let row = first; row < last; row = tree.end[row]!) rows.push(row);
  return rows;
}

export function parentOf(tree: Tree, row: number): number {
  return tree.frames.parent[row] ?? -1;
}

export function isBelow(tree: Tree, row: number, ancestor: number): boolean {
  return ancestor < 0 || (row >= ancestor && row < tree.end[ancestor]!);
}

// From the outermost to the row itself.
export function pathOf(tree: Tree, row: number): number[] {
  const path: number[] = [];
  for (let at = row; at >= 0; at = parentOf(tree, at)) path.push(at);
  return path.reverse();
}

// Changes each of two halves with a character; 53 bits of both name a path well enough.
function keysOf(answer: TreeAnswer): string[] {
  const { frames, functions } = answer;
  const names = functions.map(func =>
    foldText(seed, `${func.name}\0${func.context ?? ''}\0${func.file}\0${func.object}`),
  );
  const special = [
    seed,
    foldText(seed, '\0not expanded'),
    foldText(seed, '\0unbalanced'),
    foldText(seed, '\0unrecorded'),
    foldText(seed, '\0unattributed'),
  ];
  const halves: [number, number][] = [];
  return frames.kind.map((kind, row) => {
    const own = (kind === kinds.function ? names[frames.function[row]!] : special[kind]) ?? seed;
    const above = halves[frames.parent[row]!] ?? seed;
    const key: [number, number] = [mix(above[0], own[0]), mix(above[1] ^ 0x5bd1e995, own[1])];
    halves[row] = key;
    return ((key[0] & 0x1fffff) * 2 ** 32 + (key[1] >>> 0)).toString(36);
  });
}

const seed: [number, number] = [0x811c9dc5, 0x9747b28c];

// A short name for a text, as good as the keys of paths.
export function keyOfText(text: string): string {
  const [a, b] = foldText(seed, text);
  return ((a & 0x1fffff) * 2 ** 32 + (b >>> 0)).toString(36);
}

function mix(a: number, b: number): number {
  let value = Math.imul(a ^ (b + 0x9e3779b9 + (a << 6) + (a >>> 2)), 0x01000193);
  value ^= value >>> 13;
  return Math.imul(value, 0x5bd1e995) ^ (value >>> 15);
}

function foldText([a, b]: [number, number], text: string): [number, number] {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ (code + 0x9e37), 0x85ebca6b);
  }
  return [a ^ (a >>> 15), b ^ (b >>> 13)];
}

export function rowOfKey(tree: Tree, key: string): number {
  if (key === '') return -1;
  if (!tree.unfolded) return tree.keys.indexOf(key);
  return tree.unfolded.boxes[tree.unfolded.keys.indexOf(key)] ?? -1;
}

const numberOf = (cost: Cost | null | undefined) =>
  cost === null || cost === undefined ? 0 : Math.max(0, toNumber(cost));

// The drawn size of each row, and its own part without the rows below it.
export interface Sizes {
  by: Size;
  whole: number;
  of: Float64Array;
  own: Float64Array;
}

export function sizesOf(tree: Tree, by: Size): Sizes {
  const { frames, count } = tree;
  const of = new Float64Array(count);
  const own = new Float64Array(count);
  let whole = 0;
  const below = new Float64Array(count);
  for (let row = count - 1; row >= 0; row--) {
    own[row] = ownSize(frames, row, by);
    // Maxima of both profiles may add up to more than either total.
    of[row] =
      by === 'larger'
        ? Math.max(inclusiveSize(frames, row, by), own[row]! + below[row]!)
        : inclusiveSize(frames, row, by);
    const parent = frames.parent[row]!;
    if (parent < 0) whole += of[row]!;
    else below[parent] = below[parent]! + of[row]!;
  }
  return { by, whole, of, own };
}

function inclusiveSize(frames: Frames, row: number, by: Size): number {
  if (by === 'least') return numberOf(frames.inclusive_least[row]);
  if (by === 'before') return numberOf(frames.inclusive_before?.[row]);
  const now = numberOf(frames.inclusive[row]);
  return by === 'larger' ? Math.max(now, numberOf(frames.inclusive_before?.[row])) : now;
}

function ownSize(frames: Frames, row: number, by: Size): number {
  if (by === 'least') return numberOf(frames.self_least[row]);
  if (by === 'before') return numberOf(frames.self_before?.[row]);
  const now = numberOf(frames.self[row]);
  return by === 'larger' ? Math.max(now, numberOf(frames.self_before?.[row])) : now;
}

// How much of the picture is self cost of each function, by index of the answer's functions. Inverted, the outermost
// boxes are it.
export function selfSizes(tree: Tree, sizes: Sizes, isInverted: boolean): Float64Array {
  const selves = new Float64Array(tree.answer.functions.length);
  for (let row = 0; row < tree.count; row++) {
    const index = tree.frames.function[row]!;
    if (index < 0 || (isInverted && tree.frames.parent[row]! >= 0)) continue;
    selves[index] = selves[index]! + (isInverted ? sizes.of : sizes.own)[row]!;
  }
  return selves;
}

// How much of a flame graph are boxes of each function, by index of the answer's functions.
export function areasOf(tree: Tree, sizes: Sizes): Float64Array {
  const areas = new Float64Array(tree.answer.functions.length);
  tree.frames.function.forEach((index, row) => {
    if (index >= 0) areas[index] = areas[index]! + sizes.of[row]!;
  });
  return areas;
}

// The estimated share of boxes, 0 to 1. If unknown, 1.
export function estimatedPart(tree: Tree, rows: readonly number[], sizes: Sizes): number {
  const { frames } = tree;
  let whole = 0;
  let estimated = 0;
  for (const row of rows) {
    const now = numberOf(frames.inclusive[row]);
    const before = numberOf(frames.inclusive_before?.[row]);
    const isBefore = sizes.by === 'before' || (sizes.by === 'larger' && before > now);
    const least = numberOf((isBefore ? frames.inclusive_before_least : frames.inclusive_least)?.[row]);
    whole += sizes.of[row]!;
    estimated += Math.max(0, (isBefore ? before : now) - least);
  }
  return whole > 0 ? Math.min(1, estimated / whole) : 0;
}

// Null if one of them is unknown.
export function sumOf(costs: readonly (Cost | null)[] | undefined, rows: readonly number[]): Cost | null {
  return rows.reduce<Cost | null>((sum, row) => {
    const cost = costs?.[row] ?? null;
    return sum === null || cost === null ? null : add(sum, cost);
  }, 0);
}

// The largest cost of a row in either profile, for tooltips and orders.
export function weightOf(frames: Frames, row: number): Cost {
  return larger(frames.inclusive[row] ?? 0, frames.inclusive_before?.[row] ?? 0);
}

// Rows that a search found, without those below another one: their costs can be added.
export function outermost(tree: Tree, found: (row: number) => boolean): number[] {
  const rows: number[] = [];
  for (let row = 0; row < tree.count; ) {
    if (found(row)) {
      rows.push(row);
      row = tree.end[row]!;
    } else row++;
  }
  return rows;
}

// The share of the total in matching rows, none counted twice.
export function shareFound(
  tree: Tree,
  sizes: Sizes,
  found: (row: number) => boolean,
): { share: number; isEstimated: boolean } {
  const rows = outermost(tree, found);
  const sum = rows.reduce((total, row) => total + sizes.of[row]!, 0);
  return {
    share: sizes.whole > 0 ? Math.min(1, sum / sizes.whole) : 0,
    isEstimated: sizes.by !== 'least' && rows.some(row => estimatedPart(tree, [row], sizes) > 0),
  };
}
