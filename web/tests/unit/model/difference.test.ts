import { expect, test } from 'vitest';
import { keptText, reasons, reportText } from '../../../src/model/difference';
import type { ChangedFunction, DifferenceAnswer } from '../../../src/protocol/protocol';

const row = {
  function: {
    id: 1,
    name: 'work',
    match: 'exact',
    self: [60],
    self_before: [30],
    inclusive: [60],
    inclusive_before: [30],
  },
  part: true,
} as unknown as ChangedFunction;
const list = { matching: 0, rows: [] };
const answer = {
  total: 92,
  total_before: 62,
  filtered: { least: 60, estimate: 67, most: 70 },
  filtered_before: { least: 37, estimate: 37, most: 37 },
  matching: 1,
  changed: [row],
  inlined: list,
} as unknown as DifferenceAnswer;

test('nothing is said of the reasons of a part of a function', () => {
  expect(reasons(row, new Map())).toEqual([]);
  const { part: _, ...whole } = row;
  expect(reasons(whole, new Map())).toEqual([{ text: 'its own code' }]);
});

test('what filters list is told, beside the totals of all functions', () => {
  expect(keptText(answer)).toBe('37 to ~67 (+30)');
  expect(keptText({ ...answer, filtered: null })).toBe('');
  const lines = reportText(answer, 'Ir', func => func.name).split('\n');
  expect(lines[0]).toContain('62 to 92');
  expect(lines[1]).toBe('listed by the filters: 37 to ~67 (+30)');
});
