// The script of a worker in Node.js.

import { webcrypto } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { serveEngine } from './worker';

globalThis.crypto ??= webcrypto as Crypto; // Node.js 18 has it there only
parentPort?.on(
  'message',
  serveEngine(message => parentPort?.postMessage(message)),
);
