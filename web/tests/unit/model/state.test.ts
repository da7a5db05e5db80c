import { expect, test } from 'vitest';
import { columnsOf, commonOf, firstState, sameName } from '../../../src/model/state';

test('questions say only what is not as usual', () => {
  expect(commonOf(firstState, 'Ir', false)).toEqual({ event: 'Ir', columns: ['Ir'] });
  const state = {
    ...firstState,
    second: 'Dr',
    chips: [
      { kind: 'hide' as const, pattern: 'a' },
      { kind: 'hide' as const, pattern: 'b' },
    ],
    parts: [2],
    cycles: false,
  };
  expect(commonOf(state, 'Ir', true)).toEqual({
    event: 'Ir',
    columns: ['Ir', 'Dr'],
    hide: ['a', 'b'],
    part_rows: [2],
    cycles: false,
    compare: true,
  });
  expect(columnsOf({ ...state, more: ['Dr', 'inclusive:Dw'] }, 'Ir')).toEqual(['Ir', 'Dr', 'Dw']);
});

test('functions are the same by name, context, file and object', () => {
  const f = { name: 'f', file: 'a.c', object: 'x' };
  expect(sameName(f, { ...f, context: '' })).toBe(true);
  expect(sameName(f, { ...f, context: "'2" })).toBe(false);
  expect(sameName(f, null)).toBe(false);
  expect(sameName(null, null)).toBe(true);
});
