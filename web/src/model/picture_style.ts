// Colours of boxes: by group, by cost, or by change.

import { type Cost, toNumber } from '../protocol/cost';
import type { Func } from '../protocol/protocol';
import { outermostNamespace } from './names';
import { blend, ramp } from './shades';

export type ColourBy = 'object' | 'file' | 'namespace' | 'cost';
export const colourWays: readonly { value: ColourBy; label: string }[] = [
  { value: 'object', label: 'Object' },
  { value: 'file', label: 'Source file' },
  { value: 'namespace', label: 'Namespace' },
  { value: 'cost', label: 'Self cost' },
];

export function groupOf(func: Func, by: ColourBy): string {
  if (by === 'object') return func.object;
  if (by === 'file') return func.file === '???' ? '' : func.file;
  return by === 'namespace' ? outermostNamespace(func.name) : '';
}

// The first grouping in which no single group has almost all cost.
export function tellingColour(functions: readonly Func[], weights: ArrayLike<number>): ColourBy {
  const enough = 0.85;
  let whole = 0;
  for (let i = 0; i < functions.length; i++) whole += weights[i]!;
  for (const by of ['object', 'namespace', 'file'] as const) {
    const groups = new Map<string, number>();
    functions.forEach((func, i) => {
      const group = groupOf(func, by);
      groups.set(group, (groups.get(group) ?? 0) + weights[i]!);
    });
    if (groups.size > 1 && Math.max(...groups.values()) < enough * whole) return by;
  }
  return 'cost';
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
  return {
    neutral,
    heat: ramp(neutral, tones.more, tones.text, steps, 0.6),
    more: ramp(neutral, tones.more, tones.text, steps, 0.45),
    less: ramp(neutral, tones.less, tones.text, steps, 0.45),
  };
}

// A share from 0 to 1 as a colour; roots make small shares visible.
export function shade(colours: readonly string[], part: number): string {
  const at = Math.round(Math.sqrt(Math.max(0, Math.min(1, part))) * (colours.length - 1));
  return colours[at] ?? colours[0] ?? '#808080';
}

// Adjacent boxes of one group differ slightly.
export function variantsOf(fill: string, towards: string): readonly string[] {
  return [fill, blend(fill, towards, 0.1), blend(fill, towards, 0.2)];
}
