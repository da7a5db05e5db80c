// The engine behind messages: opens files for it, and answers one question at a time. Runs in a worker, of a page or of
// Node.js.

import { decompress } from 'fzstd';
import { CannotUnpack, contentsOf } from './contents';
import { type Imported, importFile } from './importer';
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
  | { type: 'importer'; module: EngineModule | null } // null: there is none
  | { type: 'open'; number: number; files: ProfileFile[]; sources: SourceFile[]; room?: number | undefined }
  | { type: 'ask'; number: number; question: string };

export type FromWorker =
  | { type: 'answer'; number: number; text: string } // to "open": '', or an error as to a question
  | { type: 'progress'; name: string; done: number; total: number }
  | { type: 'importer' } // asks for it: a file is no Callgrind profile
  | { type: 'imported'; at: number; imported: Imported }; // of the files, which one was in another format

async function compiled(module: EngineModule): Promise<WebAssembly.Module> {
  if (module instanceof WebAssembly.Module) return module;
  return WebAssembly.compile(decompress(module) as Uint8Array<ArrayBuffer>);
}

const onlyCallgrind = 'profiles in other formats are not read here: callcost view FILE';
const mayBeOther = new Set(['not-a-profile', 'no-events']); // what the engine says of a file in another format

interface ReadError {
  id: string;
  message: string;
  hint?: string;
  line?: number;
}
const errorOf = (problem: string) => (JSON.parse(problem) as { error: ReadError }).error;

// Takes the messages of whoever owns the worker.
export function serveEngine(reply: (message: FromWorker) => void): (message: ToWorker) => void {
  let engine: Promise<WasmEngine> | undefined;
  let importing: Promise<EngineModule | null> | undefined;
  let takeImporter: (module: EngineModule | null) => void = () => {};
  let last: Promise<void> = Promise.resolve();

  async function importer(): Promise<WebAssembly.Module | null> {
    importing ??= new Promise(resolve => {
      takeImporter = resolve;
      reply({ type: 'importer' });
    });
    const module = await importing;
    return module && compiled(module);
  }

  // Null: it is in no other format either; undefined: there is no importer.
  async function imported(file: ProfileFile, room?: number): Promise<Imported | string | null | undefined> {
    const module = await importer();
    return module ? importFile(module, file.name, await contentsOf(file.data, room)) : undefined;
  }

  async function read(to: WasmEngine, file: ProfileFile, at: number, room?: number): Promise<string> {
    const { side, name, code, inlined } = file;
    const readFrom = async (data: Blob) => {
      const { size, read } = await contentsOf(data, room);
      return to.read(side, name, size, read, (done, total) => reply({ type: 'progress', name, done, total }));
    };
    try {
      let { stacks } = file;
      let problem = await readFrom(file.data);
      if (problem && mayBeOther.has(errorOf(problem).id)) {
        const other = await imported(file, room);
        const { id, message, line } = errorOf(problem);
        if (typeof other === 'string') problem = other;
        // What is known by name has a hint already, and no line.
        else if (other === undefined && line) problem = errorAnswer(id, message, onlyCallgrind, { line });
        else if (other) {
          problem = await readFrom(other.data);
          stacks = other.stacks;
          reply({ type: 'imported', at, imported: other });
        }
      }
      if (!problem && stacks) to.addStacks(side, stacks);
      if (!problem && code) to.addCode(side, code);
      if (!problem && inlined) to.addInlined(side, inlined);
      if (!problem) return '';
      const error = errorOf(problem);
      return errorAnswer(error.id, `${name}: ${error.message}`, error.hint, { file: name, line: error.line });
    } catch (reason) {
      const message = reason instanceof Error ? reason.message : String(reason);
      const hint = reason instanceof CannotUnpack ? reason.hint : undefined;
      return errorAnswer('cannot-open', `${name}: ${message}`, hint, { file: name });
    }
  }

  async function answer(message: Extract<ToWorker, { number: number }>): Promise<string> {
    try {
      const to = await engine!;
      if (message.type === 'ask') return to.ask(message.question);
      for (const source of message.sources) to.addSource(source);
      for (const [at, file] of message.files.entries()) {
        const problem = await read(to, file, at, message.room);
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
    if (message.type === 'importer') return takeImporter(message.module);
    last = last.then(async () => reply({ type: 'answer', number: message.number, text: await answer(message) }));
  };
}
