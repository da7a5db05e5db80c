// The npm package in Chromium: served as files, without a bundler; and the example of its README.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type * as Package from '../../src/package/node';
import type { FunctionRow, ListAnswer } from '../../src/protocol/protocol';
import { startAnswerLines } from '../answer_lines';
import { expectQuiet, profile, watchedPage } from './chromium';

declare global {
  interface Window {
    callcost: typeof Package; // what use.js imports
  }
}

const root = fileURLToPath(new URL('../../../', import.meta.url));
const wasm = process.env.CALLCOST_WASM ?? join(root, 'build/wasm/callcost.wasm');
const testPackage = test.runIf(existsSync(wasm));
const types: Record<string, string> = { '.js': 'text/javascript', '.wasm': 'application/wasm' };
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'";
const use = "import * as callcost from './node_modules/callcost/browser.js'; window.callcost = callcost;";
let folder = '';
let server: Server;
let address = '';

beforeAll(async () => {
  if (!existsSync(wasm)) return;
  folder = mkdtempSync(join(tmpdir(), 'callcost-package-'));
  const page = join(root, 'web/prebuilt/page.html');
  execFileSync('node', [join(root, 'npm/build.mjs'), wasm, wasm, page, folder]); // the command's is not used here
  execFileSync('sh', ['-c', 'tar xzf callcost-*.tgz'], { cwd: folder });
  const readme = readFileSync(join(folder, 'package/README.md'), 'utf8');
  const example = /```html\n(<!-- drop.html -->[\s\S]*?)```/.exec(readme)?.[1] ?? '';
  server = createServer(({ url = '/' }, response) => {
    const file = join(folder, url.replace('/node_modules/callcost/', '/package/'));
    if (url === '/drop.html') {
      response.setHeader('content-type', 'text/html').end(example);
    } else if (url === '/') {
      response.setHeader('content-security-policy', policy).setHeader('content-type', 'text/html');
      response.end('<!doctype html><script type="module" src="use.js"></script>');
    } else if (url === '/use.js') {
      response.setHeader('content-type', 'text/javascript').end(use);
    } else if (existsSync(file)) {
      response.setHeader('content-type', types[extname(file)] ?? 'text/plain').end(readFileSync(file));
    } else {
      response.writeHead(url === '/favicon.ico' ? 204 : 404).end();
    }
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});

afterAll(() => {
  server?.close();
  server?.closeAllConnections();
  if (folder) rmSync(folder, { recursive: true });
});

const base64 = (data: Buffer) => data.toString('base64');
const bytesOf = (name: string) => readFileSync(profile(name));

async function nativeRows(name: string): Promise<FunctionRow[]> {
  const engine = startAnswerLines(profile(name));
  const { rows } = JSON.parse(await engine.ask('{"ask":"functions","limit":10}')) as ListAnswer<FunctionRow>;
  engine.stop();
  return rows;
}

testPackage(
  'bytes, compressed ones, and two profiles are read; the figures are those of the native engine',
  async () => {
    const watched = await watchedPage();
    await watched.page.goto(address);
    const name = 'callgrind/default.out';
    const given = { plain: base64(bytesOf(name)), before: base64(bytesOf('callgrind/instr.out')) };
    const found = await watched.page.evaluate(async ({ plain, before }) => {
      const { open, diff, changePoints } = window.callcost;
      const bytes = (text: string) => Uint8Array.from(atob(text), character => character.charCodeAt(0));
      const one = await open(bytes(plain));
      const gzip = new Blob([bytes(plain)]).stream().pipeThrough(new CompressionStream('gzip'));
      const packed = await open(gzip);
      const answer = {
        rows: (await one.functions({ limit: 10 })).rows,
        roots: (await one.tree({ levels: 2 })).roots.length,
        changes: (await changePoints([5, 5, null, 9, 9])).points.map(point => point.at),
        packed: packed.about.events[0]?.total,
        difference: await diff(new Blob([bytes(before)]), new File([bytes(plain)], 'new'), { limit: 1 }),
      };
      one.close();
      packed.close();
      return answer;
    }, given);
    expect(found.rows).toEqual(await nativeRows(name));
    expect(found.roots).toBeGreaterThan(0);
    expect(found.changes).toEqual([3]);
    expect(found.packed).toBe(1_962_662);
    expect([found.difference.total_before, found.difference.total]).toEqual([1_962_756, 1_962_662]);
    expectQuiet(watched);
  },
);

testPackage('whatever is wrong is a CallcostError, and ends', async () => {
  const watched = await watchedPage();
  await watched.page.goto(address);
  const found = await watched.page.evaluate(async () => {
    const { open, CallcostError } = window.callcost;
    const text = (of: string) => new TextEncoder().encode(of);
    const codeOf = (answer: Promise<unknown>) =>
      answer.then(
        () => '',
        (reason: { code: string }) => (reason instanceof CallcostError ? reason.code : String(reason)),
      );
    const small = text(`events: Ir\nfn=${'a'.repeat(40)}\n1 1\n`);
    const one = await open(small, { patience: 300 });
    const codes = [
      await codeOf(open(text('hello'))),
      await codeOf(open(new Blob([text('events: Ir\n')]).stream(), { maxBytes: 5 })),
      await codeOf(open(small, { engine: text('no module') })),
      await codeOf(one.functions({ search: '/^(a+)+b$/' })),
      await codeOf(one.functions()),
    ];
    const waiting = codeOf(one.tree());
    one.close();
    return [...codes, await waiting, await codeOf(one.functions())];
  });
  expect(found).toEqual(['not-a-profile', 'cannot-open', 'cannot-load', 'bad-pattern', '', 'closed', 'closed']);
  expectQuiet(watched);
});

testPackage('the example of the README lists the functions of a file that is dropped', async () => {
  const watched = await watchedPage();
  const { page } = watched;
  await page.goto(`${address}drop.html`);
  const name = 'xdebug/plain.cachegrind.out';
  const wanted = (await nativeRows(name)).map(row => `${row.self[0]}  ${row.name}`).join('\n');
  for (const [data, shown] of [
    [gzipSync(bytesOf(name)), wanted],
    [Buffer.from('hello'), /^file: this is not a profile/],
  ] as const) {
    const dataTransfer = await page.evaluateHandle(text => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(atob(text), character => character.charCodeAt(0))], 'file'));
      return transfer;
    }, base64(data));
    await page.dispatchEvent('body', 'drop', { dataTransfer });
    const output = () => page.textContent('pre');
    if (typeof shown === 'string') await expect.poll(output).toBe(shown);
    else await expect.poll(output).toMatch(shown);
  }
  expectQuiet(watched);
});
