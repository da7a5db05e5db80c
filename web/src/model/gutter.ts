// The piece of the jump arrows that is drawn beside one row, as paths of SVG.

import type { Bundle } from './jump_lanes';

export const lane_width = 7;
export const row_height = 20;
const ends = 11; // room for arrow heads, right of the lanes
const middle = row_height / 2;

export function gutter_width(lanes: number): number {
  return lanes * lane_width + ends;
}

export interface GutterPiece {
  bundle: Bundle;
  line: string; // path of the line
  head: string; // of the arrow head; '': the arrow does not end here
}

// `row` is an entry of the listing; `below`: rows that are unfolded below it, through which arrows only pass.
export function gutter_piece(bundle: Bundle, row: number, below: boolean, lanes: number): GutterPiece {
  const right = gutter_width(lanes) - 1;
  const has_lane = bundle.lane >= 0;
  const x = has_lane ? right - ends - bundle.lane * lane_width + 3.5 : right - ends + 4.5;
  const is_target = !below && bundle.to === row;
  const is_source = !below && bundle.from.includes(row);
  let line = '';
  if (has_lane) {
    const top = row > bundle.first || (below && row >= bundle.first) ? 0 : middle;
    const bottom = row < bundle.last ? row_height : middle;
    if (below ? row < bundle.last : top !== bottom) line += `M${x} ${below ? 0 : top}V${bottom}`;
  }
  if (is_target) line += `M${x} ${middle}H${right - 4}`;
  if (is_source) line += `M${x} ${middle}H${right}`;
  const head = is_target ? `M${right - 6} ${middle - 3.5}L${right} ${middle}L${right - 6} ${middle + 3.5}Z` : '';
  return { bundle, line, head };
}
