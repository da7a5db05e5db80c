// The engine as WebAssembly in a worker of this page. The worker has one question at a time; those no longer awaited
// are never sent.

import type { Transport } from './engine';
import { receive } from './receive';
import { errorAnswer, type SourceFile } from './wasm_engine';
import type { FromWorker, ProfileFile, ToWorker } from './wasm_worker';
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

const patience = 8000; // milliseconds, with a question that has expressions

// The expressions in a question, as text; '' if there are none.
export function expressionsOf(question: string): string {
  return (question.match(/"(?:\w+:)?\/(?:[^"\\]|\\.)*\/"/g) ?? []).join(' ');
}

// `engine`: the module, packed by Zstandard.
export function workerTransport(engine: Uint8Array<ArrayBuffer>): WorkerTransport {
  let worker: Worker;
  const queue: Job[] = [];
  let running: Job | undefined;
  let numbers = 0;
  let onProgress: OpenProgress = () => {};
  let contents: Job['message'] | undefined;
  let watch: ReturnType<typeof setTimeout> | undefined;
  const endless = new Set<string>(); // expressions
  const post = (message: ToWorker) => worker.postMessage(message);

  function begin() {
    worker = new WasmWorker();
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (data.type === 'progress') return onProgress(data.name, data.done, data.total);
      const job = running;
      if (!job || job.message.number !== data.number) return;
      job.resolve(data.text);
      next();
    };
    worker.onerror = event => {
      event.preventDefault();
      running?.reject(new Error(`the engine crashed: ${event.message}`));
      next();
    };
    post({ type: 'engine', packed: engine });
  }

  function next() {
    clearTimeout(watch);
    running = queue.shift();
    if (!running) return;
    const { message } = running;
    const expressions = message.type === 'ask' ? expressionsOf(message.question) : '';
    if (endless.has(expressions)) return giveUp(running);
    post(message);
    if (expressions) watch = setTimeout(startAnew, patience, expressions, running);
  }

  function giveUp(job: Job) {
    const problem = 'this expression takes too long';
    const hint = "nested repetition, such as (a+)+, is slow in browsers; 'callcost view' has no such limit";
    job.resolve(errorAnswer('bad-pattern', problem, hint));
    next();
  }

  // Only terminating the worker stops a runaway JavaScript expression.
  function startAnew(expressions: string, job: Job) {
    endless.add(expressions);
    worker.terminate();
    begin();
    if (contents) queue.unshift({ message: contents, resolve() {}, reject() {} });
    giveUp(job);
  }

  function run(message: Job['message'], signal?: AbortSignal): Promise<string> {
    return new Promise((resolve, reject) => {
      const job: Job = { message, resolve, reject };
      signal?.addEventListener('abort', () => {
        const place = queue.indexOf(job);
        if (place >= 0) queue.splice(place, 1);
        reject(new DOMException('aborted', 'AbortError'));
      });
      queue.push(job);
      if (!running) next();
    });
  }

  begin();
  return {
    send: (question, signal) => run({ type: 'ask', number: ++numbers, question }, signal),
    async open(files, sources, progress) {
      onProgress = progress;
      contents = { type: 'open', number: ++numbers, files, sources };
      const problem = await run(contents);
      onProgress = () => {};
      if (problem) receive(problem);
    },
    close() {
      clearTimeout(watch);
      worker.terminate();
    },
  };
}
