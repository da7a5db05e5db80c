// A flame graph, or icicle, at a certain size.

import type { Pen } from '../../model/drawing_surface';
import {
  box_at,
  deepest_below,
  each_between,
  type FlameLayout,
  level_of,
  neighbour,
  widest_below,
} from '../../model/flame_layout';
import { children, estimated_part, is_below, parent_of, type Sizes, type Tree } from '../../model/tree';
import { draw_area, draw_frames, draw_label } from '../pictures/draw_box';
import type { Box, Found, Marks, PictureView, Step } from '../pictures/picture_view';
import type { TreeStyle } from '../pictures/tree_style';

export const row_height = 20;

export interface FlameInput {
  tree: Tree;
  sizes: Sizes;
  layout: FlameLayout;
  style: TreeStyle;
  zoom: number; // row; -1: all
  roots_on_top: boolean;
  hatched: boolean;
  width: number;
  least_height: number;
  cost(row: number): string;
}

export function flame_view(input: FlameInput): PictureView {
  const { tree, sizes, layout, style, zoom, roots_on_top, width } = input;
  const first_level = Math.max(1, level_of(tree, zoom));
  const last_level = deepest_below(tree, zoom);
  const from = zoom < 0 ? 0 : layout.begin[zoom]!;
  const to = zoom < 0 ? 1 : layout.end[zoom]!;
  const scale = to > from ? width / (to - from) : 0;
  const height = Math.max(input.least_height, (last_level - first_level + 1) * row_height);

  const y_of = (level: number) =>
    roots_on_top ? (level - first_level) * row_height : height - (level - first_level + 1) * row_height;
  const level_at = (y: number) => first_level + Math.floor((roots_on_top ? y : height - y) / row_height);
  const x_of = (place: number) => (place - from) * scale;

  function box_of(row: number): Box | null {
    if (row < 0 || !is_below(tree, row, zoom) || !(layout.end[row]! > layout.begin[row]!)) return null;
    const begin = Math.round(x_of(layout.begin[row]!));
    const wide = Math.round(x_of(layout.end[row]!)) - begin;
    return {
      x: begin,
      y: y_of(tree.frames.level[row]!),
      width: Math.max(1, wide - (wide > 3 ? 1 : 0)),
      height: row_height - 1,
    };
  }

  // Boxes of the levels between two heights; of those that begin in the same pixel only the first.
  function each_drawn(top: number, bottom: number, see: (row: number, box: Box) => void) {
    const one = level_at(top);
    const other = level_at(bottom);
    const begin = Math.max(first_level, Math.min(one, other));
    const end = Math.min(last_level, Math.max(one, other));
    for (let level = begin; level <= end; level++) {
      let last = -1;
      each_between(layout, level, from, to, row => {
        const x = Math.round(x_of(layout.begin[row]!));
        const wide = Math.round(x_of(layout.end[row]!)) - x;
        if (wide < 1 && x <= last) return;
        last = x;
        const box = box_of(row);
        if (box) see(row, box);
      });
    }
  }

  function draw(pen: Pen, top: number, bottom: number, found: Found | null, title?: (row: number) => string) {
    each_drawn(top, bottom, (row, box) => {
      if (title) pen.begin(() => title(row));
      const estimated = input.hatched ? estimated_part(tree, row, sizes) : 0;
      const look = draw_area(pen, box, row, false, estimated, style, found);
      if (box.width >= 14)
        draw_label(pen, box, style.labels(row), box.width > 90 ? input.cost(row) : '', look, style.palette.muted);
      if (title) pen.end();
    });
  }
  function draw_marks(pen: Pen, top: number, bottom: number, marks: Marks) {
    const selected: number[] = [];
    if (marks.selected.size > 0)
      each_drawn(top, bottom, row => marks.selected.has(tree.frames.function[row]!) && selected.push(row));
    draw_frames(pen, marks, selected, box_of, style);
  }

  const pixel = scale > 0 ? 1 / scale : 1;
  function step(row: number, to_where: Step): number {
    if (to_where === 'first' || row < 0)
      return zoom >= 0 ? zoom : (children(tree, -1).find(one => sizes.of[one]! > 0) ?? -1);
    if (to_where === 'left' || to_where === 'right') {
      const next = neighbour(layout, tree, row, to_where === 'left' ? -1 : 1, pixel / 2);
      return next >= 0 && is_below(tree, next, zoom) ? next : -1;
    }
    const deeper = (to_where === 'down') === roots_on_top;
    if (deeper) return widest_below(layout, tree, row);
    const above = parent_of(tree, row);
    return row === zoom || above < 0 ? -1 : above;
  }

  return {
    width,
    height,
    draw,
    draw_marks,
    box_of,
    row_at(x, y) {
      const level = level_at(y);
      const row = level >= first_level ? box_at(layout, level, from + x / (scale || 1), pixel) : -1;
      return row >= 0 && is_below(tree, row, zoom) ? row : -1;
    },
    in_sight(top, bottom) {
      const rows: number[] = [];
      each_drawn(top, bottom, (row, box) => {
        if (box.width >= 6) rows.push(row);
      });
      return rows;
    },
    step,
  };
}
