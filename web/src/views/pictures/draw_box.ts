// The boxes of flame graphs and treemaps.

import type { DrawingSurface } from '../../model/drawing_surface';
import { fitting } from '../../model/labels';
import { contrast } from '../../model/shades';
import type { Box, Marks } from './picture_view';
import type { BoxStyle, TreeStyle } from './tree_style';

export const textSize = 12;
// The strip that marks a change without color; narrow boxes have no room for it.
const edge = 2;
const leastForEdge = 10;

// A box as it was drawn; it is hatched from `solidTo` on.
export interface Look extends BoxStyle {
  solidTo: number | undefined;
}

// How a search changes the look of a box.
function withSearch(style: BoxStyle, isFound: boolean | null, treeStyle: TreeStyle): BoxStyle {
  if (isFound === null) return style;
  const { palette } = treeStyle;
  if (isFound) return { ...style, fill: palette.match, text: palette.text };
  return { ...style, fill: treeStyle.dim(style.fill), text: palette.muted };
}

// `estimated`: which part of it, from 0 to 1, is hatched. `isFound`: by a search; null: nothing is searched.
export function drawArea(
  surface: DrawingSurface,
  box: Box,
  boxStyle: BoxStyle,
  estimated: number,
  style: TreeStyle,
  isFound: boolean | null,
): Look {
  const look = withSearch(boxStyle, isFound, style);
  surface.rect(box.x, box.y, box.width, box.height, look.fill);
  const hatched = box.width * estimated;
  const solidTo = hatched > 1 ? box.x + box.width - hatched : undefined;
  if (solidTo !== undefined) surface.hatch(solidTo, box.y, hatched, box.height, style.hatch);
  if (look.dashed && box.width > 3)
    surface.outline(box.x + 0.5, box.y + 0.5, box.width - 1, box.height - 1, look.line, 1, true);
  else if (look.change !== 'same') drawEdge(surface, box, look);
  else if (look.line && box.width > 3)
    surface.outline(box.x + 0.5, box.y + 0.5, box.width - 1, box.height - 1, look.line, 1);
  return { ...look, solidTo };
}

// On top: more than before; at the bottom: less.
function drawEdge(surface: DrawingSurface, box: Box, look: BoxStyle) {
  if (box.width < leastForEdge || box.height < leastForEdge || look.line === '') return;
  const isLess = look.change === 'less';
  surface.rect(box.x, isLess ? box.y + box.height - edge : box.y, box.width, edge, look.line);
}

// The name, and behind it the cost if there is room for all of both.
export function drawLabel(
  surface: DrawingSurface,
  box: Box,
  labels: readonly string[],
  cost: string,
  look: Look,
  muted: string,
) {
  const pad = 4;
  // Text is not hatched.
  const write = (text: string, x: number, width: number, color: string, align: 'start' | 'end' | 'middle') => {
    const left = align === 'start' ? x : align === 'end' ? x - width : x - width / 2;
    if (look.solidTo !== undefined && left + width > look.solidTo)
      surface.rect(left - 2, box.y + 2, width + 4, box.height - 4, look.fill);
    surface.text(text, x, base, { size: textSize, color, align });
  };
  const mark = look.mark === '' || box.width < 24 ? '' : `${look.mark} `;
  const markWidth = mark === '' ? 0 : surface.measure(mark, textSize);
  const room = box.width - 2 * pad - markWidth;
  const base = box.y + box.height / 2 + textSize * 0.35;
  if (room < 8) {
    if (mark !== '' && box.width - 2 >= markWidth)
      write(look.mark, box.x + box.width / 2, markWidth, look.text, 'middle');
    return;
  }
  const name = fitting(labels, room, text => surface.measure(text, textSize));
  if (name === '' && mark === '') return;
  const used = surface.measure(name, textSize);
  write(mark + name, box.x + pad, markWidth + used, look.text, 'start');
  if (cost === '' || name !== labels[0]) return;
  const quiet = contrast(muted, look.fill) >= 4.5 ? muted : look.text;
  const costWidth = surface.measure(cost, textSize);
  if (used + costWidth + 16 <= room) write(cost, box.x + box.width - pad, costWidth, quiet, 'end');
}

function drawFrame(surface: DrawingSurface, box: Box, color: string, line: number) {
  const inset = line / 2;
  const width = Math.max(0.5, box.width - line);
  surface.outline(box.x + inset, box.y + inset, width, Math.max(0.5, box.height - line), color, line);
}

// All boxes of the selected function, that under the pointer, and the cursor on top of both.
export function drawFrames(
  surface: DrawingSurface,
  marks: Marks,
  selected: readonly number[],
  boxOf: (row: number) => Box | null,
  style: TreeStyle,
) {
  const { accent, text } = style.palette;
  const frame = (row: number, color: string, line: number) => {
    const box = row < 0 ? null : boxOf(row);
    if (box) drawFrame(surface, box, color, line);
  };
  for (const row of selected) frame(row, accent, 1.5);
  frame(marks.hover, text, 1);
  frame(marks.cursor, accent, marks.focused ? 2.5 : 1.5);
}
