// A treemap at a certain size.

import type { Pen } from '../../model/drawing_surface';
import { children, estimated_part, is_below, parent_of, type Sizes, type Tree } from '../../model/tree';
import { type Cell, cell_at, head_height, type TreemapOptions, treemap_layout } from '../../model/treemap_layout';
import { draw_area, draw_frames, draw_label } from '../pictures/draw_box';
import type { Box, Found, Marks, PictureView, Step } from '../pictures/picture_view';
import type { BoxStyle, TreeStyle } from '../pictures/tree_style';

export interface TreemapInput extends TreemapOptions {
  tree: Tree;
  sizes: Sizes;
  style: TreeStyle;
  names: boolean;
  costs: boolean;
  hatched: boolean;
  cost(row: number): string;
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

export function treemap_view(input: TreemapInput): PictureView {
  const { tree, sizes, style, root } = input;
  const map = treemap_layout(tree, sizes, input);
  const box_of = (row: number): Box | null => {
    const cell = map.cells[map.place.get(row) ?? -1];
    return cell ? snapped(cell, 1) : null;
  };
  const own_estimated = (row: number) => {
    const { self, self_least } = tree.frames;
    const own = Number(self[row] ?? 0);
    return own > 0 && self[row] !== null ? Math.min(1, Math.max(0, own - Number(self_least[row] ?? 0)) / own) : 0;
  };

  function draw_labels(pen: Pen, cell: Cell, box: Box, look: BoxStyle) {
    if (!input.names || box.width < 18 || box.height < 14) return;
    const label = { x: box.x, y: box.y + (cell.head > 0 ? 0 : 1), width: box.width, height: head_height - 1 };
    const cost = input.costs && box.width > 90 ? input.cost(cell.row) : '';
    draw_label(pen, label, style.labels(cell.row), cost, look, style.palette.muted);
  }

  // The cell itself is what is around those inside it; its own cost lies beside them.
  function draw_cell(pen: Pen, cell: Cell, found: Found | null) {
    const { row } = cell;
    const box = snapped(cell, 1);
    const is_full = cell.own === null && cell.first === cell.last;
    const estimated = input.hatched ? estimated_part(tree, row, sizes) : 0;
    const is_inner = tree.end[row]! > row + 1; // not looked into: it shows its inclusive cost, not its own
    const area = is_full ? box : { ...box, height: Math.max(cell.head, 2) };
    const look = draw_area(
      pen,
      area,
      row,
      is_full && !is_inner,
      is_full || cell.head > 0 ? estimated : 0,
      style,
      found,
    );
    if (!is_full) {
      const below = { ...box, y: box.y + area.height, height: box.height - area.height };
      if (below.height > 0) pen.rect(below.x, below.y, below.width, below.height, look.fill);
      const room = { x: box.x + 2, width: box.width - 3, height: below.height - 1 };
      if (room.width > 0 && room.height > 0) pen.rect(room.x, below.y, room.width, room.height, style.palette.surface);
    }
    if (cell.own) {
      const own = snapped(cell.own, 1);
      draw_area(pen, own, row, true, input.hatched ? own_estimated(row) : 0, style, found);
      if (input.names && own.width > 34 && own.height > 14 && cell.first !== cell.last)
        pen.text('self', own.x + 4, own.y + 13, { size: 11, colour: style.palette.muted });
    }
    if (is_full || cell.head > 0) draw_labels(pen, cell, box, look);
  }
  function each_cell(see: (cell: Cell) => void) {
    for (const cell of map.cells) see(cell);
  }
  const siblings = (row: number) =>
    children(tree, row === root ? row : parent_of(tree, row)).filter(one => map.place.has(one));

  return {
    width: input.width,
    height: input.height,
    draw(pen, _top, _bottom, found, title) {
      each_cell(cell => {
        if (title) pen.begin(() => title(cell.row));
        draw_cell(pen, cell, found);
        if (title) pen.end();
      });
    },
    draw_marks(pen: Pen, _top: number, _bottom: number, marks: Marks) {
      const selected = map.cells
        .filter(cell => marks.selected.has(tree.frames.function[cell.row]!))
        .map(cell => cell.row);
      draw_frames(pen, marks, selected, box_of, style);
    },
    row_at(x, y) {
      return map.cells[cell_at(map, x, y)]?.row ?? -1;
    },
    box_of,
    in_sight() {
      return map.cells.filter(cell => cell.width * cell.height >= 60).map(cell => cell.row);
    },
    step(row: number, step: Step) {
      if (step === 'first' || row < 0) return map.cells[0]?.row ?? -1;
      if (step === 'down') return children(tree, row).find(one => map.place.has(one)) ?? -1;
      if (step === 'up') return row === root || !is_below(tree, row, root) ? -1 : parent_of(tree, row);
      if (row === root) return -1;
      const beside = siblings(row);
      return beside[beside.indexOf(row) + (step === 'left' ? -1 : 1)] ?? -1;
    },
  };
}
