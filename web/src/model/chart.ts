// Lines of costs over entries: scales, ticks, paths.

import { type Cost, toNumber } from '../protocol/cost';
import type { Points } from '../protocol/protocol';
import { scaled } from './format';

export interface Tick {
  at: number;
  text: string;
}

// From the lowest value to the highest, at round numbers.
export interface Axis {
  low: number;
  high: number;
  ticks: Tick[];
}

// 1, 2 or 5 times a power of 10, and integers only, as costs are.
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return Math.max(1, power * ([1, 2, 5].find(factor => factor * power >= least * (1 - 1e-9)) ?? 10));
}

export function axisOf(costs: readonly Cost[], most: number): Axis {
  const values = costs.map(toNumber);
  let low = values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  let high = values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  if (!(low <= high)) [low, high] = [0, 1];
  if (low === high) {
    const pad = Math.max(1, Math.abs(low) * 0.05);
    [low, high] = [low >= 0 ? Math.max(0, low - pad) : low - pad, high + pad];
  }
  const step = roundStep((high - low) / most);
  low = Math.floor(low / step) * step;
  high = Math.ceil(high / step) * step;
  const count = Math.round((high - low) / step);
  const spell = scaled(Math.max(Math.abs(low), Math.abs(high)), step);
  const ticks = Array.from({ length: count + 1 }, (_, i) => low + i * step).map(at => ({ at, text: spell(at) }));
  return { low, high, ticks };
}

// Where values are in a picture: `left` and `top` are its edges.
export interface Frame {
  left: number;
  top: number;
  width: number;
  height: number;
  first: number; // place among the entries at the left edge
  last: number;
  low: number;
  high: number;
}

export function xOf({ left, width, first, last }: Frame, at: number): number {
  return left + (last > first ? (at - first) / (last - first) : 0.5) * width;
}

export function yOf({ top, height, low, high }: Frame, cost: Cost): number {
  return top + (1 - (high > low ? (toNumber(cost) - low) / (high - low) : 0.5)) * height;
}

const place = (value: number) => Math.round(value * 10) / 10;

export function pathOf(frame: Frame, { at, cost }: Points): string {
  return at.map((x, i) => `${i > 0 ? 'L' : 'M'}${place(xOf(frame, x))} ${place(yOf(frame, cost[i]!))}`).join('');
}

// Lines without length: round caps make them dots of any size, however the picture is stretched.
export function dotsOf(frame: Frame, { at, cost }: Points, places: readonly number[] = at): string {
  const wanted = new Set(places);
  return at.map((x, i) => (wanted.has(x) ? `M${place(xOf(frame, x))} ${place(yOf(frame, cost[i]!))}h0` : '')).join('');
}

// The index of the point nearest to a place; `at` ascends and has one.
export function nearest(at: readonly number[], wanted: number): number {
  let [low, high] = [0, at.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return low > 0 && wanted - at[low - 1]! <= at[low]! - wanted ? low - 1 : low;
}

// Points to write the time at: as many as have room, none twice, no text twice in a row.
export function timeTicks(frame: Frame, at: readonly number[], texts: readonly string[], room: number): Tick[] {
  const most = Math.max(1, Math.floor(frame.width / room));
  const ticks: Tick[] = [];
  for (let i = 0; i < most && at.length > 0; i++) {
    const wanted = frame.first + ((i + 0.5) / most) * (frame.last - frame.first);
    const index = nearest(at, wanted);
    const before = ticks.at(-1);
    if (before && (before.text === texts[index] || xOf(frame, at[index]!) - xOf(frame, before.at) < room - 10))
      continue;
    ticks.push({ at: at[index]!, text: texts[index]! });
  }
  return ticks;
}
