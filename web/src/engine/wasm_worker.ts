// Runs in a worker: holds the engine, opens files for it, and answers one question at a time.

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
}

export type ToWorker =
  | { type: 'engine'; packed: Uint8Array<ArrayBuffer> } // by Zstandard
  | { type: 'open'; number: number; files: ProfileFile[]; sources: SourceFile[] }
  | { type: 'ask'; number: number; question: string };

export type FromWorker =
  | { type: 'answer'; number: number; text: string } // to "open": '', or an error as to a question
  | { type: 'progress'; name: string; done: number; total: number };

let engine: Promise<WasmEngine> | undefined;
let last: Promise<void> = Promise.resolve();

const unpacked = (packed: Uint8Array) => decompress(packed) as Uint8Array<ArrayBuffer>;
const reply = (message: FromWorker) => self.postMessage(message);

async function read(to: WasmEngine, file: ProfileFile): Promise<string> {
  try {
    const { size, read } = await contentsOf(file.data);
    const problem = to.read(file.side, file.name, size, read, (done, total) =>
      reply({ type: 'progress', name: file.name, done, total }),
    );
    if (!problem && file.stacks) to.addStacks(file.side, file.stacks);
    if (!problem && file.code) to.addCode(file.side, file.code);
    if (!problem) return '';
    const { error } = JSON.parse(problem) as { error: { id: string; message: string; hint?: string } };
    return errorAnswer(error.id, `${file.name}: ${error.message}`, error.hint);
  } catch (reason) {
    const message = reason instanceof Error ? reason.message : String(reason);
    return errorAnswer(
      'cannot-open',
      `${file.name}: ${message}`,
      reason instanceof CannotUnpack ? reason.hint : undefined,
    );
  }
}

async function open(files: ProfileFile[], sources: SourceFile[]): Promise<string> {
  const to = await engine!;
  for (const source of sources) to.addSource(source);
  for (const file of files) {
    const problem = await read(to, file);
    if (problem) return problem;
  }
  return to.open();
}

async function answer(message: Exclude<ToWorker, { type: 'engine' }>): Promise<string> {
  try {
    if (message.type === 'open') return await open(message.files, message.sources);
    return (await engine!).ask(message.question);
  } catch (reason) {
    return errorAnswer('engine-stopped', reason instanceof Error ? reason.message : String(reason));
  }
}

self.onmessage = ({ data: message }: MessageEvent<ToWorker>) => {
  if (message.type === 'engine') {
    engine = Promise.resolve().then(async () => instantiate(await WebAssembly.compile(unpacked(message.packed))));
    engine.catch(() => {}); // told to whoever asks
    return;
  }
  last = last.then(async () => reply({ type: 'answer', number: message.number, text: await answer(message) }));
};
