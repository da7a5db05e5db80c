// The script of a worker in a browser: of the package, and of the page, which has it in itself.

import { serveEngine, type ToWorker } from './worker';

const take = serveEngine(message => self.postMessage(message));
self.onmessage = ({ data }: MessageEvent<ToWorker>) => take(data);
