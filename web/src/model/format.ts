// Number formatting. Numbers in columns have a fixed number of decimals.

import { type Cost, compare, isZero, magnitude, share, subtract, toNumber } from '../protocol/cost';

const minus = '\u2212';
const gap = '\u202f'; // narrow, and never broken

function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',');
}

// 1,234,567; fractions (costs per call) with two digits if they are small.
export function exact(value: Cost): string {
  const sign = value < 0 ? minus : '';
  const size = magnitude(value);
  if (typeof size === 'bigint' || Number.isInteger(size)) return sign + grouped(size.toString());
  if (size >= 1000) return sign + grouped(Math.round(size).toString());
  const [whole, digits] = size.toFixed(2).split('.');
  return `${sign}${whole}.${digits}`;
}

const prefixes = ['', 'k', 'M', 'G', 'T', 'P', 'E', 'Z', 'Y'];

// 1.23 G; exact below ten thousand.
export function brief(value: Cost): string {
  const size = Math.abs(toNumber(value));
  if (size < 10_000) return exact(value);
  const sign = value < 0 ? minus : '';
  let step = Math.floor(Math.log10(size) / 3);
  let scaled = size / 1000 ** step;
  if (scaled >= 999.5) scaled = size / 1000 ** ++step;
  const text = scaled >= 99.95 ? scaled.toFixed(0) : scaled >= 9.995 ? scaled.toFixed(1) : scaled.toFixed(2);
  return `${sign}${text}${gap}${prefixes[step] ?? `e${step * 3}`}`;
}

const steps = {
  s: [1e-9, 'ns', 1e-6, 'µs', 1e-3, 'ms', 1, 's'],
  B: [1, 'B', 1e3, 'kB', 1e6, 'MB', 1e9, 'GB', 1e12, 'TB'],
} as const;

// 3.88 ms, 190 ns: of so many units of time or bytes.
export function inUnit(value: Cost, base: 's' | 'B', scale: number): string {
  const size = Math.abs(toNumber(value)) * scale;
  if (size === 0) return '0';
  let step = 0;
  while (step + 2 < steps[base].length && size >= (steps[base][step + 2] as number) * 0.999995) step += 2;
  const of = steps[base][step] as number;
  const text = (size / of).toFixed(of > scale * 1.5 || !Number.isInteger(Number(value)) ? 2 : 0);
  const [whole = '', digits] = text.split('.');
  return `${value < 0 ? minus : ''}${grouped(whole)}${digits ? `.${digits}` : ''}${gap}${steps[base][step + 1]}`;
}

// For values up to `most` that are multiples of `step`: 1.23 M, 1.24 M; exact where that takes too many decimals.
export function scaled(most: number, step: number): (value: number) => string {
  const power = most < 10_000 ? 0 : Math.min(prefixes.length - 1, Math.floor(Math.log10(most) / 3));
  const scale = 1000 ** power;
  const decimals = Math.max(0, Math.ceil(-Math.log10(step / scale) - 1e-9));
  if (power === 0 || decimals > 4) return exact;
  return value =>
    value === 0 ? '0' : `${(value / scale).toFixed(decimals).replace('-', minus)}${gap}${prefixes[power]}`;
}

// 12.34 %. A small share never shows as 0 %, and less than all never as 100 %.
export function percent(part: number | null): string {
  if (part === null) return '–';
  const size = Math.abs(part) * 100;
  const sign = part < 0 ? minus : '';
  if (size === 0) return `0${gap}%`;
  if (size < 0.005) return `<${sign}0.01${gap}%`;
  if (size < 100 && size >= 99.995) return `>${sign}99.99${gap}%`;
  return `${sign}${size >= 99_999.5 ? grouped(size.toFixed(0)) : size.toFixed(2)}${gap}%`;
}

// 12 %, 0.3 %: for sentences.
export function percentBrief(part: number): string {
  const size = Math.abs(part) * 100;
  const digits = size === 0 || size >= 99.5 ? 0 : size >= 10 ? 0 : size >= 1 ? 1 : 2;
  if (size < 100 && size >= 99.5) return `${size.toFixed(1)}${gap}%`;
  return `${part < 0 ? minus : ''}${size.toFixed(digits)}${gap}%`;
}

export function signed(value: Cost, spell: (value: Cost) => string = exact): string {
  return isZero(value) ? '0' : value > 0 ? `+${spell(value)}` : spell(value);
}

export type Direction = 'more' | 'less' | 'same';

export interface Change {
  direction: Direction;
  mark: '▲' | '▼' | '';
  delta: Cost;
  text: string; // "+1,234"
  ratio: string; // "+12.34 %", "new", "removed", ""
}

export function change(before: Cost, after: Cost, spell: (value: Cost) => string = exact): Change {
  const delta = subtract(after, before);
  const sign = compare(after, before);
  const part = share(delta, magnitude(before));
  const ratio =
    sign === 0 ? '' : part === null ? 'new' : isZero(after) ? 'removed' : (part > 0 ? '+' : '') + percent(part);
  return {
    direction: sign > 0 ? 'more' : sign < 0 ? 'less' : 'same',
    mark: sign > 0 ? '▲' : sign < 0 ? '▼' : '',
    delta,
    text: sign === 0 ? '0' : signed(delta, spell),
    ratio,
  };
}

// "1 function", "2 functions"
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${exact(count)} ${count === 1 ? noun : plural}`;
}

export function bytes(size: number): string {
  if (size < 1000) return `${size}${gap}B`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let step = 0;
  let scaled = size / 1000;
  while (scaled >= 999.5 && step < units.length - 1) {
    scaled /= 1000;
    step++;
  }
  return `${scaled >= 99.5 ? scaled.toFixed(0) : scaled.toFixed(1)}${gap}${units[step]}`;
}

// "2026-11-25", "2026-11-25 10:00" of seconds since 1970, in UTC; '' if there is no such day.
export function day(time: number): string {
  return minute(time).slice(0, 10);
}
export function minute(time: number): string {
  const date = new Date(time * 1000);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 16).replace('T', ' ');
}
