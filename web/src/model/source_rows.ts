// The rows of a source listing: the lines of the text, what has cost but no line in it, and calls and jumps below them.

import type { LineCall, LineJump, SourceLine } from '../engine/protocol';
import { weight_of } from './code_rows';
import { type Cost, larger } from './cost';

export type SourceRow =
  | { is: 'line'; number: number; line?: SourceLine; in_text: boolean; open?: boolean } // open: undefined: nothing below
  | { is: 'call'; number: number; line: SourceLine; call: LineCall }
  | { is: 'jump'; number: number; line: SourceLine; jump: LineJump };

export interface SourceLines {
  count: number;
  number_of(row: number): number;
  row_of(number: number): number; // the nearest one
  line_at(row: number): SourceLine | undefined;
  in_text(row: number): boolean;
}

export function below_line(line: SourceLine | undefined): number {
  return line ? line.calls.length + line.jumps.length : 0;
}

// `text_lines`: null if there is no text: then there are rows for what has cost only.
export function source_lines(lines: readonly SourceLine[], text_lines: number | null): SourceLines {
  const sorted = [...lines].sort((a, b) => a.line - b.line);
  const known = new Map(sorted.map(line => [line.line, line]));
  const end = text_lines ?? 0;
  const above = known.has(0) ? 1 : 0; // its line is not known
  const beyond = sorted.filter(line => line.line > end);
  const count = above + end + beyond.length;
  const number_of = (row: number) => {
    if (row < above) return 0;
    return row < above + end ? row - above + 1 : (beyond[row - above - end]?.line ?? 0);
  };
  return {
    count,
    number_of,
    row_of(number) {
      if (number <= 0) return 0;
      if (number <= end) return above + number - 1;
      let [from, to] = [0, beyond.length];
      while (from < to) {
        const middle = (from + to) >> 1;
        if (beyond[middle]!.line < number) from = middle + 1;
        else to = middle;
      }
      return Math.max(0, Math.min(count - 1, above + end + from));
    },
    line_at: row => known.get(number_of(row)),
    in_text: row => row >= above && row < above + end,
  };
}

export function row_below(number: number, line: SourceLine, sub: number): SourceRow {
  const call = line.calls[sub - 1];
  if (call) return { is: 'call', number, line, call };
  return { is: 'jump', number, line, jump: line.jumps[sub - 1 - line.calls.length]! };
}

// Where to begin: the line that weighs most; the first one if none does.
export function hottest_line(lines: readonly SourceLine[], comparing: boolean): number {
  const known = lines.filter(line => line.line > 0);
  const heaviest = (weight: (line: SourceLine) => Cost) =>
    known.reduce<SourceLine | undefined>((best, line) => {
      if (weight(line) <= 0) return best;
      return best && weight(best) >= weight(line) ? best : line;
    }, undefined);
  const best = heaviest(line => weight_of(line, comparing)) ?? heaviest(line => line.self[0] ?? 0) ?? known[0];
  return best?.line ?? 1;
}

// The largest of a column, for bars.
export function largest(lines: readonly SourceLine[], of: (line: SourceLine) => Cost | null | undefined): Cost {
  return lines.reduce<Cost>((most, line) => larger(most, of(line) ?? 0), 0);
}
