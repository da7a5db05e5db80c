// The build of page.html: a policy that only runs what is in the file. page.sh adds the engine, as data.

import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

export const placeholder = '<!-- callcost:data -->';

// Scripts and styles, in bytes after gzip: what they are now and little more, so that whatever makes the page larger is decided.
const mostOfCode = 191_500;

function checkSize(size: number) {
  if (size > mostOfCode)
    throw new Error(`The page's code is ${size} bytes compressed, more than ${mostOfCode} (build/page.ts)`);
}

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
          checkSize(gzipSync(html, { level: 9 }).length);
          const meta = `<meta http-equiv="Content-Security-Policy" content="${policyOf(html)}">`;
          file.source = html.replace('<meta charset="utf-8">', begin => `${begin}\n    ${meta}`);
        }
      },
    },
  };
}
