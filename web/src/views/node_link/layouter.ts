// Lays out call graphs in a worker: one at a time, for a bounded time.

import type { LayoutInput, Placed } from '../../model/graph';
import LayoutWorker from './layout_worker?worker&inline';

export class TooSlow extends Error {}

interface Running {
  number: number;
  resolve(placed: Placed): void;
  reject(reason: Error): void;
  timer: ReturnType<typeof setTimeout>;
}

export interface Layouter {
  // Gives up a layout that is still going on. Rejects with TooSlow after so many milliseconds.
  layout(input: LayoutInput, time: number): Promise<Placed>;
  stop(): void;
}

export function createLayouter(): Layouter {
  let worker: Worker | null = null;
  let running: Running | null = null;
  let numbers = 0;

  function started(): Worker {
    const fresh = new LayoutWorker();
    fresh.onmessage = (event: MessageEvent<{ number: number; placed?: Placed; error?: string }>) => {
      const { number, placed, error } = event.data;
      if (running?.number !== number) return;
      const { resolve, reject, timer } = running;
      running = null;
      clearTimeout(timer);
      if (placed) resolve(placed);
      else reject(new Error(`the graph cannot be laid out: ${error}`));
    };
    fresh.onerror = event => {
      event.preventDefault();
      giveUp(new Error(`the graph cannot be laid out: ${event.message}`));
    };
    return fresh;
  }
  // A busy worker cannot be interrupted: it is terminated.
  function giveUp(reason: Error) {
    if (!running) return;
    const { reject, timer } = running;
    running = null;
    clearTimeout(timer);
    worker?.terminate();
    worker = null;
    reject(reason);
  }

  return {
    layout(input, time) {
      giveUp(new DOMException('another layout', 'AbortError'));
      worker ??= started();
      const number = ++numbers;
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => giveUp(new TooSlow('the layout takes too long')), time);
        running = { number, resolve, reject, timer };
        worker?.postMessage({ number, input });
      });
    },
    stop() {
      giveUp(new DOMException('aborted', 'AbortError'));
      worker?.terminate();
      worker = null;
    },
  };
}
