import { expect, test } from 'vitest';
import { profilesOf } from '../../../src/model/dropped';

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
