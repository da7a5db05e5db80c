// Costs are integers of 64 bits or more: a number while that is exact, a bigint beyond. (Costs per call may be fractions.)

export type Cost = number | bigint;

function narrow(value: bigint): Cost {
  const small = value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER);
  return small ? Number(value) : value;
}

function wide(value: Cost): bigint {
  return typeof value === 'bigint' ? value : BigInt(Math.trunc(value));
}

export function costOfInteger(integer: bigint): Cost {
  return narrow(integer);
}

export function costOfDigits(digits: string): Cost {
  return narrow(BigInt(digits));
}

export function add(a: Cost, b: Cost): Cost {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum) || !Number.isInteger(sum)) return sum;
  }
  return narrow(wide(a) + wide(b));
}

export function negate(a: Cost): Cost {
  return typeof a === 'bigint' ? narrow(-a) : a === 0 ? 0 : -a;
}

export function subtract(a: Cost, b: Cost): Cost {
  return add(a, negate(b));
}

/** Numbers and bigints compare with each other exactly. */
export function compare(a: Cost, b: Cost): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function isZero(a: Cost): boolean {
  // biome-ignore lint/suspicious/noDoubleEquals: 0n == 0
  return a == 0;
}

export function magnitude(a: Cost): Cost {
  return a < 0 ? negate(a) : a;
}

export function larger(a: Cost, b: Cost): Cost {
  return a < b ? b : a;
}

/** For pictures and percentages only. */
export function toNumber(a: Cost): number {
  return Number(a);
}

/** Null if there is nothing to be a part of. */
export function share(part: Cost, whole: Cost): number | null {
  return isZero(whole) ? null : Number(part) / Number(whole);
}
