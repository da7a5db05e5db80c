// The package in Node.js; its types are those of all.

import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type { Callcost } from './api';
import { callcostOn } from './callcost';
import type { StartWorker } from './transport';

export * from '../protocol/callcost_error';
export type { Cost } from '../protocol/cost';
export type * from '../protocol/protocol';
export type * from './api';
export { countsExactly } from './counts_exactly';

const inNode =
  (script: URL | string): StartWorker =>
  (received, crashed) => {
    const worker = new Worker(script);
    worker.on('message', received);
    worker.on('error', reason => crashed(reason instanceof Error ? reason.message : String(reason)));
    return worker;
  };

const callcost = callcostOn({
  startWorker: (script = new URL('./node_worker.js', import.meta.url)) => inNode(script),
  load: async (place = new URL('./callcost.wasm', import.meta.url)) => new Uint8Array(await readFile(place)),
  loadImporter: async (place = new URL('./importer.wasm', import.meta.url)) => new Uint8Array(await readFile(place)),
  loadChangePoints: async (place = new URL('./change_points.wasm', import.meta.url)) =>
    new Uint8Array(await readFile(place)),
});

/** Reads a profile. Rejects with a `CallcostError` if it cannot be read. */
export const open: Callcost['open'] = callcost.open;

/** Compares two profiles, and closes them: what changed from `before` to `after`. */
export const diff: Callcost['diff'] = callcost.diff;

/** Finds where the costs of a series of profiles change. */
export const changePoints: Callcost['changePoints'] = callcost.changePoints;
