// What questions and answers have in common.

import type { Cost } from './cost';

/** What every question may say. */
export interface Common {
  event?: string;
  columns?: string[];
  parts?: number[];
  threads?: number[];
  pids?: number[];
  /** of the new profile */
  part_rows?: number[];
  part_rows_before?: number[];
  contexts?: 'fold' | 'keep';
  cycles?: boolean;
  level?: Level;
  focus?: string[];
  ignore?: string[];
  show?: string[];
  hide?: string[];
  file?: string[];
  object?: string[];
  compare?: boolean;
}

export interface Page {
  search?: string;
  offset?: number;
  limit?: number;
}

/** What functions are taken together by; of lists, trees and graphs. */
export type Level = 'function' | 'object' | 'file' | 'directory' | 'namespace';

export type GroupBy = 'object' | 'file' | 'directory' | 'namespace' | 'cycle';

export type SortBy =
  | 'self'
  | 'inclusive'
  | 'called'
  | 'per_call'
  | 'name'
  | 'file'
  | 'object'
  | 'self_change'
  | 'inclusive_change'
  | 'called_change';

export interface Sorting {
  sort?: SortBy;
  sort_column?: string;
  ascending?: boolean;
}

/** A list of costs, by the columns of the question; null where an event type has none. */
export type Costs = (Cost | null)[];

export interface Func {
  /** negative: only in the old profile */
  id: number;
  name: string;
  context?: string;
  /** the callers in the context: ` ← malloc ← alloc`; missing: as `context` */
  context_text?: string;
  /** the name, shortened to the width that was asked for, or to 60 characters */
  short?: string;
  /** in trees and graphs: the name shorter and shorter */
  labels?: string[];
  file: string;
  object: string;
  cycle?: number;
}

/** Calls from one place to another. */
export interface Call {
  count: Cost | null;
  at_least?: boolean;
  cost: Costs;
  count_before?: Cost | null;
  at_least_before?: boolean;
  cost_before?: Costs;
  /** inside a cycle, or of a function to itself */
  recursive: boolean;
  /** recursive calls that may be nested, so that some cost is counted more than once: never a percentage */
  counted_again?: boolean;
}

export interface Problem {
  message: string;
  hint: string;
}
