// The boxes of flame graphs and treemaps.

import type { Pen } from '../../model/drawing_surface';
import { fitting } from '../../model/labels';
import { contrast } from '../../model/shades';
import type { Box, Found, Marks } from './picture_view';
import type { BoxStyle, TreeStyle } from './tree_style';

export const text_size = 12;
// Of the strip that says more or less, for those who do not see colours; narrow boxes have no room for it.
const edge = 2;
const least_for_edge = 10;

// How a search changes the look of a box.
function with_search(style: BoxStyle, row: number, found: Found | null, tree_style: TreeStyle): BoxStyle {
  if (!found) return style;
  const { palette } = tree_style;
  if (found(row)) return { ...style, fill: palette.match, text: palette.text };
  return { ...style, fill: tree_style.dim(style.fill), text: palette.muted };
}

// `estimated`: which part of it, from 0 to 1, is hatched.
export function draw_area(
  pen: Pen,
  box: Box,
  row: number,
  own: boolean,
  estimated: number,
  style: TreeStyle,
  found: Found | null,
): BoxStyle {
  const look = with_search(own ? style.own(row) : style.box(row), row, found, style);
  pen.rect(box.x, box.y, box.width, box.height, look.fill);
  const hatched = box.width * estimated;
  if (hatched > 1) pen.hatch(box.x + box.width - hatched, box.y, hatched, box.height, style.hatch);
  if (look.dashed && box.width > 3)
    pen.outline(box.x + 0.5, box.y + 0.5, box.width - 1, box.height - 1, look.line, 1, true);
  else if (look.change !== 'same') draw_edge(pen, box, look);
  else if (look.line && box.width > 3)
    pen.outline(box.x + 0.5, box.y + 0.5, box.width - 1, box.height - 1, look.line, 1);
  return look;
}

// On top: more than before; at the bottom: less.
function draw_edge(pen: Pen, box: Box, look: BoxStyle) {
  if (box.width < least_for_edge || box.height < least_for_edge || look.line === '') return;
  const is_less = look.change === 'less';
  pen.rect(box.x, is_less ? box.y + box.height - edge : box.y, box.width, edge, look.line);
}

// The name, and behind it the cost if there is room for all of both.
export function draw_label(pen: Pen, box: Box, labels: readonly string[], cost: string, look: BoxStyle, muted: string) {
  const pad = 4;
  const mark = look.mark === '' || box.width < 24 ? '' : `${look.mark} `;
  const mark_width = mark === '' ? 0 : pen.measure(mark, text_size);
  const room = box.width - 2 * pad - mark_width;
  const base = box.y + box.height / 2 + text_size * 0.35;
  if (room < 8) {
    if (mark !== '' && box.width - 2 >= mark_width)
      pen.text(look.mark, box.x + box.width / 2, base, { size: text_size, colour: look.text, align: 'middle' });
    return;
  }
  const name = fitting(labels, room, text => pen.measure(text, text_size));
  if (name === '' && mark === '') return;
  pen.text(mark + name, box.x + pad, base, { size: text_size, colour: look.text });
  if (cost === '' || name !== labels[0]) return;
  const used = pen.measure(name, text_size);
  const quiet = contrast(muted, look.fill) >= 4.5 ? muted : look.text;
  const cost_width = pen.measure(cost, text_size);
  if (used + cost_width + 16 <= room)
    pen.text(cost, box.x + box.width - pad, base, { size: text_size, colour: quiet, align: 'end' });
}

function draw_frame(pen: Pen, box: Box, colour: string, line: number) {
  const inset = line / 2;
  const width = Math.max(0.5, box.width - line);
  pen.outline(box.x + inset, box.y + inset, width, Math.max(0.5, box.height - line), colour, line);
}

// All boxes of the selected function, that under the pointer, and the cursor on top of both.
export function draw_frames(
  pen: Pen,
  marks: Marks,
  selected: readonly number[],
  box_of: (row: number) => Box | null,
  style: TreeStyle,
) {
  const { accent, text } = style.palette;
  const frame = (row: number, colour: string, line: number) => {
    const box = row < 0 ? null : box_of(row);
    if (box) draw_frame(pen, box, colour, line);
  };
  for (const row of selected) frame(row, accent, 1.5);
  frame(marks.hover, text, 1);
  frame(marks.cursor, accent, marks.focused ? 2.5 : 1.5);
}
