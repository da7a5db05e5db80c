// A flame graph, or icicle, at a certain size.

import type { DrawingSurface } from '../../model/drawing_surface';
import {
  boxAt,
  deepestBelow,
  eachBetween,
  type FlameLayout,
  levelOf,
  neighbour,
  widestBelow,
} from '../../model/flame_layout';
import { children, estimatedPart, isBelow, parentOf, type Sizes, type Tree } from '../../model/tree';
import { drawArea, drawFrames, drawLabel } from '../pictures/draw_box';
import type { Box, Found, Marks, PictureView, Step } from '../pictures/picture_view';
import type { TreeStyle } from '../pictures/tree_style';

export const rowHeight = 20;

export interface FlameInput {
  tree: Tree;
  sizes: Sizes;
  layout: FlameLayout;
  style: TreeStyle;
  zoom: number; // row; -1: all
  section: readonly [number, number] | null; // of what is zoomed into; null: all of it
  rootsOnTop: boolean;
  hatched: boolean;
  width: number;
  leastHeight: number;
  cost(row: number): string;
}

export function flameView(input: FlameInput): PictureView {
  const { tree, sizes, layout, style, zoom, rootsOnTop, width } = input;
  const firstLevel = Math.max(1, levelOf(tree, zoom));
  const lastLevel = deepestBelow(tree, zoom);
  const least = zoom < 0 ? 0 : layout.begin[zoom]!;
  const most = zoom < 0 ? 1 : layout.end[zoom]!;
  const [from, to] = input.section ?? [least, most];
  const scale = to > from ? width / (to - from) : 0;
  const height = Math.max(input.leastHeight, (lastLevel - firstLevel + 1) * rowHeight);

  const yOf = (level: number) =>
    rootsOnTop ? (level - firstLevel) * rowHeight : height - (level - firstLevel + 1) * rowHeight;
  const levelAt = (y: number) => firstLevel + Math.floor((rootsOnTop ? y : height - y) / rowHeight);
  const xOf = (place: number) => (place - from) * scale;

  function boxOf(row: number): Box | null {
    if (row < 0 || !isBelow(tree, row, zoom) || !(layout.end[row]! > layout.begin[row]!)) return null;
    // What is beyond the sides is cut off, so that the name is in sight.
    const begin = Math.max(0, Math.round(xOf(layout.begin[row]!)));
    const wide = Math.min(width, Math.round(xOf(layout.end[row]!))) - begin;
    if (wide < 0 || (wide === 0 && input.section && (begin === 0 || begin === width))) return null;
    return {
      x: begin,
      y: yOf(tree.frames.level[row]!),
      width: Math.max(1, wide - (wide > 3 ? 1 : 0)),
      height: rowHeight - 1,
    };
  }

  // Boxes of the levels between two heights; of those that begin in the same pixel only the first.
  function eachDrawn(top: number, bottom: number, see: (row: number, box: Box) => void) {
    const one = levelAt(top);
    const other = levelAt(bottom);
    const begin = Math.max(firstLevel, Math.min(one, other));
    const end = Math.min(lastLevel, Math.max(one, other));
    for (let level = begin; level <= end; level++) {
      let last = -1;
      eachBetween(layout, level, from, to, row => {
        const x = Math.round(xOf(layout.begin[row]!));
        const wide = Math.round(xOf(layout.end[row]!)) - x;
        if (wide < 1 && x <= last) return;
        last = x;
        const box = boxOf(row);
        if (box) see(row, box);
      });
    }
  }

  function draw(
    surface: DrawingSurface,
    top: number,
    bottom: number,
    found: Found | null,
    title?: (row: number) => string,
  ) {
    eachDrawn(top, bottom, (row, box) => {
      if (title) surface.begin(() => title(row));
      const estimated = input.hatched ? estimatedPart(tree, row, sizes) : 0;
      const look = drawArea(surface, box, row, false, estimated, style, found);
      if (box.width >= 14)
        drawLabel(surface, box, style.labels(row), box.width > 90 ? input.cost(row) : '', look, style.palette.muted);
      if (title) surface.end();
    });
  }
  function drawMarks(surface: DrawingSurface, top: number, bottom: number, marks: Marks) {
    const selected: number[] = [];
    if (marks.selected.size > 0)
      eachDrawn(top, bottom, row => marks.selected.has(tree.frames.function[row]!) && selected.push(row));
    drawFrames(surface, marks, selected, boxOf, style);
  }

  const pixel = scale > 0 ? 1 / scale : 1;
  function step(row: number, toWhere: Step): number {
    if (toWhere === 'first' || row < 0)
      return zoom >= 0 ? zoom : (children(tree, -1).find(one => sizes.of[one]! > 0) ?? -1);
    if (toWhere === 'left' || toWhere === 'right') {
      const next = neighbour(layout, tree, row, toWhere === 'left' ? -1 : 1, pixel / 2);
      return next >= 0 && isBelow(tree, next, zoom) ? next : -1;
    }
    const deeper = (toWhere === 'down') === rootsOnTop;
    if (deeper) return widestBelow(layout, tree, row);
    const above = parentOf(tree, row);
    return row === zoom || above < 0 ? -1 : above;
  }

  return {
    section: { from, to, least, most },
    width,
    height,
    draw,
    drawMarks,
    boxOf,
    rowAt(x, y) {
      const level = levelAt(y);
      const row = level >= firstLevel ? boxAt(layout, level, from + x / (scale || 1), pixel) : -1;
      return row >= 0 && isBelow(tree, row, zoom) ? row : -1;
    },
    inSight(top, bottom) {
      const rows: number[] = [];
      eachDrawn(top, bottom, (row, box) => {
        if (box.width >= 6) rows.push(row);
      });
      return rows;
    },
    step,
  };
}
