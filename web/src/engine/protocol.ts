// The questions and answers of docs/protocol.md, as types. Keep in step with that page.

import type { Cost } from '../model/cost';

// What every question may say.
export interface Common {
  event?: string;
  columns?: string[];
  parts?: number[];
  threads?: number[];
  pids?: number[];
  part_rows?: number[];
  contexts?: 'fold' | 'keep';
  cycles?: boolean;
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

export interface ProfileQuestion extends Common {
  ask: 'profile';
}
export interface FunctionsQuestion extends Common, Page, Sorting {
  ask: 'functions';
  group?: { by: GroupBy; name: string };
}
export interface GroupsQuestion extends Common, Page, Sorting {
  ask: 'groups';
  by: GroupBy;
}
export interface FindQuestion {
  ask: 'find'; // its members are names, not patterns
  name: string;
  file?: string;
  object?: string;
  contexts?: 'fold' | 'keep';
  compare?: boolean;
}
export interface FunctionQuestion extends Common {
  ask: 'function';
  id: number;
  sites?: boolean;
  limit?: number;
}
export interface TreeQuestion extends Common {
  ask: 'tree';
  direction?: 'callees' | 'callers';
  root?: number;
  recursion?: 'fold' | 'unfold';
  frames?: number;
  levels?: number;
  least?: number;
}
export interface GraphQuestion extends Common {
  ask: 'graph';
  id?: number;
  callers?: number;
  callees?: number;
  node_share?: number;
  arc_share?: number;
  most?: number;
}
export interface SourceQuestion extends Omit<Common, 'file'> {
  ask: 'source';
  file?: number; // an id, not a pattern
  function?: number;
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
export interface PartsQuestion extends Common {
  ask: 'parts';
  id?: number;
}
export interface DifferenceQuestion extends Common {
  ask: 'difference';
  limit?: number;
}
export interface SearchQuestion extends Common {
  ask: 'search';
  text: string;
  limit?: number;
}
export type ExportFormat = 'callgrind' | 'folded' | 'pprof' | 'speedscope' | 'dot';
export interface ExportQuestion extends Common {
  ask: 'export';
  format: ExportFormat;
}
export interface StatusQuestion {
  ask: 'status';
}
export interface ReloadQuestion {
  ask: 'reload';
}

export type Question =
  | ProfileQuestion
  | FunctionsQuestion
  | GroupsQuestion
  | FindQuestion
  | FunctionQuestion
  | TreeQuestion
  | GraphQuestion
  | SourceQuestion
  | FilesQuestion
  | LinesQuestion
  | InstructionsQuestion
  | PartsQuestion
  | DifferenceQuestion
  | SearchQuestion
  | ExportQuestion
  | StatusQuestion
  | ReloadQuestion;

// A list of costs, by the columns of the question; null where an event type has none.
export type Costs = (Cost | null)[];

export interface Func {
  id: number; // negative: only in the profile before
  name: string;
  context?: string;
  file: string;
  object: string;
  cycle?: number;
}

export interface EventType {
  name: string;
  long_name?: string;
  unit?: string;
  formula?: string;
  additive: boolean;
  total: Cost;
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
  count: number;
}

export interface Facts {
  protocol: number;
  version: string;
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
    cachegrind: boolean;
    sources: boolean;
    machine_code: boolean;
    before: boolean;
  };
  formats?: ExportFormat[]; // what `export` can write
  diagnostics: { errors: number; warnings: number; notes: number; rows: Diagnostic[] };
}
export interface ProfileAnswer extends Facts {
  before?: Facts & { problem?: string }; // a problem: it cannot be compared
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

// The numbers of a function or a group, with those of the profile before if there is one.
export interface Numbers {
  self: Costs;
  inclusive: Costs;
  called: Cost | null; // null: none is counted
  at_least?: boolean;
  self_before?: Costs;
  inclusive_before?: Costs;
  called_before?: Cost | null;
  at_least_before?: boolean;
}

export interface FunctionRow extends Func, Numbers {
  per_call: Cost | null;
  most?: boolean; // bounds, because filters keep some of it only
  match?: Match;
  name_before?: string;
  together?: number; // functions that were told apart by nothing, as one row
  together_before?: number;
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
  filtered: { least: Cost; most: Cost } | null; // by the event
}

// With one column, the event, only.
export interface GroupRow extends Numbers {
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
  cost: Cost; // by the first column
}

export interface CallRow extends Func {
  count: Cost | null;
  at_least?: boolean;
  cost: Costs;
  per_call: Cost | null;
  count_before?: Cost | null;
  at_least_before?: boolean;
  cost_before?: Costs;
  by_count?: Cost; // how much of the change is by more calls
  by_cost?: Cost; // and by dearer ones
  recursive: boolean; // inside a cycle: never a percentage
  active: boolean; // the call had begun before the measurement did: no count
  sites?: Site[];
  omitted_sites?: number;
}

export interface CallList {
  rows: CallRow[];
  omitted_rows: number;
  omitted_cost: Cost; // by the first column
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

export interface Frames {
  kind: number[]; // 0 function, 1 not expanded, 2 unbalanced
  function: number[];
  parent: number[];
  level: number[];
  inclusive: (Cost | null)[]; // null: not known, because it is in what was not expanded
  inclusive_least: (Cost | null)[];
  inclusive_most: (Cost | null)[];
  self: (Cost | null)[];
  self_least: (Cost | null)[];
  self_most: (Cost | null)[];
  partly_paid: number[]; // rows
  inclusive_before?: (Cost | null)[];
  self_before?: (Cost | null)[];
}

export interface TreeSums {
  whole: Cost;
  certain: Cost;
  not_expanded: Cost;
  unbalanced: Cost;
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
  partly_paid_before?: Cost;
  negative_before?: Cost;
  certainty_before?: number;
  functions: Func[];
  frames: Frames;
}

export type GraphNode = FunctionRow;
export interface GraphArc {
  from: number;
  to: number;
  count: Cost | null;
  at_least?: boolean;
  cost: Costs;
  count_before?: Cost | null;
  cost_before?: Costs;
  recursive: boolean;
}
export interface GraphAnswer {
  nodes: GraphNode[];
  arcs: GraphArc[];
  omitted_nodes: number;
  omitted_arcs: number;
}

export interface Problem {
  message: string;
  hint: string;
}

export interface LineCall extends Func {
  count: Cost | null;
  at_least?: boolean;
  cost: Costs;
  count_before?: Cost | null;
  cost_before?: Costs;
  recursive: boolean;
}
export interface LineJump {
  to: number;
  file?: string;
  executed: Cost;
  followed: Cost;
  conditional: boolean;
}
export interface SourceLine {
  line: number; // 0: not known
  self: Costs;
  with_calls: Costs;
  self_before?: Costs; // null for columns that are not what is measured by
  line_before?: number;
  inlined: boolean;
  calls: LineCall[];
  jumps: LineJump[];
}
export interface SourceAnswer {
  file: { id: number; name: string };
  path: string;
  text: string | null;
  problem?: Problem;
  is_newer: boolean;
  is_guess: boolean;
  lines: SourceLine[];
  self: Costs;
  self_before?: Costs;
  gone?: { line_before: number; self_before: Costs }[]; // lines that are not there any more
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
    self: Costs;
    most?: boolean; // a bound: filters keep some of it, not known how much
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
  self_before?: Costs;
  calls: LineCall[];
  jumps: Jump[];
  gap?: boolean;
}
export interface InstructionsAnswer {
  object: string;
  path?: string;
  problem?: Problem;
  rows: InstructionRow[];
  blocks: { first: number; last: number; self: Costs }[];
  edges: {
    from: number;
    to: number;
    kind: 'taken' | 'not_taken' | 'jump' | 'next' | 'indirect';
    count?: Cost;
  }[];
}

export interface PartRow {
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
  calls: number;
  selected: boolean;
  function?: { self: Costs; inclusive: Costs; called: Cost | null; at_least?: boolean };
}
export interface PartsAnswer {
  matching: number;
  rows: PartRow[];
}

// All of it by the event.
export interface LineChange {
  file: string;
  line: number;
  line_before: number;
  self: Cost;
  self_before: Cost;
}
export interface ChangedFunction {
  function: FunctionRow;
  by_count?: Cost; // how much of the change of the inclusive cost is by more calls
  by_cost?: Cost; // and by dearer ones
  lines?: LineChange[];
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
  self: Cost; // of all of them together
  self_before: Cost;
}
export interface NamedChange {
  name: string;
  self: Cost;
  self_before: Cost;
}
export interface DifferenceAnswer {
  total: Cost;
  total_before: Cost;
  comparable: { command: string; command_before: string } | null;
  matching: number;
  changed: ChangedFunction[];
  added: { matching: number; rows: FunctionRow[] };
  removed: { matching: number; rows: FunctionRow[] };
  renamed: RenamedFunction[];
  inlined: InlinedFunction[];
  files: NamedChange[];
  objects: NamedChange[];
}

export interface SearchAnswer {
  functions: FunctionRow[];
  matching: number; // functions
  files: { id: number; name: string; self: Cost }[];
  objects: { name: string; self: Cost }[];
}

export interface ExportAnswer {
  name: string;
  type: string;
  base64: string;
}

export interface StatusAnswer {
  changed: boolean;
  new_files: string[];
}

interface Answers {
  profile: ProfileAnswer;
  functions: ListAnswer<FunctionRow>;
  groups: ListAnswer<GroupRow>;
  find: FindAnswer;
  function: FunctionAnswer;
  tree: TreeAnswer;
  graph: GraphAnswer;
  source: SourceAnswer;
  files: FilesAnswer;
  lines: LinesAnswer;
  instructions: InstructionsAnswer;
  parts: PartsAnswer;
  difference: DifferenceAnswer;
  search: SearchAnswer;
  export: ExportAnswer;
  status: StatusAnswer;
  reload: ProfileAnswer;
}
export type Answer<Q extends Question> = Answers[Q['ask']];

export interface Problematic {
  error: { id: string; message: string; hint?: string; member?: string; column?: number };
}
