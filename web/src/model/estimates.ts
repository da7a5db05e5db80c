// Text for estimated costs and their bounds.

import { type Cost, compare } from '../protocol/cost';
import { brief, exact } from './format';

// The engine's value for "no upper bound".
const withoutBound = 2n ** 63n - 1n;

export interface Estimate {
  cost: Cost;
  least: Cost;
  most: Cost;
}

export function isCertain({ least, most }: Estimate): boolean {
  return compare(least, most) === 0;
}

// "exactly 1,234,567 Ir", "1.23 G Ir (estimated; between 0.9 G and 1.4 G)". `isPlain`: nothing is estimated.
export function estimateText(estimate: Estimate, unit: string, isPlain = false): string {
  const behind = unit ? ` ${unit}` : '';
  if (isCertain(estimate)) return `${isPlain ? '' : 'exactly '}${exact(estimate.least)}${behind}`;
  const { cost, least, most } = estimate;
  // Different bounds must not be formatted alike.
  const spell = brief(least) === brief(most) ? exact : brief;
  const bounds =
    compare(most, withoutBound) >= 0 ? `at least ${spell(least)}` : `between ${spell(least)} and ${spell(most)}`;
  return `${spell(cost)}${behind} (estimated; ${bounds})`;
}
