// What the profile is, its parts, what is found in it by name, what it can be written as.

import type { Common, Costs, Func } from './common';
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

// Of a program that is running under Callgrind.
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

// The function that is running first; `calls`: since the last dump.
export interface StacksAnswer {
  instrumented: boolean; // Callgrind knows no stacks without
  threads: { thread: number; frames: { name: string; calls?: string }[] }[];
}

export interface EventType {
  name: string;
  long_name?: string;
  unit?: string;
  formula?: string;
  additive: boolean;
  total: Cost | null; // null: not additive
  base: Cost; // what is 100 %; 0: nothing is
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
  count: number; // the last row of a kind stands for those that have none, too
}

export interface Diagnostics {
  errors: number;
  warnings: number;
  notes: number;
  rows: Diagnostic[];
  omitted: number; // occurrences without a row
}

// Of one profile.
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
    stacks: boolean; // recorded ones
    cachegrind: boolean;
    sources: boolean;
    machine_code: boolean;
    before: boolean;
  };
  formats?: ExportFormat[]; // what `export` can write
  diagnostics: Diagnostics;
}

export interface ProfileAnswer extends Facts {
  protocol: number;
  version: string;
  generation?: number; // which reading of the files it is; of a server
  live?: LiveRun;
  entry?: Entry; // of a store
  entry_before?: Entry;
  before?: Facts & { problem?: string }; // a problem: it cannot be compared
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
  function?: Func; // of a line: the one that costs most there
  cycle?: number;
  file?: { id: number; name: string };
  line?: number;
  cost?: Cost;
  change?: Cost; // of the difference between two profiles
  count?: Cost | null; // of calls, or of functions
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
  part?: number | string; // as the file says it
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
  before?: number; // index of the same part before
  self_before?: Costs;
  function?: { self: Costs; inclusive: Costs; called: Cost | null; at_least?: boolean };
}

export interface PartsAnswer {
  matching: number;
  total: Costs; // of all parts
  selected: Costs;
  rows: PartRow[];
  removed?: OldPart[]; // that only the old profile has
  matching_removed?: number;
}

export interface SearchQuestion extends Common {
  ask: 'search';
  text: string;
  limit?: number;
}

export interface SearchAnswer {
  functions: FunctionRow[];
  matching: number; // functions
  files: { id: number; name: string; self: Cost }[];
  objects: { name: string; self: Cost }[];
}

export type ExportFormat = 'callgrind' | 'stacks' | 'code' | 'folded' | 'pprof' | 'speedscope';

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
