import { expect, test } from 'vitest';
import { belowLine, hottestLine, rowBelow, selfOf } from '../../../src/model/source_rows';
import type { InlinedLine, LineCall, LineJump, SourceLine } from '../../../src/protocol/protocol';

const call = (name: string) => ({ name, cost: [1], recursive: false }) as unknown as LineCall;
const jump: LineJump = { to: 3, executed: 1, followed: 1, conditional: false };
const code = (line: number, calls: LineCall[] = []): InlinedLine => ({
  file: { id: 1, name: 'b.h' },
  line,
  self: [5],
  calls,
});
const line: SourceLine = {
  line: 2,
  self: [4],
  with_calls: [20],
  with_inlined: [14],
  inlined: false,
  inlined_code: [code(7, [call('g'), call('h')]), code(8)],
  calls: [call('f')],
  jumps: [jump],
};

test('below a line are its calls, what was inlined at it with its calls, and its jumps', () => {
  const rows = Array.from({ length: belowLine(line) }, (_, i) => rowBelow(2, line, i + 1));
  expect(
    rows.map(row => {
      if (row.is === 'call') return `${row.inlined ? 'inlined ' : ''}call of ${row.call.name}`;
      return row.is === 'inlined' ? `line ${row.code.line}` : row.is;
    }),
  ).toEqual(['call of f', 'line 7', 'inlined call of g', 'inlined call of h', 'line 8', 'jump']);
});

test('a line costs what was inlined at it, too', () => {
  const other: SourceLine = { line: 1, self: [10], with_calls: [10], inlined: false, calls: [], jumps: [] };
  expect(selfOf(line)).toEqual([14]);
  expect(selfOf(other)).toEqual([10]);
  expect(hottestLine([other, line], false)).toBe(2);
});
