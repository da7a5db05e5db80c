// The module that reads other formats, for one file. wasm/importer.cpp is the other side.

import type { Contents } from './contents';
import { BrokenInput, errorAnswer } from './wasm_engine';

export interface ImportNotes {
  summary: string; // what the file is, and what it can tell
  oddities?: string; // what could not be preserved
}

export interface Imported {
  notes: ImportNotes;
  data: Blob; // as a Callgrind file
  stacks?: Uint8Array<ArrayBuffer>; // as JSON; none if they are estimates, or too many
}

interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  allocate(size: number): number;
  create(seed: number): void;
  import(name: number, nameSize: number, size: number): void;
  attempt(run: number, context: number): void;
  result(): number;
  size(): number;
}

// An exception of C++.
class Thrown extends Error {
  constructor(readonly number: number) {
    super();
  }
}
class OutOfMemory extends Error {}

// Null: it is in no format that the module knows. An error is an answer, as the engine's are.
export async function importFile(
  module: WebAssembly.Module,
  name: string,
  { size, read }: Contents,
): Promise<Imported | string | null> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let stacks: Uint8Array<ArrayBuffer> | undefined;

  const bytes = (at: number, size: number) => new Uint8Array(exports.memory.buffer, at >>> 0, size >>> 0);
  const copy = (at: number, size: number) => bytes(at, size).slice() as Uint8Array<ArrayBuffer>;
  const page = {
    read(to: number, size: number): number {
      try {
        return read(bytes(to, size) as Uint8Array<ArrayBuffer>);
      } catch (reason) {
        return reason instanceof BrokenInput && reason.what === 'compression' ? -1 : -2;
      }
    },
    write: (at: number, size: number) => void pieces.push(copy(at, size)),
    stacks(at: number, size: number) {
      stacks = copy(at, size);
    },
    attempt(run: number, context: number): number {
      try {
        exports.attempt(run, context);
        return 0;
      } catch (reason) {
        if (reason instanceof Thrown) return reason.number;
        throw reason;
      }
    },
    throw_out: (number: number) => {
      throw new Thrown(number);
    },
    out_of_memory: () => {
      throw new OutOfMemory();
    },
  };

  const exports = (await WebAssembly.instantiate(module, { page })).exports as unknown as Exports;
  try {
    exports._initialize();
    exports.create(crypto.getRandomValues(new Uint32Array(1))[0]!);
    const nameBytes = new TextEncoder().encode(name);
    const at = exports.allocate(nameBytes.length);
    bytes(at, nameBytes.length).set(nameBytes);
    exports.import(at, nameBytes.length, size);
  } catch (reason) {
    const why = reason instanceof Error ? reason.message : reason;
    return reason instanceof OutOfMemory
      ? errorAnswer('out-of-memory', 'not enough memory for this profile', 'use the callcost command')
      : errorAnswer('engine-stopped', `the importer crashed: ${why}`, 'use the callcost command');
  }
  if (exports.size() === 0) return null;
  const text = new TextDecoder().decode(bytes(exports.result(), exports.size()));
  const notes = JSON.parse(text) as ImportNotes | { error: unknown };
  if ('error' in notes) return text;
  return { notes, data: new Blob(pieces), ...(stacks?.length && { stacks }) };
}
