import { expect, test } from 'vitest';
import { entryOf } from '../../../src/engine/http';
import {
  choiceOf,
  commitLabel,
  decodeHistory,
  encodeHistory,
  entryTitle,
  firstHistory,
  type HistoryState,
  historyAddress,
  oldTitle,
  profileAddress,
} from '../../../src/model/history_state';
import type { Entry, ProfileAnswer } from '../../../src/protocol/protocol';

const entry: Entry = {
  series: 'parse',
  entry: 7,
  commit: '1a2b3c4d5e6f7890',
  modified: false,
  branch: 'main',
  time: Date.UTC(2026, 10, 25, 10, 30) / 1000,
  machine: 'm',
  tags: [],
  command: './bench',
};

test('the first state has no fragment', () => {
  expect(encodeHistory({})).toBe('#');
  expect(historyAddress({})).toBe('?history#');
  expect(decodeHistory('')).toEqual(firstHistory);
  expect(decodeHistory('#')).toEqual(firstHistory);
});

test('a state survives the way through the address', () => {
  const state: HistoryState = {
    series: 'a/b & c=d#<e>',
    func: { name: 'operator<<(a, b&)', file: 'x y.c', object: '/lib/z.so' },
    event: 'Dr',
    branch: 'feature/+1 %',
    allBranches: true,
    machine: 'ci runner',
    tags: ['size=big', 'a=b=c', 'x'],
    since: 1_700_000_001,
    until: 1_800_000_002,
    inclusive: true,
    tab: 'entries',
    search: '/^ä\u202e/',
  };
  const fragment = encodeHistory(state);
  expect(decodeHistory(fragment)).toEqual(state);
  expect(fragment).toMatch(/^#[!-~]+$/);
  expect(fragment).not.toMatch(/[<>"']/);
  expect(fragment).toContain('since=2023-11-14T22:13:21');
});

test('what is no state of an address is left out', () => {
  const state = decodeHistory('#tab=x&since=yesterday&until=&cost=much&in=a.c&of&=b&tag=&__proto__=1&series=%');
  expect(state).toEqual({ ...firstHistory, series: '%' });
});

test('questions have what is chosen', () => {
  expect(choiceOf(firstHistory)).toEqual({ event: '', branch: '', all_branches: false, machine: '', tags: [] });
  const func = { name: 'f', file: 'a.c', object: 'p' };
  const chosen = choiceOf({ ...firstHistory, func, inclusive: true, since: 5, until: 9 });
  expect(chosen).toMatchObject({ ...func, inclusive: true, since: 5, until: 9 });
});

test('pages of entries', () => {
  expect(profileAddress(entry)).toBe('?series=parse&entry=7#functions');
  expect(profileAddress(entry, 5)).toBe('?series=parse&entry=7&before=5#difference');
  const func = { name: 'f<a>', file: 'a.c', object: '' };
  expect(profileAddress({ series: 'a&b c', entry: 7 }, undefined, { func, event: 'Dr' })).toBe(
    '?series=a%26b+c&entry=7#callers&fn=f%3Ca%3E&in=a.c&event=Dr',
  );
});

test('the address of a page chooses the entry of all questions', () => {
  const page = (query: string) => entryOf(`http://127.0.0.1:1/token/${query}#functions`);
  expect(page('')).toBeNull();
  expect(page('?history')).toBeNull();
  expect(page('?series=a&entry=x')).toBeNull();
  expect(page('?series=a%26b+c&entry=7')).toEqual({ series: 'a&b c', entry: '7', before: '' });
  expect(page('?series=a&entry=7&before=5')).toEqual({ series: 'a', entry: '7', before: '5' });
  const huge = '1234567890123456789';
  expect(page(profileAddress({ ...entry, entry: huge }, huge).replace(/#.*/, ''))).toMatchObject({
    entry: huge,
    before: huge,
  });
});

test('entries by name', () => {
  expect(commitLabel(entry)).toBe('1a2b3c4d5e6f');
  expect(commitLabel({ ...entry, modified: true })).toBe('1a2b3c4d5e6f+');
  expect(commitLabel({ ...entry, commit: '' })).toBe('2026-11-25 10:30');
  expect(commitLabel({ ...entry, commit: '\u202eabc' })).toBe('‹202E›abc');
  expect(entryTitle(entry)).toBe('parse 1a2b3c4d5e6f 2026-11-25');
  expect(entryTitle({ ...entry, commit: '' })).toBe('parse 2026-11-25 10:30');
  const before = { files: [{ name: 'old.out' }], title: 'program' };
  const titleOf = (parts: object) => oldTitle({ before, ...parts } as unknown as ProfileAnswer);
  expect(titleOf({ entry, entry_before: { ...entry, commit: 'abc' } })).toBe('abc');
  expect(titleOf({ entry, entry_before: { ...entry, series: 'x' } })).toBe('x 1a2b3c4d5e6f 2026-11-25');
  expect(titleOf({})).toBe('old.out');
});
