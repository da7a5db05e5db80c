// The package: opens profiles with an engine in a worker, and asks it.

import { CallcostError } from '../protocol/callcost_error';
import type { Answer, DifferenceAnswer, ListAnswer, Page, Question } from '../protocol/protocol';
import type { Asking, Bytes, Callcost, Input, Inputs, OpenOptions, Profile } from './api';
import { findChangePoints } from './change_points';
import { nestedTree } from './nested_tree';
import { receive } from './receive';
import { type StartWorker, type WorkerTransport, workerTransport } from './transport';
import type { Side } from './wasm_engine';
import type { ProfileFile } from './worker';

// Where the package runs.
export interface Platform {
  startWorker(script: URL | string | undefined): StartWorker;
  // The bytes of the engine, of the module for other formats, and of that of change points.
  load(place: URL | string | undefined): Promise<Uint8Array<ArrayBuffer>>;
  loadImporter(place: URL | string | undefined): Promise<Uint8Array<ArrayBuffer>>;
  loadChangePoints(place: URL | string | undefined): Promise<Uint8Array<ArrayBuffer>>;
}

type Place = Exclude<OpenOptions['engine'], undefined>;

// What keeps a module from being compiled, where more is known of it than the browser says.
function hintOf(problem: string, usual: string): string {
  return /unsafe-eval|content security policy/i.test(problem)
    ? "the Content-Security-Policy has to allow script-src 'wasm-unsafe-eval'"
    : usual;
}

const textOf = (reason: unknown) => (reason instanceof Error ? reason.message : String(reason));
const magic = [0, 0x61, 0x73, 0x6d];

// A module that is compiled once, unless another place is named.
function compiledOnce(
  what: string,
  load: Platform['load'],
  hint: string,
): (place: Place | undefined) => Promise<WebAssembly.Module> {
  let usual: Promise<WebAssembly.Module> | undefined;

  const problem = (text: string, how: string) => failure('cannot-load', `${what} cannot be loaded: ${text}`, how);

  async function compiled(place: Place | undefined): Promise<WebAssembly.Module> {
    if (typeof WebAssembly === 'undefined')
      throw problem('there is no WebAssembly here', 'allow it, or use another browser');
    if (place instanceof WebAssembly.Module) return place;
    let bytes: Uint8Array;
    try {
      const given = place instanceof Uint8Array || place instanceof ArrayBuffer ? new Uint8Array(place) : undefined;
      bytes = given ?? (await load(place as URL | string | undefined));
    } catch (reason) {
      throw problem(textOf(reason), hint);
    }
    if (!magic.every((byte, at) => bytes[at] === byte)) throw problem('what is there is no WebAssembly module', hint);
    try {
      return await WebAssembly.compile(bytes as BufferSource);
    } catch (reason) {
      throw problem(textOf(reason), hintOf(textOf(reason), hint));
    }
  }

  return place => {
    if (place !== undefined) return compiled(place);
    usual ??= compiled(undefined);
    usual.catch(() => {
      usual = undefined;
    });
    return usual;
  };
}

const mostRows = 5000; // of one answer
const usualRoom = 2 ** 31;
const encoder = new TextEncoder();

const failure = (id: string, message: string, hint?: string, file?: string) =>
  new CallcostError({ id, message, ...(hint && { hint }), ...(file && { file }) });

async function blobOfStream(name: string, stream: AsyncIterable<Uint8Array>, room: number): Promise<Blob> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  try {
    for await (const piece of stream) {
      pieces.push(piece as Uint8Array<ArrayBuffer>);
      size += piece.length;
      if (size > room) throw failure('cannot-open', `${name}: the stream is too large`, 'set maxBytes', name);
    }
  } catch (reason) {
    if (reason instanceof CallcostError) throw reason;
    const problem = failure('cannot-open', `${name}: ${reason instanceof Error ? reason.message : reason}`, '', name);
    problem.cause = reason;
    throw problem;
  }
  return new Blob(pieces);
}

// Not all browsers can iterate over streams.
async function* piecesOf(stream: ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    reader.cancel().catch(() => {});
  }
}

async function blobOf(name: string, data: Bytes, room: number): Promise<Blob> {
  if (data instanceof Blob) return data;
  if (data instanceof ArrayBuffer || ArrayBuffer.isView(data)) return new Blob([data as Uint8Array<ArrayBuffer>]);
  if (data instanceof ReadableStream) return blobOfStream(name, piecesOf(data), room);
  if (typeof data === 'object' && data !== null && Symbol.asyncIterator in data) return blobOfStream(name, data, room);
  throw new TypeError('a profile is bytes, a Blob, a stream, or a list of these; read a file with readFile() first');
}

function named(input: Input): { name: string; data: Bytes } {
  if (typeof input === 'object' && input !== null && 'data' in input) return input;
  const { name } = (input ?? {}) as { name?: unknown }; // of a File
  return { name: typeof name === 'string' ? name : 'profile', data: input };
}

async function filesOf(inputs: Inputs, side: Side, room: number): Promise<ProfileFile[]> {
  const files: ProfileFile[] = [];
  for (const input of Array.isArray(inputs) ? (inputs as readonly Input[]) : [inputs as Input]) {
    const { name, data } = named(input);
    files.push({ name, side, data: await blobOf(name, data, room) });
  }
  return files;
}

// The rows up to the limit, which may be more than one answer has.
async function listOf<Row>(
  { offset = 0, limit = 200 }: Page,
  ask: (page: { offset: number; limit: number }) => Promise<ListAnswer<Row>>,
): Promise<ListAnswer<Row>> {
  const page = (at: number) => ask({ offset: offset + at, limit: Math.min(limit - at, mostRows) });
  const answer = await page(0);
  const { rows, matching } = answer;
  for (let more = rows; more.length > 0 && rows.length < limit && offset + rows.length < matching; ) {
    more = (await page(rows.length)).rows;
    for (const row of more) rows.push(row);
  }
  return answer;
}

async function profileOf(transport: WorkerTransport): Promise<Profile> {
  async function ask<Q extends Question>(question: Q, { signal }: Asking = {}): Promise<Answer<Q>> {
    signal?.throwIfAborted();
    return receive<Q>(await transport.send(JSON.stringify(question), signal));
  }
  return {
    about: await ask({ ask: 'profile' }),
    ask,
    functions: (question = {}, options) =>
      listOf(question, page => ask({ ask: 'functions', ...question, ...page }, options)),
    groups: (question, options) => listOf(question, page => ask({ ask: 'groups', ...question, ...page }, options)),
    find: async (question, options) => (await ask({ ask: 'find', ...question }, options)).id,
    function: async ({ limit = 200, ...question }, options) =>
      ask({ ask: 'function', ...question, limit: Math.min(limit, mostRows) }, options),
    tree: async (question, options) => nestedTree(await ask({ ask: 'tree', ...question }, options)),
    diff: (question, options) => ask({ ask: 'difference', compare: true, ...question }, options),
    close: () => transport.close(),
  };
}

export function callcostOn({ startWorker, load, loadImporter, loadChangePoints }: Platform): Callcost {
  const moduleOf = compiledOnce('the engine', load, "name the place of callcost.wasm in the option 'engine'");
  const moduleOfImporter = compiledOnce(
    'the module for other formats',
    loadImporter,
    "name the place of importer.wasm in the option 'importer'",
  );
  const moduleOfChangePoints = compiledOnce(
    'the module of change points',
    loadChangePoints,
    "name the place of change_points.wasm in the option 'module'",
  );

  const open: Callcost['open'] = async (inputs, options = {}) => {
    const { before = [], sources = [], onProgress = () => {}, maxBytes = usualRoom, patience, signal } = options;
    signal?.throwIfAborted();
    const files = await filesOf(inputs, 'after', maxBytes);
    if (files.length === 0) throw new TypeError('a profile is at least one file');
    files.push(...(await filesOf(before, 'before', maxBytes)));
    const texts = sources.map(({ name, path = name, text }) => ({ name, path, text: encoder.encode(text) }));
    const module = await moduleOf(options.engine);
    signal?.throwIfAborted();
    const transport = workerTransport(startWorker(options.worker), module, patience, () =>
      moduleOfImporter(options.importer),
    );
    const abort = () => transport.close();
    signal?.addEventListener('abort', abort, { once: true });
    try {
      await transport.open(files, texts, onProgress, maxBytes);
      return await profileOf(transport);
    } catch (reason) {
      transport.close();
      signal?.throwIfAborted();
      throw reason;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  };

  async function diff(...[before, after, question, options]: Parameters<Callcost['diff']>): Promise<DifferenceAnswer> {
    const profile = await open(after, { ...options, before });
    try {
      return await profile.diff(question, options);
    } finally {
      profile.close();
    }
  }

  const changePoints: Callcost['changePoints'] = async (costs, options = {}) =>
    findChangePoints(await moduleOfChangePoints(options.module), costs, options);

  return { open, diff, changePoints };
}
