// Runs in a worker: holds the engine and answers one question at a time.

import type { ProfileFile, WasmEngine } from './wasm_engine';
import { instantiate } from './wasm_instance';

export type ToWorker =
  | { type: 'engine'; module: WebAssembly.Module }
  | { type: 'open'; number: number; files: ProfileFile[] }
  | { type: 'source'; name: string; text: string }
  | { type: 'ask'; number: number; question: string };

export type FromWorker =
  | { type: 'answer'; number: number; text: string }
  | { type: 'failed'; number: number; message: string };

let engine: Promise<WasmEngine> | undefined;
let last: Promise<void> = Promise.resolve();

async function work(message: ToWorker): Promise<string | undefined> {
  if (message.type === 'engine') {
    engine = instantiate(message.module);
    engine.catch(() => {});
    return;
  }
  if (!engine) throw new Error('no engine');
  const ready = await engine;
  if (message.type === 'open') ready.open(message.files);
  else if (message.type === 'source') ready.addSource(message.name, message.text);
  else return ready.ask(message.question);
  return '';
}

self.onmessage = (event: MessageEvent<ToWorker>) => {
  const message = event.data;
  const reply = (answer: FromWorker) => self.postMessage(answer);
  last = last
    .then(() => work(message))
    .then(
      text => {
        if ('number' in message) reply({ type: 'answer', number: message.number, text: text ?? '' });
      },
      reason => {
        const words = reason instanceof Error ? reason.message : String(reason);
        if ('number' in message) reply({ type: 'failed', number: message.number, message: words });
      },
    );
};
