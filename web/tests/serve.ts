// Serves the built page with a native engine behind it, as `callcost view` does.

import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { startAnswerLines } from './answer_lines';

const pagePath = fileURLToPath(new URL('../dist/page.html', import.meta.url));
const manifest = '<script type="application/json" id="callcost-manifest">{"server": true}</script>';

export interface Served {
  address: string;
  ask(question: unknown): Promise<unknown>;
  close(): void;
}

export async function serve(profile: string, before?: string, sources = false): Promise<Served> {
  const engine = startAnswerLines(profile, before, sources);
  const token = 'token';
  const page = readFileSync(pagePath, 'utf8').replace('<!-- callcost:data -->', () => manifest);
  const server: Server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    if (request.method === 'GET' && path === `/${token}/`) {
      response.setHeader('content-type', 'text/html; charset=utf-8').end(page);
    } else if (request.method === 'POST' && path === `/${token}/ask`) {
      const pieces: Buffer[] = [];
      request.on('data', piece => pieces.push(piece));
      request.on('end', () => {
        engine.ask(Buffer.concat(pieces).toString()).then(
          answer => response.setHeader('content-type', 'application/json').end(answer),
          reason => response.writeHead(500).end(String(reason)),
        );
      });
    } else {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${token}/`,
    ask: async question => JSON.parse(await engine.ask(JSON.stringify(question))),
    close() {
      engine.stop();
      server.close();
      server.closeAllConnections();
    },
  };
}
