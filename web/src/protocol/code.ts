// Source lines and instructions.

import type { Call, Common, Costs, Func, Page, Problem } from './common';
import type { Cost } from './cost';
import type { Bounds } from './functions';

export interface SourceQuestion extends Omit<Common, 'file' | 'object'> {
  ask: 'source';
  /** an id, not a pattern */
  file?: number;
  function?: number;
  /** withheld_in of an answer: the sources there are shown from now on */
  show_sources_in?: string;
}

export interface FilesQuestion extends Common, Page {
  ask: 'files';
}

export interface LinesQuestion extends Common {
  ask: 'lines';
  limit?: number;
}

export interface InstructionsQuestion extends Common {
  ask: 'instructions';
  id: number;
  syntax?: 'att' | 'intel';
}

export interface LineCall extends Func, Call {}

export interface LineJump {
  to: number;
  file?: string;
  executed: Cost;
  followed: Cost;
  conditional: boolean;
}

/** A line of another file, inlined at this one. */
export interface InlinedLine {
  file: { id: number; name: string };
  line: number;
  function?: string;
  /** name of the function */
  short?: string;
  self: Costs;
  calls: LineCall[];
}

export interface SourceLine {
  /** 0: unknown */
  line: number;
  self: Costs;
  with_calls: Costs;
  /** null for columns that are not what is measured by */
  self_before?: Costs;
  line_before?: number;
  inlined: boolean;
  /** self and that of inlined_code */
  with_inlined?: Costs;
  /** most expensive first; at line 0: it is not known where */
  inlined_code?: InlinedLine[];
  calls: LineCall[];
  jumps: LineJump[];
}

export interface SourceAnswer {
  file: { id: number; name: string };
  path: string;
  text: string | null;
  problem?: Problem;
  /** the directory that view was not told of */
  withheld_in?: string;
  is_newer: boolean;
  is_guess: boolean;
  lines: SourceLine[];
  self: Costs;
  /** of all inlined code; why it is not known where */
  inlined?: { self: Costs; problem?: Problem };
  self_before?: Costs;
  /** lines that were removed */
  removed?: { line_before: number; self_before: Costs }[];
  files?: { id: number; name: string; self: Cost }[];
}

export interface FilesAnswer {
  rows: { id: number; name: string; self: Cost; self_before?: Cost }[];
  matching: number;
}

export interface LinesAnswer {
  rows: {
    file: { id: number; name: string };
    line: number;
    function: Func;
    functions: number;
    /** of the source file, if there is one */
    text?: string;
    self: Costs;
    /** with the calls made and the code inlined there; not with filters */
    with_calls?: Costs;
    /** of an estimate */
    self_bounds?: Bounds;
  }[];
  omitted_rows: number;
  omitted_self: Costs;
}

export interface Jump {
  to: string;
  executed: Cost;
  followed: Cost;
  conditional: boolean;
}

export interface InstructionRow {
  address: string;
  bytes?: string;
  text?: string;
  file: string;
  line: number;
  self: Costs;
  /** if they are compared */
  self_before?: Costs;
  /** if it was there */
  address_before?: string;
  calls: LineCall[];
  jumps: Jump[];
  gap?: boolean;
}

/** An instruction that was removed. */
export interface RemovedInstruction {
  /** it was before this one */
  row: number;
  address_before: string;
  bytes?: string;
  text?: string;
  file: string;
  line: number;
  self_before: Costs;
}

export interface InstructionsAnswer {
  object: string;
  path?: string;
  /** the object was found by the end of its name */
  is_guess: boolean;
  problem?: Problem;
  /** without it: why not */
  compared?: { by?: 'text' | 'addresses'; problem?: Problem };
  rows: InstructionRow[];
  removed?: RemovedInstruction[];
  blocks: { first: number; last: number; executed: boolean; self: Costs; self_before?: Costs }[];
  edges: {
    from: number;
    to: number;
    kind: 'taken' | 'not_taken' | 'jump' | 'next' | 'indirect';
    count?: Cost;
  }[];
}
