// Filters as the page writes them.

import type { Func, Level } from '../protocol/protocol';
import { type Chip, type ChipKind, chipKinds } from './state';

export const kindLabels: Record<ChipKind, string> = {
  focus: 'only costs of these functions and their callees',
  ignore: 'no costs of these functions and their callees',
  hide: 'hide these functions, keep their callees',
  show: 'only these functions',
  file: 'only functions of these files',
  object: 'only functions of these objects',
};

// For questions that no filter is meant for.
export const withoutFilters = Object.fromEntries(chipKinds.map(kind => [kind, []]));

// "hide: std::" and "hide:/^std/"; without a kind it is a focus. Null: nothing is asked for.
export function parseChip(text: string): Chip | null {
  const trimmed = text.trim();
  const named = /^([a-z]+):\s*/.exec(trimmed);
  const kind = named && chipKinds.find(known => known === named[1]);
  const pattern = kind ? trimmed.slice(named[0].length) : trimmed;
  return pattern === '' ? null : { kind: kind ?? 'focus', pattern };
}

const longestPattern = 300;

// Matches exactly this name; "main" alone would also match "domain".
export function patternOfFunction(name: string): string {
  const expression = name.slice(0, longestPattern).replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return `function:/^${expression}${name.length > longestPattern ? '' : '$'}/`;
}

// All functions of a group; null: no pattern chooses them.
export function patternOfMember({ name, file, object }: Func, level: Level): string | null {
  if (level === 'function') return patternOfFunction(name);
  if (name.length > longestPattern || name.endsWith(' (others)')) return null;
  const exact = patternOfFunction(name).slice('function:'.length);
  if (level === 'object') return `object:${exact}`;
  if (name === object) return null; // functions whose file or class is not known
  if (level === 'file' && name === file) return `file:${exact}`;
  if (level !== 'directory') return null;
  const directory = name === '.' ? '/^' : `${exact.slice(0, name === '/' ? -4 : -2)}\\/`;
  return `file:${directory}[^\\/]*$/`;
}

// Files and objects: a path is specific enough.
export function patternOfPath(path: string): string {
  return /^\/.*\/$/.test(path) ? path.slice(1) : path;
}

export function sameChip(a: Chip, b: Chip): boolean {
  return a.kind === b.kind && a.pattern === b.pattern;
}
