// The engine as WebAssembly in a worker. The worker has one question at a time; those no longer awaited are never sent.

import type { Imported } from './importer';
import { receive } from './receive';
import { errorAnswer, type SourceFile } from './wasm_engine';
import type { EngineModule, FromWorker, ProfileFile, ToWorker } from './worker';

// Carries the text of a question there, and the text of the answer back.
export interface Transport {
  send(question: string, signal?: AbortSignal): Promise<string>;
  close(): void;
}

export type OpenProgress = (name: string, done: number, total: number) => void;

export interface WorkerTransport extends Transport {
  // Rejects with CallcostError if they cannot be read. Once. `room`: bytes that a file may have after decompression.
  // Resolves with those that were in another format, by row of `files`.
  open(files: ProfileFile[], sources: SourceFile[], progress: OpenProgress, room?: number): Promise<Imported[]>;
}

// A worker of a browser or of Node.js. Those of Node.js keep the process alive, unless `unref` says that they need not.
export interface EngineWorker {
  postMessage(message: ToWorker): void;
  terminate(): unknown;
  ref?(): void;
  unref?(): void;
}

export type StartWorker = (received: (message: FromWorker) => void, crashed: (why: string) => void) => EngineWorker;

export const inBrowser =
  (create: () => Worker): StartWorker =>
  (received, crashed) => {
    const worker = create();
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => received(data);
    worker.onerror = event => {
      event.preventDefault();
      crashed(event.message || 'its script cannot be loaded');
    };
    return worker;
  };

interface Job {
  message: Extract<ToWorker, { number: number }>;
  resolve(text: string): void;
}

const usualPatience = 8000; // milliseconds, with a question that has expressions

const tooSlow = errorAnswer(
  'bad-pattern',
  'this expression takes too long',
  'nested repetition, such as (a+)+, is slow here; the callcost command has no such limit',
);

// The expressions in a question, as text; '' if there are none.
export function expressionsOf(question: string): string {
  return (question.match(/"(?:\w+:)?\/(?:[^"\\]|\\.)*\/"/g) ?? []).join(' ');
}

// `importer`: the module for other formats, asked for when a file is in one; null: there is none.
export function workerTransport(
  start: StartWorker,
  module: EngineModule,
  patience = usualPatience,
  importer: () => Promise<EngineModule | null> = async () => null,
): WorkerTransport {
  let worker: EngineWorker;
  const queue: Job[] = [];
  let running: Job | undefined;
  let numbers = 0;
  let onProgress: OpenProgress = () => {};
  let contents: Job['message'] | undefined;
  const imported: Imported[] = [];
  let watch: ReturnType<typeof setTimeout> | undefined;
  let stopped = ''; // the answer to everything from now on
  const endless = new Set<string>(); // expressions

  function begin() {
    const ours: EngineWorker = start(
      message => {
        if (ours !== worker) return;
        if (message.type === 'progress') onProgress(message.name, message.done, message.total);
        else if (message.type === 'importer') void sendImporter(ours);
        else if (message.type === 'imported') imported[message.at] = message.imported;
        else if (running?.message.number === message.number) answer(message.text);
      },
      why => {
        if (ours === worker) stop(errorAnswer('engine-stopped', `the engine crashed: ${why}`));
      },
    );
    worker = ours;
    worker.postMessage({ type: 'engine', module });
  }

  async function sendImporter(to: EngineWorker) {
    const module = await importer().catch(() => null);
    to.postMessage({ type: 'importer', module });
  }

  function next() {
    clearTimeout(watch);
    for (running = queue.shift(); running; running = queue.shift()) {
      const { message } = running;
      const expressions = message.type === 'ask' ? expressionsOf(message.question) : '';
      if (!stopped && !endless.has(expressions)) {
        worker.ref?.();
        worker.postMessage(message);
        if (expressions) watch = setTimeout(startAnew, patience, expressions);
        return;
      }
      running.resolve(stopped || tooSlow);
    }
    worker.unref?.();
  }

  // The one that is running.
  function answer(text: string) {
    running?.resolve(text);
    next();
  }

  // Only terminating the worker stops a runaway JavaScript expression.
  function startAnew(expressions: string) {
    endless.add(expressions);
    worker.terminate();
    begin();
    if (contents) queue.unshift({ message: contents, resolve() {} });
    answer(tooSlow);
  }

  function stop(why: string) {
    stopped ||= why;
    worker.terminate();
    answer(stopped);
  }

  function run(message: Job['message'], signal?: AbortSignal): Promise<string> {
    return new Promise((resolve, reject) => {
      const abort = () => {
        const place = queue.indexOf(job);
        if (place >= 0) queue.splice(place, 1);
        reject(new DOMException('aborted', 'AbortError'));
      };
      const job: Job = {
        message,
        resolve(text) {
          signal?.removeEventListener('abort', abort);
          resolve(text);
        },
      };
      signal?.addEventListener('abort', abort, { once: true });
      queue.push(job);
      if (!running) next();
    });
  }

  begin();
  return {
    send: (question, signal) => run({ type: 'ask', number: ++numbers, question }, signal),
    async open(files, sources, progress, room) {
      onProgress = progress;
      contents = { type: 'open', number: ++numbers, files, sources, room };
      const problem = await run(contents);
      onProgress = () => {};
      if (problem) receive(problem);
      return imported;
    },
    close: () => stop(errorAnswer('closed', 'the profile was closed')),
  };
}
