import { expect, test } from 'vitest';
import { csv } from '../../../src/model/csv';

test('CSV: quotes, and nothing that a spreadsheet would run', () => {
  expect(csv([['a,b', 'say "x"', '=1+1', -5, null, 2n ** 63n]])).toBe(
    `"a,b","say ""x""",'=1+1,-5,,9223372036854775808\r\n`,
  );
});
