// What problems of a file mean for the figures.

import type { Diagnostic, Facts } from '../protocol/protocol';
import { counted } from './format';

// The rest of the file is not there.
const incomplete = new Set(['truncated-file', 'truncated-compression', 'read-failed']);
// Costs or calls that could not be read.
const lost = new Set([
  'unknown-line',
  'cost-before-events',
  'unknown-position',
  'unsupported-version',
  'short-position',
  'surplus-costs',
  'number-overflow',
  'bad-cost',
  'bad-call-count',
  'calls-without-cost-line',
  'line-too-long',
]);

function place(row: Diagnostic): string {
  return row.line ? ` after line ${row.line}` : '';
}

// A sentence, '' if the figures are right.
export function damageOf({ diagnostics }: Facts): string {
  const end = diagnostics.rows.find(row => incomplete.has(row.id));
  if (end) return `The file is incomplete: what was measured${place(end)} is missing, so all costs are too low.`;
  const rows = diagnostics.rows.filter(row => lost.has(row.id));
  const first = rows[0];
  if (!first) return '';
  const count = rows.reduce((sum, row) => sum + row.count, 0);
  const more = count > 1 ? `, and ${counted(count - 1, 'more problem')}` : '';
  return `The file is damaged: ${first.message}${first.line ? ` (line ${first.line})` : ''}${more}. The rest was read, so costs may be wrong.`;
}
