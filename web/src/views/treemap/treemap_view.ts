// A treemap at a certain size.

import type { DrawingSurface } from '../../model/drawing_surface';
import { children, estimatedPart, parentOf, type Sizes, type Tree } from '../../model/tree';
import { type Cell, cellAt, headHeight, type TreemapOptions, treemapLayout } from '../../model/treemap_layout';
import { drawArea, drawFrames, drawLabel, type Look } from '../pictures/draw_box';
import type { Box, Found, Marks, Merged, PictureView, Step } from '../pictures/picture_view';
import type { TreeStyle } from '../pictures/tree_style';

export interface TreemapInput extends TreemapOptions {
  tree: Tree;
  sizes: Sizes;
  style: TreeStyle;
  names: boolean;
  costs: boolean;
  hatched: boolean;
  cost(rows: readonly number[]): string;
}

function snapped({ x, y, width, height }: Box, gap: number): Box {
  const left = Math.round(x);
  const top = Math.round(y);
  return {
    x: left,
    y: top,
    width: Math.max(1, Math.round(x + width) - left - gap),
    height: Math.max(1, Math.round(y + height) - top - gap),
  };
}

export function treemapView(input: TreemapInput): PictureView {
  const { tree, sizes, style, root } = input;
  const map = treemapLayout(tree, sizes, input);
  const boxOf = (row: number): Box | null => {
    for (let at = row; at >= 0; at = parentOf(tree, at)) {
      const cell = map.cells[map.place.get(at) ?? -1];
      if (cell) return at === row || cell.merged ? snapped(cell, 1) : null;
    }
    return null;
  };
  const mergedOf = ({ merged: rows }: Cell): Merged | null =>
    rows && { rows, frames: rows.reduce((sum, row) => sum + tree.end[row]! - row, 0) };
  const ownEstimated = (row: number) => {
    const { self, self_least: selfLeast } = tree.frames;
    const own = Number(self[row] ?? 0);
    return own > 0 && self[row] !== null ? Math.min(1, Math.max(0, own - Number(selfLeast[row] ?? 0)) / own) : 0;
  };

  function drawLabels(surface: DrawingSurface, cell: Cell, box: Box, look: Look) {
    if (!input.names || box.width < 18 || box.height < 14) return;
    const label = { x: box.x, y: box.y + (cell.head > 0 ? 0 : 1), width: box.width, height: headHeight - 1 };
    const cost = input.costs && box.width > 90 ? input.cost(cell.merged ?? [cell.row]) : '';
    const merged = mergedOf(cell);
    drawLabel(
      surface,
      label,
      merged ? style.mergedLabels(merged) : style.labels(cell.row),
      cost,
      look,
      style.palette.muted,
    );
  }

  // The cell itself is what is around those inside it; its own cost lies beside them.
  function drawCell(surface: DrawingSurface, cell: Cell, found: Found | null) {
    const { row } = cell;
    const box = snapped(cell, 1);
    const isFull = cell.own === null && cell.first === cell.last;
    const estimated = input.hatched ? estimatedPart(tree, cell.merged ?? [row], sizes) : 0;
    const isFound = found && (cell.merged ?? [row]).some(found);
    const isInner = tree.end[row]! > row + 1; // not subdivided: shows the inclusive cost
    const area = isFull ? box : { ...box, height: Math.max(cell.head, 2) };
    const boxStyle = cell.merged ? style.merged : isFull && !isInner ? style.own(row) : style.box(row);
    const look = drawArea(surface, area, boxStyle, isFull || cell.head > 0 ? estimated : 0, style, isFound);
    if (!isFull) {
      const below = { ...box, y: box.y + area.height, height: box.height - area.height };
      if (below.height > 0) surface.rect(below.x, below.y, below.width, below.height, look.fill);
      const room = { x: box.x + 2, width: box.width - 3, height: below.height - 1 };
      if (room.width > 0 && room.height > 0)
        surface.rect(room.x, below.y, room.width, room.height, style.palette.surface);
    }
    if (cell.own) {
      const own = snapped(cell.own, 1);
      const ownLook = drawArea(surface, own, style.own(row), input.hatched ? ownEstimated(row) : 0, style, isFound);
      if (input.names && own.width > 34 && own.height > 14 && cell.first !== cell.last)
        drawLabel(surface, { ...own, height: headHeight }, ['self'], '', ownLook, style.palette.muted);
    }
    if (isFull || cell.head > 0) drawLabels(surface, cell, box, look);
  }
  function eachCell(see: (cell: Cell) => void) {
    for (const cell of map.cells) see(cell);
  }
  const drawnBelow = (row: number) =>
    children(tree, row).filter(one => map.cells[map.place.get(one) ?? -1]?.row === one);

  return {
    width: input.width,
    height: input.height,
    draw(surface, _top, _bottom, found, title) {
      eachCell(cell => {
        if (title) surface.begin(() => title(cell.row, mergedOf(cell)));
        drawCell(surface, cell, found);
        if (title) surface.end();
      });
    },
    drawMarks(surface: DrawingSurface, _top: number, _bottom: number, marks: Marks) {
      const selected = map.cells
        .filter(cell => !cell.merged && marks.selected.has(tree.frames.function[cell.row]!))
        .map(cell => cell.row);
      drawFrames(surface, marks, selected, boxOf, style);
    },
    rowAt(x, y) {
      return map.cells[cellAt(map, x, y)]?.row ?? -1;
    },
    boxOf,
    merged(row) {
      const cell = map.cells[map.place.get(row) ?? -1];
      return cell?.row === row ? mergedOf(cell) : null;
    },
    inSight() {
      return map.cells.filter(cell => cell.width * cell.height >= 60).map(cell => cell.row);
    },
    step(row: number, step: Step) {
      if (step === 'first' || row < 0) return map.cells[0]?.row ?? -1;
      if (step === 'down') return drawnBelow(row)[0] ?? -1;
      if (step === 'up') return row === root || !map.place.has(parentOf(tree, row)) ? -1 : parentOf(tree, row);
      if (row === root) return -1;
      const beside = drawnBelow(parentOf(tree, row));
      return beside[beside.indexOf(row) + (step === 'left' ? -1 : 1)] ?? -1;
    },
  };
}
