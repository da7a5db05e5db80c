// A store of profiles over time: its series, their entries, and what changed their costs.

import type { Page } from './common';
import type { Cost } from './cost';

/** Beyond 2^53 as text; only passed on. */
export type EntryId = number | string;

/** What is not known is empty. */
export interface Entry {
  series: string;
  entry: EntryId;
  commit: string;
  modified: boolean;
  branch: string;
  /** seconds since 1970, UTC */
  time: number;
  machine: string;
  /** KEY=VALUE */
  tags: string[];
  command: string;
}

/** Which costs of which entries. */
export interface HistoryChoice {
  event?: string;
  branch?: string;
  all_branches?: boolean;
  machine?: string;
  tags?: string[];
  since?: number;
  until?: number;
  /** of a function */
  name?: string;
  file?: string;
  object?: string;
  inclusive?: boolean;
  width?: number;
}

/** Two lists of equal length; `at` is the place among the entries. */
export interface Points {
  at: number[];
  cost: Cost[];
}

export interface HistoryChange {
  at: number;
  before: Cost;
  after: Cost;
  entry: Entry;
  entry_before: Entry;
}

export interface HistoryQuestion extends HistoryChoice, Page {
  ask: 'history';
}

export interface SeriesRow {
  series: string;
  entries: number;
  /** time */
  newest: number;
  event: string;
  first: Cost | null;
  last: Cost | null;
  points: Points;
  changes: number;
  /** their places */
  changed: number[];
  /** the last */
  change?: HistoryChange;
}

export interface HistoryAnswer {
  store: string;
  matching: number;
  rows: SeriesRow[];
}

export interface SeriesQuestion extends HistoryChoice {
  ask: 'history_series';
  series: string;
}

export interface SeriesPoints extends Points {
  entry: EntryId[];
  time: number[];
  commit: string[];
}

export interface ChangedCost {
  name: string;
  short?: string;
  file: string;
  object: string;
  before: Cost;
  after: Cost;
}

export interface SeriesChange extends HistoryChange {
  functions?: ChangedCost[];
}

export interface SeriesAnswer {
  series: string;
  event: string;
  events: string[];
  branches: string[];
  machines: string[];
  tags: string[];
  /** that is shown; '': all */
  branch: string;
  entries: number;
  first: Cost | null;
  last: Cost | null;
  points: SeriesPoints;
  exact: boolean;
  /** as a share */
  noise: number;
  changes: SeriesChange[];
  omitted_changes: number;
}

export interface HistoryFunctionsQuestion extends HistoryChoice, Page {
  ask: 'history_functions';
  series: string;
}

export interface HistoryFunction {
  name: string;
  short?: string;
  file: string;
  object: string;
  /** in the newest entry */
  cost: Cost | null;
  points: Points;
  change?: HistoryChange;
}

export interface HistoryFunctionsAnswer {
  matching: number;
  total: Cost | null;
  rows: HistoryFunction[];
}

export interface EntriesQuestion extends HistoryChoice, Page {
  ask: 'history_entries';
  series: string;
}

export interface EntryRow {
  entry: Entry;
  at: number;
  cost: Cost | null;
  cost_before?: Cost;
  entry_before?: EntryId;
}

export interface EntriesAnswer {
  matching: number;
  rows: EntryRow[];
}
