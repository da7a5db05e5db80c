import { expect, test } from 'vitest';
import { hueOf, hues } from '../../../src/model/color';

test('a name has its color', () => {
  expect(hueOf('')).toBe(0);
  expect(hueOf('/lib/libc.so.6')).toBe(hueOf('/lib/libc.so.6'));
  const used = new Set(Array.from({ length: 500 }, (_, i) => hueOf(`lib${i}.so`)));
  expect(used.size).toBe(hues - 1);
});
