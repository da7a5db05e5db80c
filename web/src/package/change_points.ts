// Change points, by a WebAssembly module of their own. wasm/change_points.cpp is the other side.

import { type Cost, costOfInteger } from '../protocol/cost';
import type { ChangePointOptions, ChangePoints } from './api';

interface Exports {
  _initialize(): void;
  add(value: bigint): void;
  add_missing: () => void;
  find(threshold: number, exact: number): number;
  is_exact: () => number;
  noise(): number;
  at(row: number): number;
  before(row: number): bigint;
  after(row: number): bigint;
  count_before: (row: number) => number;
  count_after: (row: number) => number;
}

// Missing ones are undefined.
function integerOf(cost: Cost | null | undefined): bigint | undefined {
  if (cost === null || cost === undefined || Number.isNaN(cost)) return undefined;
  if (typeof cost !== 'bigint' && !Number.isSafeInteger(cost))
    throw new TypeError(`costs are integers, above 2^53 bigints, or null: ${cost}`);
  const integer = BigInt(cost);
  if (BigInt.asIntN(64, integer) !== integer) throw new RangeError(`costs have 64 bits: ${cost}`);
  return integer;
}

export async function findChangePoints(
  module: WebAssembly.Module,
  costs: Iterable<Cost | null | undefined>,
  { threshold = 0.001, exact = false }: ChangePointOptions,
): Promise<ChangePoints> {
  if (!(threshold >= 0)) throw new RangeError(`the threshold is at least 0, not ${threshold}`);
  const integers = [...costs].map(integerOf);
  const series = (await WebAssembly.instantiate(module)).exports as unknown as Exports;
  series._initialize();
  for (const integer of integers) {
    if (integer === undefined) series.add_missing();
    else series.add(integer);
  }
  const points = Array.from({ length: series.find(threshold, exact ? 1 : 0) }, (_, row) => ({
    at: series.at(row) >>> 0,
    before: costOfInteger(series.before(row)),
    after: costOfInteger(series.after(row)),
    countBefore: series.count_before(row) >>> 0,
    countAfter: series.count_after(row) >>> 0,
  }));
  return { points, exact: series.is_exact() !== 0, noise: series.noise() };
}
