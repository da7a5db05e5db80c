// The engine as WebAssembly in a worker of this page. The worker has one question at a time; those that nobody waits
// for any more are never sent.

import type { Transport } from './engine';
import { receive } from './receive';
import type { FromWorker, ProfileFile, SourceFile, ToWorker } from './wasm_worker';
import WasmWorker from './wasm_worker?worker&inline';

export type OpenProgress = (name: string, done: number, total: number) => void;

export interface WorkerTransport extends Transport {
  // Rejects with AnswerError if they cannot be read. Once.
  open(files: ProfileFile[], sources: SourceFile[], progress: OpenProgress): Promise<void>;
}

interface Job {
  message: Exclude<ToWorker, { type: 'engine' }>;
  resolve(text: string): void;
  reject(reason: Error): void;
}

export function worker_transport(module: WebAssembly.Module): WorkerTransport {
  const worker = new WasmWorker();
  const queue: Job[] = [];
  let running: Job | undefined;
  let numbers = 0;
  let on_progress: OpenProgress = () => {};
  const post = (message: ToWorker) => worker.postMessage(message);

  function next() {
    running = queue.shift();
    if (running) post(running.message);
  }

  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
    if (data.type === 'progress') return on_progress(data.name, data.done, data.total);
    const job = running;
    if (!job || job.message.number !== data.number) return;
    job.resolve(data.text);
    next();
  };
  worker.onerror = event => {
    event.preventDefault();
    running?.reject(new Error(`the engine has stopped: ${event.message}`));
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
    async open(files, sources, progress) {
      on_progress = progress;
      const problem = await run({ type: 'open', number: ++numbers, files, sources });
      if (problem) receive(problem);
    },
    close: () => worker.terminate(),
  };
}
