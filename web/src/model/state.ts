// What the page shows, as a value: all of it (but the theme, which is the reader's) lives in the address.

import type { Common, Func, GroupBy, Level } from '../protocol/protocol';
import { levelOf } from './levels';

export type ChipKind = 'focus' | 'ignore' | 'hide' | 'show' | 'file' | 'object';
export const chipKinds: readonly ChipKind[] = ['focus', 'ignore', 'hide', 'show', 'file', 'object'];

export interface Chip {
  kind: ChipKind;
  pattern: string; // part of a name, or /an expression/
}

// Identifies a function across runs; ids change.
export interface Name {
  name: string;
  context?: string;
  file: string;
  object: string;
}

export const relatives = ['absolute', 'relative', 'parent'] as const;
export type Relative = (typeof relatives)[number];
export type Contexts = 'fold' | 'keep'; // recursion levels and caller contexts: part of their function, or listed
export type Theme = 'system' | 'light' | 'dark';

export interface Sort {
  by: string; // 'self', 'inclusive', 'called', ...; 'usual': the list's default
  column?: string; // an event type; missing: the first
  ascending: boolean;
}

export interface State {
  view: string;
  selection: Name | null;
  event: string | null; // an event type or a formula; null: the profile's default
  second: string | null; // a second column of costs
  more: string[]; // further columns in lists: "Dr" for self, "inclusive:Dr"
  relative: Relative;
  chips: Chip[];
  search: string;
  group: { by: GroupBy | 'none'; name: string | null };
  sort: Sort;
  compare: boolean;
  parts: number[]; // rows of the list of parts, from 0; none: all
  cycles: boolean;
  level: Level;
  contexts: Contexts | null; // null: fold
  shorten: boolean; // names of functions
  options: Record<string, string>; // of single views: "flame.direction" = "callers"
}

export const firstState: State = {
  view: 'functions',
  selection: null,
  event: null,
  second: null,
  more: [],
  relative: 'relative',
  chips: [],
  search: '',
  group: { by: 'none', name: null },
  sort: { by: 'usual', ascending: false },
  compare: true, // where there is something to compare with
  parts: [],
  cycles: true,
  level: 'function',
  contexts: null,
  shorten: true,
  options: {},
};

export function nameOf(func: Name | Func): Name {
  const { name, context, file, object } = func;
  return context ? { name, context, file, object } : { name, file, object };
}

// The function that a tree begins at, by name.
export function functionOptions(prefix: string, func: Func | Name | null): Record<string, string | null> {
  const name = func && nameOf(func);
  return {
    [`${prefix}`]: name ? name.name : null,
    [`${prefix}_context`]: name?.context ?? null,
    [`${prefix}_file`]: name?.file || null,
    [`${prefix}_object`]: name?.object || null,
  };
}

export function sameName(a: Name | Func | null | undefined, b: Name | Func | null | undefined): boolean {
  if (!a || !b) return a === b;
  return a.name === b.name && a.file === b.file && a.object === b.object && (a.context ?? '') === (b.context ?? '');
}

// The event types of the columns, the first of which is what everything is measured by.
export function columnsOf(state: State, defaultEvent: string): string[] {
  const more = state.more.map(column => column.replace(/^inclusive:/, ''));
  const all = [state.event ?? defaultEvent, ...(state.second ? [state.second] : []), ...more];
  return [...new Set(all)];
}

// `top` lists them one by one, `diff` folds them.
export function contextsOf(state: State): Contexts {
  return state.contexts ?? 'fold';
}

// The members that every question has from the state. Defaults are left out, so that equal questions have equal text.
export function commonOf(state: State, defaultEvent: string, canCompare: boolean): Common {
  const event = state.event ?? defaultEvent;
  const common: Common = { event, columns: state.second && state.second !== event ? [event, state.second] : [event] };
  if (state.parts.length > 0) common.part_rows = [...state.parts];
  if (state.contexts) common.contexts = state.contexts;
  if (!state.cycles) common.cycles = false;
  const level = levelOf(state);
  if (level !== 'function') common.level = level;
  for (const kind of chipKinds) {
    const patterns = state.chips.filter(chip => chip.kind === kind).map(chip => chip.pattern);
    if (patterns.length > 0) common[kind] = patterns;
  }
  if (canCompare && state.compare) common.compare = true;
  return common;
}
