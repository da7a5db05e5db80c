// What the package offers: the types of it. callcost.ts is the code.

import type { Cost } from '../protocol/cost';
import type {
  Answer,
  DifferenceAnswer,
  DifferenceQuestion,
  FindQuestion,
  Func,
  FunctionAnswer,
  FunctionQuestion,
  FunctionRow,
  FunctionsQuestion,
  GroupRow,
  GroupsQuestion,
  ListAnswer,
  ProfileAnswer,
  Question,
  TreeQuestion,
  TreeSums,
} from '../protocol/protocol';

/** The bytes of a file: as they are, or compressed by gzip or Zstandard. */
export type Bytes = Uint8Array | ArrayBuffer | Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** A file, with a name for messages and answers (default: that of a `File`, or `profile`). */
export type Input = Bytes | { name: string; data: Bytes };

/** A profile: one file, or all parts of one profile. */
export type Inputs = Input | readonly Input[];

/** A compiled `WebAssembly.Module`. */
export type CompiledModule =
  typeof globalThis extends Record<'WebAssembly', Record<'Module', { prototype: infer Module }>> ? Module : object;

/** The text of a source file of the profiled program. */
export interface SourceText {
  /** As the profile has it. */
  name: string;
  text: string;
  /** Where it was found. */
  path?: string;
}

export interface Asking {
  /** Rejects with an `AbortError` when it fires. */
  signal?: AbortSignal | undefined;
}

export interface OpenOptions extends Asking {
  /** The profile of an older run, to compare with: for `diff`, and questions with `compare: true`. */
  before?: Inputs;
  /** For `ask({ ask: 'source' })`. */
  sources?: readonly SourceText[];
  /** `total` is 0 if the size is not known. */
  onProgress?: (name: string, bytesDone: number, bytesTotal: number) => void;
  /** Bytes that a stream, or a file after decompression, may have (default: 2 GiB). */
  maxBytes?: number;
  /** Milliseconds that a question with regular expressions may take before they are refused (default: 8000). */
  patience?: number;
  /** Where `callcost.wasm` is, its bytes, or the compiled module (default: beside the package's script). */
  engine?: URL | string | Uint8Array | ArrayBuffer | CompiledModule;
  /** The same for `importer.wasm`, which is loaded when a file is in another format than Callgrind's. */
  importer?: URL | string | Uint8Array | ArrayBuffer | CompiledModule;
  /** Where the worker's script is: `browser_worker.js` or `node_worker.js` (default: beside the package's script). */
  worker?: URL | string;
}

/** The members of a question but its kind. */
export type Members<Q extends Question> = Omit<Q, 'ask'>;

/** A frame of the tree of calls; `estimated` of the tree says whether its costs are estimates, between `least` and `most`. */
export interface TreeNode {
  /** What a frame that is no function stands for. */
  kind: 'function' | 'not expanded' | 'unbalanced' | 'unrecorded callees' | 'unattributed';
  /** `null` for other kinds. */
  function: Func | null;
  /** `null`: not known, as the frame was not expanded. */
  inclusive: Cost | null;
  self: Cost | null;
  inclusiveBounds: { least: Cost | null; most: Cost | null };
  selfBounds: { least: Cost | null; most: Cost | null };
  /** Its code is inlined in that of the frame that calls it. */
  inlined?: true;
  children: TreeNode[];
}

export interface Tree extends TreeSums {
  estimated: boolean;
  roots: TreeNode[];
}

/** An open profile. It holds a worker with the engine until it is closed. */
export interface Profile {
  /** What was read: event types with totals, counts, diagnostics. */
  readonly about: ProfileAnswer;
  /** Asks any question of protocol.md. Rejects with a `CallcostError` if the engine refuses it. */
  ask<Q extends Question>(question: Q, options?: Asking): Promise<Answer<Q>>;
  /** The list of functions, most expensive by self cost first; `limit` (default: 200) may be `Infinity`. */
  functions(question?: Members<FunctionsQuestion>, options?: Asking): Promise<ListAnswer<FunctionRow>>;
  /** Groups of functions, most expensive by self cost first; `limit` as in `functions`. */
  groups(question: Members<GroupsQuestion>, options?: Asking): Promise<ListAnswer<GroupRow>>;
  /** The `id` of the function of this name, of several the one with the highest cost; `null` if there is none. */
  find(question: Members<FindQuestion>, options?: Asking): Promise<number | null>;
  /**
   * One function with its callers and callees, most expensive first, at most `limit` (default: 200) of each; with
   * `sites: true` also the places of the calls.
   */
  function(question: Members<FunctionQuestion>, options?: Asking): Promise<FunctionAnswer>;
  /** The tree of calls from the roots down, or with `direction: 'callers'` inverted, as nested frames. */
  tree(question?: Members<TreeQuestion>, options?: Asking): Promise<Tree>;
  /** What changed since the profile `before`. */
  diff(question?: Members<DifferenceQuestion>, options?: Asking): Promise<DifferenceAnswer>;
  /** Ends the worker, whatever it does; questions that are not answered reject with the code `closed`. */
  close(): void;
}

export interface ChangePointOptions {
  /** Smallest change worth reporting, relative to the smaller of the two levels (default: 0.001). */
  threshold?: number;
  /** Even 5 to 11 values count as exact, however they differ: as `countsExactly(event)` has it (default: `false`). */
  exact?: boolean;
  /** Where `change_points.wasm` is, its bytes, or the compiled module (default: beside the package's script). */
  module?: URL | string | Uint8Array | ArrayBuffer | CompiledModule;
}

/** The first value of a series with another level of cost. */
export interface ChangePoint {
  /** Its index. */
  at: number;
  /** In an exact series the two values on either side, in a noisy one medians up to the neighboring change points. */
  before: Cost;
  after: Cost;
  /** Known values up to the neighboring change points. */
  countBefore: number;
  countAfter: number;
}

export interface ChangePoints {
  /** In the order of the series. */
  points: ChangePoint[];
  /** Any noise is too small to be taken for a change. */
  exact: boolean;
  /** Mean deviation of the values from the median of their level, relative to it. */
  noise: number;
}

export interface Callcost {
  /**
   * Finds where the costs of a series of profiles change. `null`, `undefined` and `NaN` are values that are missing.
   * Rejects with a `TypeError` or `RangeError` if others are no integers of 64 bits.
   */
  changePoints(costs: Iterable<Cost | null | undefined>, options?: ChangePointOptions): Promise<ChangePoints>;
  /** Reads a profile. Rejects with a `CallcostError` if it cannot be read. */
  open(profile: Inputs, options?: OpenOptions): Promise<Profile>;
  /** Compares two profiles, and closes them: what changed from `before` to `after`. */
  diff(
    before: Inputs,
    after: Inputs,
    question?: Members<DifferenceQuestion>,
    options?: Omit<OpenOptions, 'before'>,
  ): Promise<DifferenceAnswer>;
}
