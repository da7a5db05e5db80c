// `PROFILE=callgrind.out.1 [BEFORE=callgrind.out.0] npm run dev` (or `npm run preview`): the page from its sources (or as
// it was built), with a native engine behind it.

import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Plugin } from 'vite';
import { type AnswerLines, startAnswerLines } from '../tests/answer_lines.ts';
import { placeholder } from './page.ts';

function withServerManifest(html: string): string {
  return html.replace(placeholder, '<script type="application/json" id="callcost-manifest">{"server": true}</script>');
}

export function engineForDevelopment(): Plugin {
  const { PROFILE, BEFORE } = process.env;
  let engine: AnswerLines | undefined;

  function answer(profile: string, request: IncomingMessage, response: ServerResponse) {
    engine ??= startAnswerLines(profile, BEFORE, true);
    const pieces: Buffer[] = [];
    request.on('data', piece => pieces.push(piece));
    request.on('end', () => {
      engine?.ask(Buffer.concat(pieces).toString()).then(
        text => response.setHeader('content-type', 'application/json').end(text),
        reason => response.writeHead(500).end(String(reason)),
      );
    });
  }

  return {
    name: 'callcost:development',
    transformIndexHtml: {
      order: 'pre',
      handler: (html, context) => (PROFILE && context.server ? withServerManifest(html) : html),
    },
    configureServer(server) {
      if (!PROFILE) return;
      server.middlewares.use('/ask', (request, response) => answer(PROFILE, request, response));
    },
    configurePreviewServer(server) {
      if (!PROFILE) return;
      server.middlewares.use('/ask', (request, response) => answer(PROFILE, request, response));
      server.middlewares.use((request, response, next) => {
        if (request.url !== '/') return next();
        const page = readFileSync('prebuilt/page.html', 'utf8');
        response.setHeader('content-type', 'text/html; charset=utf-8').end(withServerManifest(page));
      });
    },
  };
}
