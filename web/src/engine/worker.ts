// The engine as WebAssembly in a worker of this page. The worker has one question at a time; those that nobody waits
// for any more are never sent.

import type { Transport } from './engine';
import type { ProfileFile } from './wasm_engine';
import type { FromWorker, ToWorker } from './wasm_worker';
import WasmWorker from './wasm_worker?worker&inline';

export interface WorkerTransport extends Transport {
  open(files: ProfileFile[]): Promise<void>;
  add_source(name: string, text: string): void;
}

interface Job {
  message: Extract<ToWorker, { number: number }>;
  resolve(text: string): void;
  reject(reason: Error): void;
}

export function worker_transport(module: WebAssembly.Module): WorkerTransport {
  const worker = new WasmWorker();
  const queue: Job[] = [];
  let running: Job | undefined;
  let numbers = 0;
  const post = (message: ToWorker, transfer: Transferable[] = []) => worker.postMessage(message, transfer);

  function next() {
    running = queue.shift();
    if (running) post(running.message, running.message.type === 'open' ? buffers(running.message.files) : []);
  }

  worker.onmessage = (event: MessageEvent<FromWorker>) => {
    const job = running;
    if (!job || job.message.number !== event.data.number) return;
    if (event.data.type === 'answer') job.resolve(event.data.text);
    else job.reject(new Error(event.data.message));
    next();
  };
  worker.onerror = event => {
    event.preventDefault();
    running?.reject(new Error(`the engine failed: ${event.message}`));
    next();
  };
  post({ type: 'engine', module });

  function run(message: Job['message'], signal?: AbortSignal): Promise<string> {
    return new Promise((resolve, reject) => {
      const job: Job = { message, resolve, reject };
      signal?.addEventListener('abort', () => {
        const place = queue.indexOf(job);
        if (place >= 0) queue.splice(place, 1);
        reject(new DOMException('no longer asked', 'AbortError'));
      });
      queue.push(job);
      if (!running) next();
    });
  }

  return {
    send: (question, signal) => run({ type: 'ask', number: ++numbers, question }, signal),
    open: async files => {
      await run({ type: 'open', number: ++numbers, files });
    },
    add_source: (name, text) => post({ type: 'source', name, text }),
    close: () => worker.terminate(),
  };
}

function buffers(files: ProfileFile[]): Transferable[] {
  return [...new Set(files.map(file => file.bytes.buffer as ArrayBuffer))];
}
