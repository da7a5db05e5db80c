import { expect, test } from 'vitest';
import { receive } from '../../../src/package/receive';

const huge = '9007199254740993';

test('costs beyond what a number holds are bigints, names of digits stay names', () => {
  const change = { at: 3, before: huge, after: 5, entry: { commit: huge, series: huge, entry: 7 } };
  const functions = [{ name: huge, before: 1, after: huge }];
  const sent = {
    first: 1,
    last: huge,
    points: { at: [0, 1], cost: [1, huge], commit: [huge] },
    change: { ...change, functions },
  };
  const exact = BigInt(huge);
  expect(receive(JSON.stringify(sent))).toEqual({
    first: 1,
    last: exact,
    points: { at: [0, 1], cost: [1, exact], commit: [huge] },
    change: { ...change, before: exact, functions: [{ name: huge, before: 1, after: exact }] },
  });
});
