// A flame graph, or icicle, at a certain size.

import type { DrawingSurface } from '../../model/drawing_surface';
import { boxAt, boxBeside, boxOfRow, type FlameBox, flameBoxes, widestBelow } from '../../model/flame_boxes';
import { type FlameLayout, levelOf } from '../../model/flame_layout';
import { estimatedPart, functionsOf, parentOf, type Sizes, siblings, type Tree } from '../../model/tree';
import { drawArea, drawFrames, drawLabel } from '../pictures/draw_box';
import type { Box, Found, Marks, Merged, PictureView, Step } from '../pictures/picture_view';
import type { TreeStyle } from '../pictures/tree_style';

export const rowHeight = 20;
const leastWidth = 3; // of a box, in pixels
const mostMerged = 120; // width of boxes that are merged
const leastNamed = 30; // of an outermost box of an inverted flame graph: narrower ones have no name

export interface FlameInput {
  tree: Tree;
  sizes: Sizes;
  layout: FlameLayout;
  style: TreeStyle;
  zoom: number; // row; -1: all
  section: readonly [number, number] | null; // of what is zoomed into; null: all of it
  rootsOnTop: boolean;
  inverted: boolean; // what is too fine is one box at each place, however wide
  hatched: boolean;
  width: number;
  leastHeight: number;
  cost(rows: readonly number[]): string;
}

function anyOf(found: Found, first: number, last: number): boolean {
  for (let row = first; row < last; row++) if (found(row)) return true;
  return false;
}

export function flameView(input: FlameInput): PictureView {
  const { tree, sizes, layout, style, zoom, rootsOnTop, width } = input;
  const firstLevel = Math.max(1, levelOf(tree, zoom));
  const least = zoom < 0 ? 0 : layout.begin[zoom]!;
  const most = zoom < 0 ? 1 : layout.end[zoom]!;
  const [from, to] = input.section ?? [least, most];
  const scale = to > from ? width / (to - from) : 0;
  const pixel = scale > 0 ? 1 / scale : 1;
  const boxes = flameBoxes(tree, layout, {
    zoom,
    from,
    to,
    least: leastWidth * pixel,
    ...(input.inverted && { leastFirst: leastNamed * pixel }),
    most: (input.inverted ? width : mostMerged) * pixel,
  });
  const lastLevel = Math.max(firstLevel, boxes.length - 1);
  const height = Math.max(input.leastHeight, (lastLevel - firstLevel + 1) * rowHeight);

  const yOf = (level: number) =>
    rootsOnTop ? (level - firstLevel) * rowHeight : height - (level - firstLevel + 1) * rowHeight;
  const levelAt = (y: number) => firstLevel + Math.floor((rootsOnTop ? y : height - y) / rowHeight);
  const xOf = (place: number) => (place - from) * scale;

  // What is beyond the sides is cut off, so that the name is in sight.
  function placeOf({ row, begin, end }: FlameBox): Box {
    const x = Math.max(0, Math.round(xOf(begin)));
    const wide = Math.min(width, Math.round(xOf(end))) - x;
    return {
      x,
      y: yOf(tree.frames.level[row]!),
      width: Math.max(1, wide - (wide > 3 ? 1 : 0)),
      height: rowHeight - 1,
    };
  }
  function mergedOf(box: FlameBox | undefined): Merged | null {
    if (!box || box.count < 2) return null;
    return { rows: siblings(tree, box.row, box.last), frames: box.last - box.row };
  }
  const merged = (row: number) => {
    const box = boxOfRow(boxes, tree, row);
    return box?.row === row ? mergedOf(box) : null;
  };

  function eachDrawn(top: number, bottom: number, see: (box: FlameBox) => void) {
    const one = levelAt(top);
    const other = levelAt(bottom);
    const end = Math.min(lastLevel, Math.max(one, other));
    for (let level = Math.max(firstLevel, Math.min(one, other)); level <= end; level++)
      for (const box of boxes[level] ?? []) see(box);
  }

  function draw(
    surface: DrawingSurface,
    top: number,
    bottom: number,
    found: Found | null,
    title?: (row: number, merged: Merged | null) => string,
  ) {
    eachDrawn(top, bottom, box => {
      const { row } = box;
      const place = placeOf(box);
      const together = mergedOf(box);
      if (title) surface.begin(() => title(row, together));
      const estimated = input.hatched ? estimatedPart(tree, together?.rows ?? [row], sizes) : 0;
      const isFound = found && (together ? anyOf(found, row, box.last) : found(row));
      const look = drawArea(surface, place, together ? style.merged : style.box(row), estimated, style, isFound);
      if (!together && tree.chains.has(row) && place.width > 3)
        surface.rect(place.x, place.y + place.height - 3, place.width, 1, style.palette.surface);
      if (place.width >= 14) {
        const labels = together ? style.mergedLabels(together) : style.labels(row);
        const cost = place.width > 90 ? input.cost(together?.rows ?? [row]) : '';
        drawLabel(surface, place, labels, cost, look, style.palette.muted);
      }
      if (title) surface.end();
    });
  }
  const boxOf = (row: number): Box | null => {
    const box = row < 0 ? undefined : boxOfRow(boxes, tree, row);
    return box ? placeOf(box) : null;
  };
  function drawMarks(surface: DrawingSurface, top: number, bottom: number, marks: Marks) {
    const selected: number[] = [];
    if (marks.selected.size > 0)
      eachDrawn(top, bottom, ({ row, count }) => {
        if (count === 1 && functionsOf(tree, row).some(index => marks.selected.has(index))) selected.push(row);
      });
    drawFrames(surface, marks, selected, boxOf, style);
  }

  function step(row: number, toWhere: Step): number {
    const at = row < 0 ? undefined : boxOfRow(boxes, tree, row);
    if (toWhere === 'first' || !at) return boxes[firstLevel]?.[0]?.row ?? -1;
    if (toWhere === 'left' || toWhere === 'right')
      return boxBeside(boxes, tree, at.row, toWhere === 'left' ? -1 : 1)?.row ?? -1;
    if ((toWhere === 'down') === rootsOnTop) return widestBelow(boxes, tree, at.row)?.row ?? -1;
    return at.row === zoom ? -1 : parentOf(tree, at.row);
  }

  return {
    section: { from, to, least, most },
    width,
    height,
    draw,
    drawMarks,
    boxOf,
    merged,
    sectionOf: row => {
      const box = boxOfRow(boxes, tree, row);
      return box?.row === row ? [box.begin, box.end] : [layout.begin[row]!, layout.end[row]!];
    },
    rowAt: (x, y) => boxAt(boxes, levelAt(y), from + x * pixel, pixel)?.row ?? -1,
    inSight(top, bottom) {
      const rows: number[] = [];
      eachDrawn(top, bottom, box => {
        if ((box.end - box.begin) * scale >= 6) rows.push(box.row);
      });
      return rows;
    },
    step,
  };
}
