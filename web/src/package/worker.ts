// The engine behind messages: opens files for it, and answers one question at a time. Runs in a worker, of a page or of
// Node.js.

import { decompress } from 'fzstd';
import { CannotUnpack, contentsOf } from './contents';
import { errorAnswer, type Side, type SourceFile, type WasmEngine } from './wasm_engine';
import { instantiate } from './wasm_instance';

export interface ProfileFile {
  name: string;
  side: Side;
  data: Blob; // as it is stored: packed or not
  stacks?: Uint8Array; // the call stacks that it was made of, as JSON
  code?: Uint8Array; // machine code of its functions, as JSON
  inlined?: Uint8Array; // which of it is inlined code, as JSON
}

// The module: compiled, or packed by Zstandard.
export type EngineModule = WebAssembly.Module | Uint8Array<ArrayBuffer>;

export type ToWorker =
  | { type: 'engine'; module: EngineModule }
  | { type: 'open'; number: number; files: ProfileFile[]; sources: SourceFile[]; room?: number | undefined }
  | { type: 'ask'; number: number; question: string };

export type FromWorker =
  | { type: 'answer'; number: number; text: string } // to "open": '', or an error as to a question
  | { type: 'progress'; name: string; done: number; total: number };

async function compiled(module: EngineModule): Promise<WebAssembly.Module> {
  if (module instanceof WebAssembly.Module) return module;
  return WebAssembly.compile(decompress(module) as Uint8Array<ArrayBuffer>);
}

// Takes the messages of whoever owns the worker.
export function serveEngine(reply: (message: FromWorker) => void): (message: ToWorker) => void {
  let engine: Promise<WasmEngine> | undefined;
  let last: Promise<void> = Promise.resolve();

  async function read(to: WasmEngine, file: ProfileFile, room?: number): Promise<string> {
    const { side, name, data, stacks, code, inlined } = file;
    try {
      const { size, read } = await contentsOf(data, room);
      const problem = to.read(side, name, size, read, (done, total) => reply({ type: 'progress', name, done, total }));
      if (!problem && stacks) to.addStacks(side, stacks);
      if (!problem && code) to.addCode(side, code);
      if (!problem && inlined) to.addInlined(side, inlined);
      if (!problem) return '';
      const { error } = JSON.parse(problem) as { error: { id: string; message: string; hint?: string; line?: number } };
      return errorAnswer(error.id, `${name}: ${error.message}`, error.hint, { file: name, line: error.line });
    } catch (reason) {
      const message = reason instanceof Error ? reason.message : String(reason);
      const hint = reason instanceof CannotUnpack ? reason.hint : undefined;
      return errorAnswer('cannot-open', `${name}: ${message}`, hint, { file: name });
    }
  }

  async function answer(message: Exclude<ToWorker, { type: 'engine' }>): Promise<string> {
    try {
      const to = await engine!;
      if (message.type === 'ask') return to.ask(message.question);
      for (const source of message.sources) to.addSource(source);
      for (const file of message.files) {
        const problem = await read(to, file, message.room);
        if (problem) return problem;
      }
      return to.open();
    } catch (reason) {
      return errorAnswer('engine-stopped', reason instanceof Error ? reason.message : String(reason));
    }
  }

  return message => {
    if (message.type === 'engine') {
      engine = compiled(message.module).then(instantiate);
      engine.catch(() => {}); // told to whoever asks
      return;
    }
    last = last.then(async () => reply({ type: 'answer', number: message.number, text: await answer(message) }));
  };
}
