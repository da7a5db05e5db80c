// The boxes of flame graphs and treemaps.

import { fitting } from '../../model/labels';
import type { Pen } from '../../model/pen';
import { contrast } from '../../model/shades';
import type { Box, Marks } from './picture_view';
import type { BoxStyle, TreeStyle } from './tree_style';

export const text_size = 12;
const edge = 3; // of the strip that says more or less, for those who do not see colours

// How a search changes the look of a box.
function with_marks(style: BoxStyle, row: number, marks: Marks, tree_style: TreeStyle): BoxStyle {
  if (!marks.found) return style;
  const { palette } = tree_style;
  if (marks.found(row)) return { ...style, fill: palette.match, text: palette.text };
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
  marks: Marks,
): BoxStyle {
  const look = with_marks(own ? style.own(row) : style.box(row), row, marks, style);
  pen.rect(box.x, box.y, box.width, box.height, look.fill);
  const hatched = box.width * estimated;
  if (hatched > 1) pen.hatch(box.x + box.width - hatched, box.y, hatched, box.height, style.hatch);
  if (look.dashed && box.width > 3)
    pen.outline(box.x + 0.5, box.y + 0.5, box.width - 1, box.height - 1, look.line, 1, true);
  else if (look.change === 'more' || look.change === 'new')
    pen.rect(box.x, box.y, box.width, Math.min(edge, box.height / 4), look.line);
  else if (look.change === 'less') {
    const strip = Math.min(edge, box.height / 4);
    pen.rect(box.x, box.y + box.height - strip, box.width, strip, look.line);
  } else if (look.line && box.width > 3)
    pen.outline(box.x + 0.5, box.y + 0.5, box.width - 1, box.height - 1, look.line, 1);
  return look;
}

// The name, and behind it the cost if there is room for all of both.
export function draw_label(pen: Pen, box: Box, labels: readonly string[], cost: string, look: BoxStyle, muted: string) {
  const pad = 4;
  const mark = look.mark === '' ? '' : `${look.mark} `;
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

export function draw_frame(pen: Pen, box: Box, colour: string, line: number) {
  const inset = line / 2;
  pen.outline(
    box.x + inset,
    box.y + inset,
    Math.max(0.5, box.width - line),
    Math.max(0.5, box.height - line),
    colour,
    line,
  );
}
