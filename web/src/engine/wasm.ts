// The engine in a worker whose script is in the page.

import BrowserWorker from '../package/browser_worker?worker&inline';
import { inBrowser, type WorkerTransport, workerTransport } from '../package/transport';

// The modules, packed by Zstandard.
export const inWorker = (
  engine: Uint8Array<ArrayBuffer>,
  importer: () => Promise<Uint8Array<ArrayBuffer> | null>,
): WorkerTransport =>
  workerTransport(
    inBrowser(() => new BrowserWorker()),
    engine,
    undefined,
    importer,
  );
