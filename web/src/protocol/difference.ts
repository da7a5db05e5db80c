// What changed since the old profile, by the event.

import type { Common, Problem } from './common';
import type { Cost } from './cost';
import type { FunctionRow } from './functions';

export interface DifferenceQuestion extends Common {
  ask: 'difference';
  limit?: number;
  /** without what only moved by inlining */
  net?: boolean;
}

export interface LineChange {
  file: string;
  line: number;
  line_before: number;
  self: Cost;
  self_before: Cost;
}

export interface ChangedFunction {
  function: FunctionRow;
  /** self cost with what was inlined in one of the profiles, if that is another one */
  net?: Cost;
  net_before?: Cost;
  /** how much of the change of the inclusive cost is by more calls */
  by_count?: Cost;
  /** and by more expensive ones */
  by_cost?: Cost;
  /** the filters keep a part of its cost, which its calls and lines do not explain */
  part?: true;
  lines?: LineChange[];
  omitted_lines?: number;
}

export interface ChangedLinesQuestion extends Common {
  ask: 'changed_lines';
  id: number;
  context?: number;
  limit?: number;
}

/** A source line before beside one after. */
export interface LinePair {
  kind: 'same' | 'changed' | 'removed' | 'added' | 'moved' | 'omitted';
  /** so many without a change */
  omitted?: number;
  line?: number;
  line_before?: number;
  text?: string;
  /** if it is another one */
  text_before?: string;
  self: Cost;
  self_before: Cost;
}

export interface FileLines {
  name: string;
  name_before?: string;
  by_text: boolean;
  self: Cost;
  self_before: Cost;
  rows: LinePair[];
  omitted_rows: number;
}

export interface ChangedLinesAnswer {
  files: FileLines[];
  /** why not all texts are known */
  problem?: Problem;
}

export interface RenamedFunction {
  function: FunctionRow;
  likeness: number;
  common_callees: number;
  all_callees: number;
  common_callers: number;
  all_callers: number;
}

export interface InlinedFunction {
  function: FunctionRow;
  callers: FunctionRow[];
  outlined: boolean;
  has_lines: boolean;
  /** of all of them together */
  self: Cost | null;
  self_before: Cost | null;
}

export interface NamedChange {
  name: string;
  self: Cost;
  self_before: Cost;
}

export interface Rows<Row> {
  matching: number;
  rows: Row[];
}

export interface Kept {
  least: Cost;
  estimate: Cost;
  most: Cost;
}

/** Sums of what is not additive are null. */
export interface DifferenceAnswer {
  total: Cost | null;
  total_before: Cost | null;
  /** self cost of the functions that the filters list */
  filtered: Kept | null;
  filtered_before: Kept | null;
  comparable: { command: string; command_before: string } | null;
  matching: number;
  /** so many of those */
  increased: number;
  decreased: number;
  changed: ChangedFunction[];
  added: Rows<FunctionRow>;
  removed: Rows<FunctionRow>;
  renamed: Rows<RenamedFunction>;
  inlined: Rows<InlinedFunction>;
  files: Rows<NamedChange>;
  objects: Rows<NamedChange>;
}
