// The compiled module with its imports. wasm/engine.cpp is the other side.

import { compileExpression } from './expression';
import { BrokenInput, errorAnswer, type Progress, type Read, type Side, type WasmEngine } from './wasm_engine';

type AddJson = (engine: number, isBefore: number, text: number, size: number) => void;

// Pointers and sizes are 32 bits; results come signed.
interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  allocate(size: number): number;
  create(seed: number): number;
  add_source: (
    engine: number,
    name: number,
    nameSize: number,
    path: number,
    pathSize: number,
    text: number,
    size: number,
    isNewer: number,
    isGuess: number,
  ) => void;
  read(engine: number, isBefore: number, name: number, nameSize: number, size: number): number;
  add_stacks: AddJson;
  add_code: AddJson;
  add_inlined: AddJson;
  open(engine: number): void;
  ask(engine: number, question: number, size: number): void;
  result(engine: number): number;
  result_size: (engine: number) => number;
}

class OutOfMemory extends Error {}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export async function instantiate(module: WebAssembly.Module): Promise<WasmEngine> {
  let input: Read = () => 0;
  let report: Progress | undefined;
  let complaint = '';
  const expressions = new Map<number, RegExp>();
  let lastExpression = 0;

  // Memory moves when it grows: no view of it is kept.
  const bytes = (at: number, size: number) => new Uint8Array(exports.memory.buffer, at >>> 0, size >>> 0);
  const text = (at: number, size: number) => decoder.decode(bytes(at, size));

  function write(data: Uint8Array): [number, number] {
    const at = exports.allocate(data.length);
    if (at === 0 && data.length > 0) throw new OutOfMemory();
    bytes(at, data.length).set(data);
    return [at, data.length];
  }
  const writeText = (text: string) => write(encoder.encode(text));

  const page = {
    read(to: number, size: number): number {
      try {
        return input(bytes(to, size) as Uint8Array<ArrayBuffer>);
      } catch (reason) {
        return reason instanceof BrokenInput && reason.what === 'compression' ? -1 : -2;
      }
    },
    progress: (done: number, total: number) => report?.(done, total),
    compile(at: number, size: number): number {
      const compiled = compileExpression(text(at, size));
      if (typeof compiled === 'string') {
        complaint = compiled;
        return -1;
      }
      expressions.set(++lastExpression, compiled);
      return lastExpression;
    },
    complaint: (to: number, size: number) => encoder.encodeInto(complaint, bytes(to, size)).written,
    match: (expression: number, at: number, size: number) =>
      expressions.get(expression)?.test(text(at, size)) ? 1 : 0,
    forget: (expression: number) => expressions.delete(expression),
    out_of_memory: () => {
      throw new OutOfMemory();
    },
  };

  const exports = (await WebAssembly.instantiate(module, { page })).exports as unknown as Exports;
  exports._initialize();
  const engine = exports.create(crypto.getRandomValues(new Uint32Array(1))[0]!);
  let stopped: string | undefined;

  const result = () => text(exports.result(engine), exports.result_size(engine));

  // After a trap the memory is inconsistent.
  function guarded(call: () => string): string {
    if (stopped) return stopped;
    try {
      return call();
    } catch (reason) {
      stopped =
        reason instanceof OutOfMemory
          ? errorAnswer(
              'out-of-memory',
              'not enough memory for this profile',
              'use the callcost command, which is not limited to 4 GB',
            )
          : errorAnswer(
              'engine-stopped',
              `the engine crashed: ${reason instanceof Error ? reason.message : reason}`,
              'open the file again, or use the callcost command',
            );
      return stopped;
    }
  }

  const addJson = (name: 'add_stacks' | 'add_code' | 'add_inlined') => (side: Side, json: Uint8Array) =>
    guarded(() => {
      exports[name](engine, side === 'before' ? 1 : 0, ...write(json));
      return '';
    });

  return {
    addSource: ({ name, path, isNewer, isGuess, text }) =>
      guarded(() => {
        const marks = [isNewer ? 1 : 0, isGuess ? 1 : 0] as const;
        exports.add_source(engine, ...writeText(name), ...writeText(path), ...write(text), ...marks);
        return '';
      }),
    read: (side, name, size, read, progress) =>
      guarded(() => {
        input = read;
        report = progress;
        return exports.read(engine, side === 'before' ? 1 : 0, ...writeText(name), size) ? '' : result();
      }),
    addStacks: addJson('add_stacks'),
    addCode: addJson('add_code'),
    addInlined: addJson('add_inlined'),
    open: () =>
      guarded(() => {
        exports.open(engine);
        return '';
      }),
    ask: question =>
      guarded(() => {
        exports.ask(engine, ...writeText(question));
        return result();
      }),
  };
}
