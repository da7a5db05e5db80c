import { expect, test } from 'vitest';
import { hueOf, hues } from '../../src/model/colour';
import { csv } from '../../src/model/csv';
import { profilesOf } from '../../src/model/dropped';
import { parseChip, patternOfFunction, patternOfPath } from '../../src/model/filter';
import { columnsOf, commonOf, firstState, sameName } from '../../src/model/state';
import { cut, printable, visible } from '../../src/model/visible';

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

test('a name has its colour', () => {
  expect(hueOf('')).toBe(0);
  expect(hueOf('/lib/libc.so.6')).toBe(hueOf('/lib/libc.so.6'));
  const used = new Set(Array.from({ length: 500 }, (_, i) => hueOf(`lib${i}.so`)));
  expect(used.size).toBe(hues - 1);
});

test('dropped files: parts belong together, the older profile is before', () => {
  const file = (name: string, lastModified: number) => ({ name, lastModified });
  const names = (files: ReturnType<typeof file>[]) => profilesOf(files).map(run => run.map(one => one.name));
  expect(names([file('new.out', 2), file('old.out', 1)])).toEqual([['old.out'], ['new.out']]);
  expect(names([file('b', 1), file('a', 1)])).toEqual([['a'], ['b']]);
  expect(names([file('callgrind.out.7.2', 5), file('callgrind.out.7.1', 5), file('callgrind.out.9', 6)])).toEqual([
    ['callgrind.out.7.1', 'callgrind.out.7.2'],
    ['callgrind.out.9'],
  ]);
  expect(names([file('cg.out-02', 1), file('cg.out-01', 1), file('run-1', 2)])).toEqual([
    ['cg.out-01', 'cg.out-02'],
    ['run-1'],
  ]);
  expect(names([file('callgrind.out.7-02', 1), file('callgrind.out.7-01', 1)])).toEqual([
    ['callgrind.out.7-01', 'callgrind.out.7-02'],
  ]);
});

test('CSV: quotes, and nothing that a spreadsheet would run', () => {
  expect(csv([['a,b', 'say "x"', '=1+1', -5, null, 2n ** 63n]])).toBe(
    `"a,b","say ""x""",'=1+1,-5,,9223372036854775808\r\n`,
  );
});
