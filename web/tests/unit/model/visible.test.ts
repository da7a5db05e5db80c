import { expect, test } from 'vitest';
import { cut, printable, splitAtMatches, visible } from '../../../src/model/visible';

test('what cannot be seen is made visible', () => {
  expect(visible('a\tb\u001b[31m\u007f\u0085')).toBe('a‹09›b‹1B›[31m‹7F›‹85›');
  expect(visible('\u202Eevil\u202C\u2066x\u200b\ufeff')).toBe('‹202E›evil‹202C›‹2066›x‹200B›‹FEFF›');
  expect(visible('\ud800x')).toBe('‹D800›x');
  expect(visible('Élève العربية 模型 😀')).toBe('Élève العربية 模型 😀');
  expect(visible('\u{e0041}')).toContain('‹');
});

test('long names are cut in the middle', () => {
  expect(cut('abcdefghij', 7)).toBe('abcd…ij');
  expect(cut('abc', 3)).toBe('abc');
  expect(printable('x'.repeat(10_000)).length).toBe(400);
});

test('what was searched for is every other piece', () => {
  expect(splitAtMatches('Widget::get', 'GET')).toEqual(['Wid', 'get', '::', 'get', '']);
  expect(splitAtMatches('a.b(c)', '.b(')).toEqual(['a', '.b(', 'c)']);
  expect(splitAtMatches('abc', 'x')).toEqual(['abc']);
  expect(splitAtMatches('abc', '')).toEqual(['abc']);
  expect(splitAtMatches('abc', '/b/')).toEqual(['abc']);
});
