import { expect, test } from 'vitest';
import { brief, bytes, change, counted, exact, inUnit, percent, percentBrief, signed } from '../../../src/model/format';

const plain = (text: string) => text.replace(/\u202f/g, ' ').replace(/\u2212/g, '-');

test('exact numbers have groups of three digits', () => {
  expect([0, 7, 1234, 1234567, -1234567].map(exact).map(plain)).toEqual(['0', '7', '1,234', '1,234,567', '-1,234,567']);
  expect(plain(exact(-(2n ** 63n)))).toBe('-9,223,372,036,854,775,808');
});

test('costs per call are fractions while they are small', () => {
  expect([2.5, 0.004, 999.999, 1234.5678].map(exact)).toEqual(['2.50', '0.00', '1000.00', '1,235']);
});

test('brief numbers have three digits', () => {
  const briefOf = (value: number | bigint) => plain(brief(value));
  expect(briefOf(9999)).toBe('9,999');
  expect(briefOf(12_345)).toBe('12.3 k');
  expect(briefOf(1_234_567)).toBe('1.23 M');
  expect(briefOf(999_999)).toBe('1.00 M');
  expect(briefOf(999_499)).toBe('999 k');
  expect(briefOf(-99_950_000)).toBe('-100 M');
  expect(briefOf(2n ** 63n)).toBe('9.22 E');
});

test('times and bytes are in the unit that leaves few digits', () => {
  expect(plain(inUnit(3880, 's', 1e-6))).toBe('3.88 ms');
  expect(plain(inUnit(850, 's', 1e-6))).toBe('850 µs');
  expect(plain(inUnit(19, 's', 1e-8))).toBe('190 ns');
  expect(plain(inUnit(33.333, 's', 1e-6))).toBe('33.33 µs');
  expect(plain(inUnit(-1_200_000, 'B', 1))).toBe('-1.20 MB');
  expect(plain(inUnit(999_999_000, 's', 1e-9))).toBe('1.00 s');
  expect(plain(inUnit(12_345_678, 's', 1))).toBe('12,345,678 s');
  expect(inUnit(0, 'B', 1)).toBe('0');
});

test('a percentage tells nothing from little, and little less from all', () => {
  expect([0, 0.00001, 0.1234, 0.99999, 1, 1.5, -0.25, null].map(percent).map(plain)).toEqual([
    '0 %',
    '<0.01 %',
    '12.34 %',
    '>99.99 %',
    '100.00 %',
    '150.00 %',
    '-25.00 %',
    '–',
  ]);
  expect([0.123, 0.0123, 0.00123, 0, 1, 0.999].map(percentBrief).map(plain)).toEqual([
    '12 %',
    '1.2 %',
    '0.12 %',
    '0 %',
    '100 %',
    '99.9 %',
  ]);
});

test('a change has a sign, a shape and a ratio', () => {
  const of = (before: number | bigint, after: number | bigint) => {
    const { mark, text, ratio, direction } = change(before, after);
    return [mark, plain(text), plain(ratio), direction];
  };
  expect(of(100, 112)).toEqual(['▲', '+12', '+12.00 %', 'more']);
  expect(of(100, 50)).toEqual(['▼', '-50', '-50.00 %', 'less']);
  expect(of(0, 5)).toEqual(['▲', '+5', 'new', 'more']);
  expect(of(5, 0)).toEqual(['▼', '-5', 'removed', 'less']);
  expect(of(5, 5)).toEqual(['', '0', '', 'same']);
  expect(of(2n ** 60n, 2n ** 60n + 1n)).toEqual(['▲', '+1', '+<0.01 %', 'more']);
});

test('signs, plurals, sizes', () => {
  expect([signed(0), signed(5), plain(signed(-5))]).toEqual(['0', '+5', '-5']);
  expect([counted(1, 'function'), counted(2, 'function'), counted(0, 'entry', 'entries')]).toEqual([
    '1 function',
    '2 functions',
    '0 entries',
  ]);
  expect([5, 1234, 56_789_000].map(bytes).map(plain)).toEqual(['5 B', '1.2 kB', '56.8 MB']);
});
