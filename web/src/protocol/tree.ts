// The tree of paths.

import type { Common, Func } from './common';
import type { Cost } from './cost';

export interface TreeQuestion extends Common {
  ask: 'tree';
  direction?: 'callees' | 'callers';
  root?: number;
  recursion?: 'fold' | 'unfold';
  frames?: number;
  levels?: number;
  least?: number;
}

/** The same tree as a table whose rows unfold. */
export interface CallTreeQuestion extends Common {
  ask: 'call_tree';
  direction?: 'callees' | 'callers';
  root?: number;
  /** ids */
  path?: number[];
  /** instead of `path`: ids, with a blank between them */
  paths?: string[];
  unfold?: 'path' | 'hottest' | 'matches';
  /** a share of the whole */
  least?: number;
  search?: string;
  offset?: number;
  limit?: number;
}

export interface CallTreeRow extends Partial<Func> {
  /** as in Frames */
  kind: number;
  /** null: unknown, in rows that were not expanded */
  inclusive: Cost | null;
  inclusive_bounds?: Cost[];
  self: Cost | null;
  self_bounds?: Cost[];
  inclusive_before?: Cost | null;
  inclusive_before_bounds?: Cost[];
  self_before?: Cost | null;
  self_before_bounds?: Cost[];
  calls: Cost | null;
  calls_estimated?: boolean;
  per_call: Cost | null;
  leads_on: boolean;
  partly_paid?: boolean;
  inlined?: boolean;
}

/** What a path leads on to. */
export interface CallTreeLevel {
  path: number[];
  rows: CallTreeRow[];
  omitted_rows: number;
  omitted_cost: Cost;
  omitted_cost_before?: Cost;
}

export interface CallTreeAnswer {
  estimated: boolean;
  whole: Cost;
  certainty: number;
  whole_before?: Cost;
  certainty_before?: number;
  levels: CallTreeLevel[];
}

export interface Frames {
  /** 0 function, 1 not expanded, 2 unbalanced, 3 callees not recorded, 4 unattributed */
  kind: number[];
  function: number[];
  parent: number[];
  level: number[];
  /** null: unknown, in frames that were not expanded */
  inclusive: (Cost | null)[];
  inclusive_least: (Cost | null)[];
  inclusive_most: (Cost | null)[];
  self: (Cost | null)[];
  self_least: (Cost | null)[];
  self_most: (Cost | null)[];
  /** rows */
  partly_paid: number[];
  /** rows whose code is inlined in that of the frame that calls them */
  inlined: number[];
  inclusive_before?: (Cost | null)[];
  inclusive_before_least?: (Cost | null)[];
  inclusive_before_most?: (Cost | null)[];
  self_before?: (Cost | null)[];
  self_before_least?: (Cost | null)[];
  self_before_most?: (Cost | null)[];
}

export interface TreeSums {
  whole: Cost;
  certain: Cost;
  not_expanded: Cost;
  unbalanced: Cost;
  unrecorded_callees: Cost;
  unattributed: Cost;
  partly_paid: Cost;
  negative: Cost;
  certainty: number;
}

export interface TreeAnswer extends TreeSums {
  estimated: boolean;
  whole_before?: Cost;
  certain_before?: Cost;
  not_expanded_before?: Cost;
  unbalanced_before?: Cost;
  unrecorded_callees_before?: Cost;
  unattributed_before?: Cost;
  partly_paid_before?: Cost;
  negative_before?: Cost;
  certainty_before?: number;
  /** of paths that only the new profile has */
  added?: Cost;
  /** and only the old one */
  removed?: Cost;
  functions: Func[];
  frames: Frames;
}
