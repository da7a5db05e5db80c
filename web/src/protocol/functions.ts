// Lists of functions and of groups of them, and one function with its callers and callees.

import type { Call, Common, Costs, Func, GroupBy, Level, Page, Sorting } from './common';
import type { Cost } from './cost';

export interface FunctionsQuestion extends Common, Page, Sorting {
  ask: 'functions';
  /** characters, for `short` */
  name_width?: number;
  group?: { by: GroupBy; name: string };
}

export interface GroupsQuestion extends Common, Page, Sorting {
  ask: 'groups';
  by: GroupBy;
}

export interface FindQuestion {
  /** its members are names, not patterns */
  ask: 'find';
  name: string;
  file?: string;
  object?: string;
  contexts?: 'fold' | 'keep';
  level?: Level;
  compare?: boolean;
}

export interface FunctionQuestion extends Common {
  ask: 'function';
  id: number;
  sites?: boolean;
  limit?: number;
  name_width?: number;
}

export type Match =
  | 'exact'
  | 'path'
  | 'canonical'
  | 'ordinal'
  | 'group'
  | 'signature'
  | 'anchors'
  | 'added'
  | 'removed';

/** The numbers of a function or a group, with those of the old profile if there is one. */
export interface Numbers {
  self: Costs;
  inclusive: Costs;
  /** null: none is counted */
  called: Cost | null;
  at_least?: boolean;
  self_before?: Costs;
  inclusive_before?: Costs;
  called_before?: Cost | null;
  at_least_before?: boolean;
  /** of `self`: code that is inlined elsewhere; only if there is any */
  inlined?: Costs;
  inlined_before?: Costs;
  /** how often that code was entered, about; only if that is known */
  entries?: Cost;
  entries_before?: Cost;
}

/** By column the least and the most that filters may keep; null: the cost is exact. */
export type Bounds = (Cost[] | null)[];

/** Of estimates, because filters keep an unknown part. */
export interface KeptBounds {
  self_bounds?: Bounds;
  inclusive_bounds?: Bounds;
  self_bounds_before?: Bounds;
  inclusive_bounds_before?: Bounds;
}

export interface FunctionRow extends Func, Numbers, KeptBounds {
  per_call: Cost | null;
  per_call_before?: Cost | null;
  match?: Match;
  name_before?: string;
  /** indistinguishable functions, as one row */
  together?: number;
  together_before?: number;
}

/** Of all rows of a list, before and after. */
export interface Largest {
  self: Cost;
  inclusive: Cost;
  self_change?: Cost;
  inclusive_change?: Cost;
}

export interface ListAnswer<Row> {
  columns: string[];
  total: Costs;
  base: Costs;
  total_before?: Costs;
  base_before?: Costs;
  rows: Row[];
  matching: number;
  listed_self: Costs;
  listed_self_before?: Costs;
  /** by column */
  largest: Largest[];
  /** by the event */
  filtered: { least: Cost; estimate: Cost; most: Cost } | null;
}

/** With one column, the event, only. */
export interface GroupRow extends Numbers, KeptBounds {
  name: string;
  functions: number;
  cycle?: number;
}

export interface FindAnswer {
  id: number | null;
}

export interface Site {
  file: { id: number; name: string };
  line: number;
  address?: Cost;
  count: Cost | null;
  at_least?: boolean;
  /** by the first column */
  cost: Cost;
}

export interface CallRow extends Func, Call {
  per_call: Cost | null;
  /** how much of the change is by more calls */
  by_count?: Cost;
  /** and by more expensive ones */
  by_cost?: Cost;
  /** the call began before the measurement: no count */
  active: boolean;
  /** of code that the compiler put into the caller: nothing is called */
  inlined?: boolean;
  /** the functions that the caller is inlined in itself there, with that code; not if they are many */
  hosts?: string[];
  sites?: Site[];
  omitted_sites?: number;
}

export interface CallList {
  rows: CallRow[];
  omitted_rows: number;
  /** by the first column */
  omitted_cost: Cost | null;
  omitted_cost_before?: Cost | null;
}

export interface EventNumbers {
  name: string;
  self: Cost | null;
  inclusive?: Cost | null;
  self_before?: Cost | null;
  inclusive_before?: Cost | null;
}

export interface FunctionAnswer {
  function: FunctionRow;
  events: EventNumbers[];
  callers: CallList;
  callees: CallList;
  /** spent in callees that the file does not record; only if there are any */
  unrecorded_callees?: Costs;
  unrecorded_callees_before?: Costs;
  /** counted for its calls, but in no function; only if there is any */
  unattributed?: Costs;
  unattributed_before?: Costs;
  cycle: {
    number: number;
    functions: number;
    self: Costs;
    inclusive: Costs;
    called: Cost | null;
    at_least?: boolean;
    members: (Func & { self: Costs; inclusive: Costs })[];
  } | null;
  files: { id: number; name: string; self: Cost }[];
}
