// Where the cost of a file is: for the strip beside its text, and for jumping between hot lines.

import { type Cost, compare, share, toNumber } from '../protocol/cost';

export interface Weight {
  at: number; // row of the list
  cost: Cost;
}

// For each of `bins` pieces of the list its heaviest row, from 0 to 1 (the heaviest of all).
export function heatOfBins(weights: readonly Weight[], rows: number, bins: number): Float32Array {
  const heat = new Float32Array(Math.max(0, bins));
  const most = weights.reduce((most, { cost }) => Math.max(most, toNumber(cost)), 0);
  if (most <= 0 || rows <= 0) return heat;
  for (const { at, cost } of weights) {
    const bin = Math.min(bins - 1, Math.floor((at / rows) * bins));
    heat[bin] = Math.max(heat[bin] ?? 0, toNumber(cost) / most);
  }
  return heat;
}

// Hot rows: the most expensive ones that make up nine tenths of the total, and each with one hundredth of it;
// at most `limit`. In order of rows.
export function hotRows(weights: readonly Weight[], whole: Cost, limit = 50): number[] {
  const byCost = weights.filter(({ cost }) => cost > 0).sort((a, b) => compare(b.cost, a.cost) || a.at - b.at);
  const rows: number[] = [];
  let sum = 0;
  for (const { at, cost } of byCost) {
    const part = share(cost, whole) ?? 0;
    if (rows.length > 0 && (rows.length >= limit || (sum >= 0.9 && part < 0.01))) break;
    rows.push(at);
    sum += part;
  }
  return rows.sort((a, b) => a - b);
}

// The next (step 1) or previous (step -1) hot row, wrapping around; null: there is none.
export function nextOf(rows: readonly number[], from: number, step: 1 | -1): number | null {
  if (rows.length === 0) return null;
  const next = step > 0 ? rows.find(row => row > from) : rows.findLast(row => row < from);
  return next ?? (step > 0 ? rows[0]! : rows[rows.length - 1]!);
}
