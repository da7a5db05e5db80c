// What a flame graph draws of a layout at one magnification: boxes that are wide enough, and neighbours that are not as
// one box.

import type { FlameLayout } from './flame_layout';
import { children, isFunction, type Tree } from './tree';

export interface FlameBox {
  row: number; // the first of those that are drawn as one
  last: number; // the row behind the last of them and all below it
  count: number; // of those beside each other
  begin: number;
  end: number;
}

export interface Part {
  zoom: number; // row; -1: all
  from: number; // of what is zoomed into
  to: number;
  least: number; // narrower boxes are merged with narrow ones beside them ...
  leastFirst?: number; // ... those of the first level, if that is another width ...
  most: number; // ... until they are so wide
}

// By level, from 1; from left to right, which is the order of rows.
export type FlameBoxes = FlameBox[][];

export function flameBoxes(tree: Tree, layout: FlameLayout, part: Part): FlameBoxes {
  const { zoom, from, to, least, most, leastFirst = least } = part;
  const levels: FlameBoxes = [];
  const open: number[] = []; // rows whose inside is drawn
  const add = (box: FlameBox) => {
    const level = tree.frames.level[box.row]!;
    levels[level] ??= [];
    levels[level].push(box);
    // What is below a narrow box is narrow, too, and is only drawn if it is alone.
    if (box.count === 1 && box.end - box.begin >= least / 3) open.push(box.row);
  };
  const boxOf = (row: number): FlameBox => ({
    row,
    last: tree.end[row]!,
    count: 1,
    begin: layout.begin[row]!,
    end: layout.end[row]!,
  });
  function addBelow(row: number) {
    let last: FlameBox | null = null; // not added yet: narrow
    for (const child of children(tree, row)) {
      const box = boxOf(child);
      if (box.end <= from || !(box.end > box.begin)) continue;
      if (box.begin >= to) break;
      const isNarrow = box.end - box.begin < (row < 0 ? leastFirst : least) && isFunction(tree, child);
      if (last && isNarrow && box.end - last.begin <= most) {
        last.last = box.last;
        last.end = box.end;
        last.count++;
        continue;
      }
      if (last) add(last);
      last = isNarrow ? box : null;
      if (!isNarrow) add(box);
    }
    if (last) add(last);
  }
  if (zoom >= 0) add(boxOf(zoom));
  else addBelow(-1);
  for (let at = 0; at < open.length; at++) addBelow(open[at]!);
  return levels;
}

// The place of the last box for which `isBefore` holds, -1: none.
function lastBefore(boxes: readonly FlameBox[], isBefore: (box: FlameBox) => boolean): number {
  let low = 0;
  let high = boxes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(boxes[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

// The box that a row is drawn in.
export function boxOfRow(boxes: FlameBoxes, tree: Tree, row: number): FlameBox | undefined {
  for (let at = row; at >= 0; at = tree.frames.parent[at]!) {
    const level = boxes[tree.frames.level[at]!] ?? [];
    const found = level[lastBefore(level, box => box.row <= row)];
    if (found && row < found.last && (at === row || found.count > 1)) return found;
  }
  return undefined;
}

// The box of a level at a place; `slack`: boxes are drawn so wide at least.
export function boxAt(boxes: FlameBoxes, level: number, x: number, slack: number): FlameBox | undefined {
  const all = boxes[level] ?? [];
  const found = all[lastBefore(all, box => box.begin <= x)];
  return found && x < Math.max(found.end, found.begin + slack) ? found : undefined;
}

// The next box on the same level, to the left (-1) or to the right (1).
export function boxBeside(boxes: FlameBoxes, tree: Tree, row: number, step: -1 | 1): FlameBox | undefined {
  const level = boxes[tree.frames.level[row]!] ?? [];
  return level[lastBefore(level, box => box.row <= row) + step];
}

// The widest box below, the first of equals.
export function widestBelow(boxes: FlameBoxes, tree: Tree, row: number): FlameBox | undefined {
  const below = (boxes[tree.frames.level[row]! + 1] ?? []).filter(box => tree.frames.parent[box.row] === row);
  return below.reduce<FlameBox | undefined>(
    (best, box) => (best && best.end - best.begin >= box.end - box.begin ? best : box),
    undefined,
  );
}
