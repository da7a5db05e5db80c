// Treemap layout: nested boxes with areas proportional to cost. Only visible boxes are
// laid out.

import { type HierarchyRectangularNode, treemapBinary, treemapSliceDice, treemapSquarify } from 'd3-hierarchy';
import { children, isFunction, type Sizes, type Tree } from './tree';

export type Tiling = 'squares' | 'halves' | 'slices';

export interface TreemapOptions {
  width: number;
  height: number;
  root: number; // row; -1: all
  group: readonly number[] | null; // rows that alone are laid out
  tiling: Tiling;
  levels: number; // at most, below the root
  leastArea: number; // smaller boxes are not subdivided
  heads: boolean; // room for names: areas are less exact
}

export interface Cell {
  row: number;
  merged: readonly number[] | null; // rows that are drawn as one, as they are too small; `row` is the first of them
  x: number;
  y: number;
  width: number;
  height: number;
  head: number; // height of the room for the name, 0: none
  depth: number; // 0: the outermost
  // Where its own cost is, null: nothing is laid out inside, so that all of it is shown as one.
  own: { x: number; y: number; width: number; height: number } | null;
  first: number; // place of the first cell inside; those inside are together
  last: number; // and behind the last
}

export interface Treemap {
  cells: Cell[]; // outer ones before inner ones
  place: Map<number, number>; // of a row's cell
}

interface Tile {
  row: number; // -1: self cost
  merged: readonly number[] | null;
  value: number;
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

const tilings = { squares: treemapSquarify, halves: treemapBinary, slices: treemapSliceDice };

export const headHeight = 17;
const leastDrawn = 4; // pixels of area; smaller boxes are merged
const leastHeadWidth = 36;

export function treemapLayout(tree: Tree, sizes: Sizes, options: TreemapOptions): Treemap {
  const cells: Cell[] = [];
  const place = new Map<number, number>();
  const add = (tile: Tile, depth: number) => {
    const { row, merged, x0, y0, x1, y1 } = tile;
    if ((x1 - x0) * (y1 - y0) < 1) return;
    for (const one of merged ?? [row]) place.set(one, cells.length);
    const box = { x: x0, y: y0, width: x1 - x0, height: y1 - y0 };
    cells.push({ row, merged, ...box, head: 0, depth, own: null, first: 0, last: 0 });
  };
  const { root, group, width, height } = options;
  const room = { x0: 0, y0: 0, x1: width, y1: height };
  if (root >= 0 && !group) add({ row: root, merged: null, value: sizes.of[root]!, ...room }, 0);
  else for (const tile of tiled(tree, sizes, -1, 0, room, options, group ?? undefined)) add(tile, 0);
  for (let at = 0; at < cells.length; at++) {
    const cell = cells[at]!;
    cell.first = cells.length;
    for (const tile of inside(tree, sizes, cell, options)) {
      if (tile.row >= 0) add(tile, cell.depth + 1);
      else cell.own = { x: tile.x0, y: tile.y0, width: tile.x1 - tile.x0, height: tile.y1 - tile.y0 };
    }
    cell.last = cells.length;
  }
  return { cells, place };
}

// The inside of a cell: without its border and head.
function inside(tree: Tree, sizes: Sizes, cell: Cell, options: TreemapOptions): Tile[] {
  const { row, width, height, depth } = cell;
  if (cell.merged || !isFunction(tree, row) || depth >= options.levels) return [];
  if (width * height < options.leastArea || width < 4 || height < 4) return [];
  if (tree.end[row] === row + 1) return [];
  const heaviest = children(tree, row).reduce((most, child) => Math.max(most, sizes.of[child]!), 0);
  // A function that only calls one other needs no head: such chains of names would fill the picture.
  const isChain = depth > 0 && heaviest > 0.97 * sizes.of[row]!;
  const border = !options.heads || isChain || width < 12 || height < 12 ? 1 : 2;
  const hasHead = options.heads && !isChain && width >= leastHeadWidth && height >= 2 * headHeight;
  cell.head = hasHead ? headHeight : 0;
  const top = hasHead ? headHeight : border;
  const room = { x0: cell.x + border, y0: cell.y + top, x1: cell.x + width - border, y1: cell.y + height - border };
  if (room.x1 - room.x0 < 2 || room.y1 - room.y0 < 2) return [];
  return tiled(tree, sizes, row, depth, room, options);
}

// Functions below `least` as one tile.
function withoutSmall(tree: Tree, tiles: Tile[], least: number): Tile[] {
  const small = tiles.filter(tile => tile.value < least && isFunction(tree, tile.row));
  if (small.length < 2) return tiles;
  const value = small.reduce((sum, tile) => sum + tile.value, 0);
  const merged = { ...small[0]!, value, merged: small.map(tile => tile.row) };
  return [...tiles.filter(tile => !(tile.value < least && isFunction(tree, tile.row))), merged].sort(
    (a, b) => b.value - a.value || a.row - b.row,
  );
}

// Self cost comes last. d3 needs no more of its nodes than is here.
function tiled(
  tree: Tree,
  sizes: Sizes,
  row: number,
  depth: number,
  room: { x0: number; y0: number; x1: number; y1: number },
  options: TreemapOptions,
  rows: readonly number[] = children(tree, row),
): Tile[] {
  const none = { merged: null, x0: 0, y0: 0, x1: 0, y1: 0 };
  const all: Tile[] = rows
    .filter(child => sizes.of[child]! > 0)
    .map(child => ({ row: child, value: sizes.of[child]!, ...none }))
    .sort((a, b) => b.value - a.value || a.row - b.row);
  const below = all.reduce((sum, tile) => sum + tile.value, 0);
  const value = row < 0 ? below : Math.max(sizes.of[row]!, below);
  const tiles = withoutSmall(tree, all, (leastDrawn * value) / ((room.x1 - room.x0) * (room.y1 - room.y0)));
  if (value > below) tiles.push({ row: -1, value: value - below, ...none });
  if (tiles.length === 0) return [];
  const node = { value, children: tiles, depth } as unknown as HierarchyRectangularNode<unknown>;
  tilings[options.tiling](node, room.x0, room.y0, room.x1, room.y1);
  return tiles;
}

// The innermost cell at a place, -1: none.
export function cellAt(map: Treemap, x: number, y: number): number {
  const holds = (cell: Cell) => x >= cell.x && x < cell.x + cell.width && y >= cell.y && y < cell.y + cell.height;
  const within = (first: number, last: number) => {
    for (let at = first; at < last; at++) if (holds(map.cells[at]!)) return at;
    return -1;
  };
  let outermost = 0;
  while (outermost < map.cells.length && map.cells[outermost]!.depth === 0) outermost++;
  let found = within(0, outermost);
  for (let at = found; at >= 0; at = within(map.cells[at]!.first, map.cells[at]!.last)) found = at;
  return found;
}
