// The rows of a source listing: lines of the text, costs outside the text, and calls and jumps below them.

import { type Cost, larger } from '../protocol/cost';
import type { Costs, InlinedLine, LineCall, LineJump, SourceLine } from '../protocol/protocol';
import { weightOf } from './code_rows';

export type SourceRow =
  | { is: 'line'; number: number; line?: SourceLine; inText: boolean; open?: boolean } // open: undefined: nothing below
  | { is: 'call'; number: number; line: SourceLine; call: LineCall; inlined?: boolean } // a call from inlined code
  | { is: 'inlined'; number: number; line: SourceLine; code: InlinedLine }
  | { is: 'jump'; number: number; line: SourceLine; jump: LineJump };

export interface SourceLines {
  count: number;
  numberOf(row: number): number;
  rowOf(number: number): number; // the nearest one
  lineAt(row: number): SourceLine | undefined;
  inText(row: number): boolean;
}

// What the line costs, with what was inlined at it.
export function selfOf(line: SourceLine): Costs {
  return line.with_inlined ?? line.self;
}

// With that as its self cost.
export function shownLine(line: SourceLine): SourceLine {
  return line.with_inlined ? { ...line, self: line.with_inlined } : line;
}

export function belowLine(line: SourceLine | undefined): number {
  if (!line) return 0;
  const inlined = (line.inlined_code ?? []).reduce((sum, code) => sum + 1 + code.calls.length, 0);
  return line.calls.length + inlined + line.jumps.length;
}

// `textLines`: null if there is no text: then there are rows for what has cost only.
export function sourceLines(lines: readonly SourceLine[], textLines: number | null): SourceLines {
  const sorted = [...lines].sort((a, b) => a.line - b.line);
  const known = new Map(sorted.map(line => [line.line, line]));
  const end = textLines ?? 0;
  const above = known.has(0) ? 1 : 0; // its line is not known
  const beyond = sorted.filter(line => line.line > end);
  const count = above + end + beyond.length;
  const numberOf = (row: number) => {
    if (row < above) return 0;
    return row < above + end ? row - above + 1 : (beyond[row - above - end]?.line ?? 0);
  };
  return {
    count,
    numberOf,
    rowOf(number) {
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
    lineAt: row => known.get(numberOf(row)),
    inText: row => row >= above && row < above + end,
  };
}

export function rowBelow(number: number, line: SourceLine, sub: number): SourceRow {
  let at = sub - 1;
  const call = line.calls[at];
  if (call) return { is: 'call', number, line, call };
  at -= line.calls.length;
  for (const code of line.inlined_code ?? []) {
    if (at === 0) return { is: 'inlined', number, line, code };
    const inner = code.calls[at - 1];
    if (inner) return { is: 'call', number, line, call: inner, inlined: true };
    at -= 1 + code.calls.length;
  }
  return { is: 'jump', number, line, jump: line.jumps[at]! };
}

// The initial line: the heaviest, or the first one.
export function hottestLine(lines: readonly SourceLine[], comparing: boolean): number {
  const known = lines.filter(line => line.line > 0);
  const heaviest = (weight: (line: SourceLine) => Cost) =>
    known.reduce<SourceLine | undefined>((best, line) => {
      if (weight(line) <= 0) return best;
      return best && weight(best) >= weight(line) ? best : line;
    }, undefined);
  const best =
    heaviest(line => weightOf(shownLine(line), comparing)) ?? heaviest(line => selfOf(line)[0] ?? 0) ?? known[0];
  return best?.line ?? 1;
}

// The largest of a column, for bars.
export function largest(lines: readonly SourceLine[], of: (line: SourceLine) => Cost | null | undefined): Cost {
  return lines.reduce<Cost>((most, line) => larger(most, of(line) ?? 0), 0);
}
