import { expect, test } from 'vitest';
import {
  boundsText,
  keyBelow,
  type Levels,
  openKeys,
  pathText,
  rowsOfTree,
  textTable,
} from '../../../src/model/call_tree';
import type { CallTreeLevel, CallTreeRow } from '../../../src/protocol/protocol';

function row(id: number, inclusive: number, leadsOn = true): CallTreeRow {
  const func = { id, name: `f${id}`, file: 'x.c', object: '' };
  return { kind: 0, ...func, inclusive, self: 0, calls: 1, per_call: inclusive, leads_on: leadsOn };
}
const level = (path: number[], rows: CallTreeRow[], omitted = 0): CallTreeLevel => ({
  path,
  rows,
  omitted_rows: omitted,
  omitted_cost: omitted,
});
const levels = [level([], [row(0, 100)]), level([0], [row(1, 70), row(2, 20, false)], 3), level([0, 1], [row(0, 60)])];
const known: Levels = new Map(levels.map(one => [pathText(one.path), one]));
const keyOf = (...ids: number[]) => ids.reduce((key, id) => keyBelow(key, row(id, 0)), '');

test('rows below open ones follow them, with what was omitted last', () => {
  const open = new Set([keyOf(0), keyOf(0, 1)]);
  const { rows, wanted } = rowsOfTree(known, key => open.has(key));
  expect(rows.map(one => [one.is, one.level, pathText(one.path), one.parent])).toEqual([
    ['path', 1, '0', null],
    ['path', 2, '0 1', 100],
    ['path', 3, '0 1 0', 70],
    ['path', 2, '0 2', 100],
    ['more', 2, '0', 100],
  ]);
  expect(wanted).toEqual([]);
});

test('what is open and not there is wanted', () => {
  const all = rowsOfTree(known, () => true);
  expect(all.wanted).toEqual([[0, 1, 0]]);
  expect(rowsOfTree(new Map(), () => true)).toEqual({ rows: [], wanted: [[]] });
  expect(rowsOfTree(known, () => false).rows).toHaveLength(1);
});

test('a path has one key, whatever ids its functions have', () => {
  expect(openKeys(levels)).toEqual([keyOf(0), keyOf(0, 1)]);
  expect(keyOf(0, 1)).not.toBe(keyOf(1, 0));
  expect(keyOf(0, 1)).toMatch(/^[0-9a-z]{6,11}$/);
});

test('other rows than functions lead nowhere', () => {
  const rest: CallTreeRow = { kind: 1, inclusive: 5, self: 5, calls: null, per_call: null, leads_on: false };
  const { rows, wanted } = rowsOfTree(new Map([['', level([], [rest])]]), () => true);
  expect(rows).toMatchObject([{ is: 'path', open: false, path: [] }]);
  expect(wanted).toEqual([]);
});

test('the text has columns, and names as deep as they are', () => {
  expect(
    textTable([
      ['self', 'function'],
      ['1,000', 'main'],
      ['5', ' work'],
    ]),
  ).toBe(' self  function\n1,000  main\n    5   work');
  expect(boundsText(undefined, 100)).toBe('exact');
  expect(boundsText([10, 25], 100)).toBe('10.00–25.00\u202f%');
});
