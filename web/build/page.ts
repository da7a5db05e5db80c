// What the build does to page.html: puts a policy in that lets nothing run but what is in the file. The engine comes
// later, as data (page.sh).

import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

export const placeholder = '<!-- callcost:data -->';

// Scripts and styles in bytes, as gzip packs them: what they are now and little more, so that whatever makes the page
// larger is decided.
const most_of_code = 168_000;

function check_size(size: number) {
  if (size > most_of_code)
    throw new Error(`The page's code is ${size} bytes compressed, more than ${most_of_code} (build/page.ts)`);
}

function hash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

export function policy_of(html: string): string {
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

export function strict_policy(): Plugin {
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
          check_size(gzipSync(html, { level: 9 }).length);
          const meta = `<meta http-equiv="Content-Security-Policy" content="${policy_of(html)}">`;
          file.source = html.replace('<meta charset="utf-8">', begin => `${begin}\n    ${meta}`);
        }
      },
    },
  };
}
