// The package in browsers. Bundlers know these ways to name the worker and the engine.

import { callcostOn } from './callcost';
import { inBrowser } from './transport';

export * from '../protocol/callcost_error';

export const { open, diff } = callcostOn({
  startWorker: script =>
    inBrowser(() =>
      script
        ? new Worker(script, { type: 'module' })
        : new Worker(new URL('./browser_worker.js', import.meta.url), { type: 'module' }),
    ),
  async load(place) {
    const response = await fetch(place ?? new URL('./callcost.wasm', import.meta.url));
    if (!response.ok) throw new Error(`${response.url}: HTTP status ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  },
});
