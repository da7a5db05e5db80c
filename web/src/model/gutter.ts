// The part of the jump arrows beside one row, as SVG paths.

import type { Bundle } from './jump_lanes';

export const laneWidth = 7;
export const rowHeight = 20;
const ends = 11; // room for arrow heads, right of the lanes
const middle = rowHeight / 2;

export function gutterWidth(lanes: number): number {
  return lanes * laneWidth + ends;
}

export interface GutterPiece {
  bundle: Bundle;
  line: string; // path of the line
  head: string; // of the arrow head; '': the arrow does not end here
}

// `row` is an entry of the listing; `below`: rows that are unfolded below it, through which arrows only pass.
export function gutterPiece(bundle: Bundle, row: number, below: boolean, lanes: number): GutterPiece {
  const right = gutterWidth(lanes) - 1;
  const hasLane = bundle.lane >= 0;
  const x = hasLane ? right - ends - bundle.lane * laneWidth + 3.5 : right - ends + 4.5;
  const isTarget = !below && bundle.to === row;
  const isSource = !below && bundle.from.includes(row);
  let line = '';
  if (hasLane) {
    const top = row > bundle.first || (below && row >= bundle.first) ? 0 : middle;
    const bottom = row < bundle.last ? rowHeight : middle;
    if (below ? row < bundle.last : top !== bottom) line += `M${x} ${below ? 0 : top}V${bottom}`;
  }
  if (isTarget) line += `M${x} ${middle}H${right - 4}`;
  if (isSource) line += `M${x} ${middle}H${right}`;
  const head = isTarget ? `M${right - 6} ${middle - 3.5}L${right} ${middle}L${right - 6} ${middle + 3.5}Z` : '';
  return { bundle, line, head };
}
