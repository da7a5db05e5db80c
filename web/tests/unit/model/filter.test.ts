import { expect, test } from 'vitest';
import { parseChip, patternOfFunction, patternOfPath } from '../../../src/model/filter';

test('a chip is a kind and a pattern', () => {
  expect(parseChip('hide: std::')).toEqual({ kind: 'hide', pattern: 'std::' });
  expect(parseChip('object:/^libc/')).toEqual({ kind: 'object', pattern: '/^libc/' });
  expect(parseChip('std::vector')).toEqual({ kind: 'focus', pattern: 'std::vector' });
  expect(parseChip('odd: x')).toEqual({ kind: 'focus', pattern: 'odd: x' });
  expect(parseChip('hide:')).toBeNull();
  expect(parseChip('  ')).toBeNull();
});

test('the pattern of a function finds only that', () => {
  expect(patternOfFunction('f<a>::operator()(int*)')).toBe('function:/^f<a>::operator\\(\\)\\(int\\*\\)$/');
  expect(patternOfFunction('x'.repeat(400))).toBe(`function:/^${'x'.repeat(300)}/`);
  expect(patternOfPath('/usr/lib/x.so')).toBe('/usr/lib/x.so');
  expect(patternOfPath('/usr/lib/')).toBe('usr/lib/');
});
