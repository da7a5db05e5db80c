// What the profile is, its parts, what is found in it by name, what it can be written as.

import type { Common, Costs, Func, Problem } from './common';
import type { Cost } from './cost';
import type { FunctionRow } from './functions';
import type { Entry } from './history';

export interface ProfileQuestion {
  ask: 'profile';
}

export interface StatusQuestion {
  ask: 'status';
}

export interface ReloadQuestion {
  ask: 'reload';
}

/** Of a program that is running under Callgrind. */
export interface ControlQuestion {
  ask: 'control';
  command: 'dump' | 'zero' | 'instrument' | 'stop-instrumenting';
}

export interface StacksQuestion {
  ask: 'stacks';
}

export interface LiveRun {
  process: number;
  program: string;
  running: boolean;
}

/** The function that is running first; `calls`: since the last dump. */
export interface StacksAnswer {
  /** Callgrind knows no stacks without */
  instrumented: boolean;
  threads: { thread: number; frames: { name: string; calls?: string }[] }[];
}

export interface EventType {
  name: string;
  long_name?: string;
  unit?: string;
  /** one of the unit is `scale` seconds or bytes; null: it is neither */
  base_unit?: 's' | 'B' | null;
  scale?: number | null;
  formula?: string;
  additive: boolean;
  /** null: not additive */
  total: Cost | null;
  /** what is 100 %; 0: nothing is */
  base: Cost;
}

export type Severity = 'error' | 'warning' | 'note';

export interface Diagnostic {
  file?: string;
  line?: number;
  column?: number;
  excerpt?: string;
  severity: Severity;
  id: string;
  message: string;
  hint?: string;
  /** the last row of a kind stands for those that have none, too */
  count: number;
}

export interface Diagnostics {
  errors: number;
  warnings: number;
  notes: number;
  rows: Diagnostic[];
  /** occurrences without a row */
  omitted: number;
}

/** Of one profile. */
export interface Facts {
  title: string;
  command?: string;
  creator?: string;
  pid?: string;
  files: { name: string; bytes: number; lines: number }[];
  event: string;
  events: EventType[];
  counts: { functions: number; objects: number; files: number; arcs: number; cycles: number; parts: number };
  has: {
    calls: boolean;
    counts: boolean;
    lines: boolean;
    instructions: boolean;
    jumps: boolean;
    contexts: boolean;
    parts: boolean;
    /** recorded ones */
    stacks: boolean;
    /** inlined code is functions of its own */
    inlined: boolean;
    cachegrind: boolean;
    sources: boolean;
    machine_code: boolean;
    before: boolean;
  };
  /** what `callcost record --callers` needs, so that more of a tree is certain */
  more_callers?: number;
  /** what `export` can write */
  formats?: ExportFormat[];
  diagnostics: Diagnostics;
}

export interface ProfileAnswer extends Facts {
  protocol: number;
  version: string;
  /** which reading of the files it is; of a server */
  generation?: number;
  live?: LiveRun;
  /** of a store */
  entry?: Entry;
  entry_before?: Entry;
  /** a problem: it cannot be compared */
  before?: Facts & { problem?: string };
  /** that of --inlined, if it is not the default */
  inlined_option?: 'yes' | 'no';
  /** why inlined code is not shown as functions, or not all of it */
  inlined_problem?: Problem;
}

export interface StatusAnswer {
  generation: number;
  changed: boolean;
  new_files: string[];
  live?: LiveRun;
  reading?: { file: string; bytes: number; bytes_total?: number };
}

export interface SummaryQuestion extends Common {
  ask: 'summary';
}

export interface SummaryPiece {
  text: string;
  /** of a line: the one that costs most there */
  function?: Func;
  cycle?: number;
  file?: { id: number; name: string };
  line?: number;
  cost?: Cost;
  /** of the difference between two profiles */
  change?: Cost;
  /** of calls, or of functions */
  count?: Cost | null;
  at_least?: boolean;
}

export interface SummaryAnswer {
  sentences: SummaryPiece[][];
}

export interface PartsQuestion extends Common {
  ask: 'parts';
  id?: number;
  limit?: number;
}

export interface OldPart {
  index: number;
  file?: string;
  /** as the file says it */
  part?: number | string;
  thread?: number | string;
  pid?: number | string;
  trigger?: string;
  timerange?: string;
  command?: string;
  descriptions: string[];
  self: Costs;
  cost_lines: number;
  calls: Cost;
}

export interface PartRow extends OldPart {
  selected: boolean;
  /** index of the same part before */
  before?: number;
  self_before?: Costs;
  function?: { self: Costs; inclusive: Costs; called: Cost | null; at_least?: boolean };
}

export interface PartsAnswer {
  matching: number;
  /** of all parts */
  total: Costs;
  selected: Costs;
  rows: PartRow[];
  /** that only the old profile has */
  removed?: OldPart[];
  matching_removed?: number;
}

export interface SearchQuestion extends Common {
  ask: 'search';
  text: string;
  limit?: number;
}

export interface SearchAnswer {
  functions: FunctionRow[];
  /** functions */
  matching: number;
  files: { id: number; name: string; self: Cost }[];
  objects: { name: string; self: Cost }[];
}

export type ExportFormat = 'callgrind' | 'stacks' | 'code' | 'inlined' | 'folded' | 'pprof' | 'speedscope';

export interface ExportQuestion extends Common {
  ask: 'export';
  format: ExportFormat;
  of_before?: boolean;
}

export interface ExportAnswer {
  name: string;
  type: string;
  base64: string;
  needs_gzip?: boolean;
}
