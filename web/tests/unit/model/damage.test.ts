import { expect, test } from 'vitest';
import { damageOf } from '../../../src/model/damage';
import type { Diagnostic, Facts } from '../../../src/protocol/protocol';

function facts(...rows: Partial<Diagnostic>[]): Facts {
  const usual = { severity: 'error', message: 'a cost is not a number; it counts as 0', count: 1 };
  return { diagnostics: { rows: rows.map(row => ({ ...usual, ...row })) } } as Facts;
}

test('what is odd but right is no damage', () => {
  expect(damageOf(facts())).toBe('');
  expect(damageOf(facts({ id: 'crlf' }, { id: 'non-additive-column' }))).toBe('');
});

test('a file that ends too early comes first', () => {
  expect(damageOf(facts({ id: 'bad-cost' }, { id: 'truncated-file', line: 24 }))).toMatch(/after line 24 is missing/);
  expect(damageOf(facts({ id: 'read-failed' }))).toMatch(/what was measured is missing/);
});

test('what could not be read is counted', () => {
  expect(damageOf(facts({ id: 'bad-cost', line: 3 }))).toBe(
    'The file is damaged: a cost is not a number; it counts as 0 (line 3). The rest was read, so costs may be wrong.',
  );
  expect(damageOf(facts({ id: 'bad-cost', count: 5 }, { id: 'unknown-line', count: 2 }))).toMatch(
    /, and 6 more problems/,
  );
});
