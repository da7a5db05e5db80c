// Colors of boxes: by group, by cost, or by change.

import { type Cost, toNumber } from '../protocol/cost';
import type { Func } from '../protocol/protocol';
import { outermostNamespace } from './names';
import { blend, ramp } from './shades';
import type { Tree } from './tree';

export type ColorBy = 'object' | 'file' | 'namespace' | 'function' | 'cost';
export const colorWays: readonly { value: ColorBy; label: string }[] = [
  { value: 'object', label: 'Object' },
  { value: 'file', label: 'Source file' },
  { value: 'namespace', label: 'Namespace' },
  { value: 'function', label: 'Function' },
  { value: 'cost', label: 'Self cost' },
];

export function groupOf(func: Func, by: ColorBy): string {
  if (by === 'object') return func.object;
  if (by === 'file') return func.file === '???' ? '' : func.file;
  if (by === 'namespace') return outermostNamespace(func.name);
  return by === 'function' ? func.name : '';
}

const mostOfOne = 0.6;

// The first grouping in which no single group has most of the cost, nor most of the picture.
export function tellingColor(
  functions: readonly Func[],
  weights: ArrayLike<number>,
  otherwise: ColorBy = 'cost',
  areas = weights,
): ColorBy {
  const isTelling = (by: ColorBy, of: ArrayLike<number>) => {
    const groups = new Map<string, number>();
    let whole = 0;
    functions.forEach((func, i) => {
      const group = groupOf(func, by);
      whole += of[i]!;
      groups.set(group, (groups.get(group) ?? 0) + of[i]!);
    });
    return groups.size > 1 && Math.max(...groups.values()) < mostOfOne * whole;
  };
  const ways = ['object', 'namespace', 'file'] as const;
  return ways.find(by => isTelling(by, weights) && isTelling(by, areas)) ?? otherwise;
}

export type ChangeKind = 'same' | 'more' | 'less' | 'new' | 'removed' | 'unknown';

export interface PictureChange {
  kind: ChangeKind;
  delta: number;
  mark: '' | '▲' | '▼' | '?';
}

// How a cost changed; null: unknown.
export function pictureChange(before: Cost | null | undefined, after: Cost | null | undefined): PictureChange {
  if (before === null || before === undefined || after === null || after === undefined)
    return { kind: 'unknown', delta: 0, mark: '?' };
  const delta = toNumber(after) - toNumber(before);
  if (delta === 0) return { kind: 'same', delta, mark: '' };
  if (delta > 0) return { kind: toNumber(before) === 0 ? 'new' : 'more', delta, mark: '▲' };
  return { kind: toNumber(after) === 0 ? 'removed' : 'less', delta, mark: '▼' };
}

export interface Shades {
  neutral: string;
  heat: string[];
  more: string[];
  less: string[];
}

export interface Tones {
  text: string;
  more: string;
  less: string;
  accent: string;
  hues: readonly string[];
}

const steps = 9;

// Normal text is readable on all of them.
export function shadesOf(tones: Tones): Shades {
  const neutral = tones.hues[0] ?? '#808080';
  const [, , orange = neutral, yellow = neutral] = tones.hues;
  const towards = (from: string, to: string, furthest = 1) => ramp(from, to, tones.text, 4, furthest).slice(1);
  return {
    neutral,
    heat: [
      neutral,
      ...towards(neutral, yellow),
      ...towards(yellow, orange),
      ...towards(orange, blend(tones.more, tones.hues[1] ?? neutral, 0.4)),
    ],
    more: ramp(neutral, tones.more, tones.text, steps, 0.45),
    less: ramp(neutral, tones.less, tones.text, steps, 0.45),
  };
}

// A share from 0 to 1 as a color; roots make small shares visible.
export function shade(colors: readonly string[], part: number): string {
  const at = Math.round(Math.sqrt(Math.max(0, Math.min(1, part))) * (colors.length - 1));
  return colors[at] ?? colors[0] ?? '#808080';
}

// For boxes that touch each other: nearer to the strong color of the hue.
export function boxFill(fill: string, swatch: string, dark: boolean): string {
  return blend(fill, swatch, dark ? 0.12 : 0.3);
}

// Lighter and darker variants of a fill.
export const tones = 3;
export function toned(fill: string, tone: number, { text, surface }: { text: string; surface: string }): string {
  return tone === 0 ? fill : tone === 1 ? blend(fill, surface, 0.3) : blend(fill, text, 0.09);
}

// Which tone a box has: that of its function, if not the box above it or the one before it on its level has the same
// hue and that tone.
export function tonesOf(tree: Tree, hue: (row: number) => number): Uint8Array {
  const { frames, count } = tree;
  const chosen = new Uint8Array(count);
  const before: number[] = []; // by level
  for (let row = 0; row < count; row++) {
    const level = frames.level[row]!;
    const around = [frames.parent[row]!, before[level] ?? -1].filter(one => one >= 0 && hue(one) === hue(row));
    let tone = (frames.function[row]! * 7 + 3) % tones;
    while (around.some(one => chosen[one] === tone)) tone = (tone + 1) % tones;
    chosen[row] = tone;
    before[level] = row;
  }
  return chosen;
}
