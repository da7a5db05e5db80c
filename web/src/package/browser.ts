// The package in browsers. Bundlers know these ways to name the worker and the engine.

import { callcostOn } from './callcost';
import { inBrowser } from './transport';

export * from '../protocol/callcost_error';
export { countsExactly } from './counts_exactly';

async function fetched(place: URL | string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(place).catch(reason => {
    throw new Error(`${place}: ${reason instanceof Error ? reason.message : reason}`);
  });
  if (!response.ok) throw new Error(`${response.url}: HTTP status ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

export const { open, diff, changePoints } = callcostOn({
  startWorker: script =>
    inBrowser(() =>
      script
        ? new Worker(script, { type: 'module' })
        : new Worker(new URL('./browser_worker.js', import.meta.url), { type: 'module' }),
    ),
  load: place => fetched(place ?? new URL('./callcost.wasm', import.meta.url)),
  loadImporter: place => fetched(place ?? new URL('./importer.wasm', import.meta.url)),
  loadChangePoints: place => fetched(place ?? new URL('./change_points.wasm', import.meta.url)),
});
