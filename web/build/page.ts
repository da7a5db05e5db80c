// The build of page.html: embeds the engine, and a policy that only runs what is in the file.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

export const placeholder = '<!-- callcost:data -->';

// In bytes after gzip, close to the current sizes, so that growth is a decision.
const mostOfCode = 168_000; // scripts and styles
const mostOfEngine = 212_000;

// The engine as a block that the page inflates: <script id="engine">base64 of gzip</script>.
export function embedEngine(path = process.env.CALLCOST_WASM): Plugin {
  return {
    name: 'callcost:engine',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html) {
        if (!path) return html;
        const bytes = gzipSync(readFileSync(path), { level: 9 });
        checkSize('engine', bytes.length, mostOfEngine);
        const packed = bytes.toString('base64');
        const block = `<script type="application/octet-stream;base64" id="engine">${packed}</script>`;
        return html.replace(placeholder, () => `${block}\n    ${placeholder}`);
      },
    },
  };
}

function checkSize(what: string, size: number, most: number) {
  if (size > most) throw new Error(`The page's ${what} is ${size} bytes compressed, more than ${most} (build/page.ts)`);
}

const engineBlock = /<script type="application\/octet-stream;base64" id="engine">[^<]*<\/script>/;

function hash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

export function policyOf(html: string): string {
  const script = /<script type="module"[^>]*>([\s\S]*?)<\/script>/;
  const styles = html.replace(script, '').matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g);
  return [
    "default-src 'none'",
    `script-src ${hash(script.exec(html)?.[1] ?? '')} 'wasm-unsafe-eval'`,
    `style-src ${[...styles].map(([, text]) => hash(text ?? '')).join(' ')}`,
    'worker-src blob:',
    'img-src data: blob:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

export function strictPolicy(): Plugin {
  return {
    name: 'callcost:policy',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type !== 'asset' || !file.fileName.endsWith('.html')) continue;
          const html = file.source.toString();
          if (html.split(placeholder).length !== 2) this.error(`${file.fileName} must hold one line ${placeholder}`);
          checkSize('code', gzipSync(html.replace(engineBlock, ''), { level: 9 }).length, mostOfCode);
          const meta = `<meta http-equiv="Content-Security-Policy" content="${policyOf(html)}">`;
          file.source = html.replace('<meta charset="utf-8">', begin => `${begin}\n    ${meta}`);
        }
      },
    },
  };
}
