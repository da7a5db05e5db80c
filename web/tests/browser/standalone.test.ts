// The page alone, with the engine in it: from file://, with dropped files, without any network.
// Needs an engine in dist/page.html (./dev page); a page without one fails only where CALLCOST_WASM is set.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { JSHandle, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { exact } from '../../src/model/format';
import type { FunctionRow, ListAnswer } from '../../src/protocol/protocol';
import { startAnswerLines } from '../answer_lines';
import {
  accessibility,
  expectQuiet,
  offlinePage,
  profile,
  savedReport,
  settle,
  type Watched,
  watchedPage,
} from './chromium';

const path = fileURLToPath(new URL('../../dist/page.html', import.meta.url));
const pageFile = `file://${path}`;
const hasEngine = readFileSync(path, 'utf8').includes('id="engine"');
if (process.env.CALLCOST_WASM && !hasEngine)
  throw new Error(`${path} was built without the engine that CALLCOST_WASM names: ./dev page`);
const testAlone = test.runIf(hasEngine);
const rows = '.functions-body .table-body [role=row]';

async function openAlone(): Promise<Watched> {
  const watched = await offlinePage();
  await watched.page.goto(pageFile);
  await watched.page.waitForSelector('.start');
  return watched;
}

interface Dropped {
  name: string;
  base64: string;
}

const named = (name: string): Dropped => ({
  name: name.replace(/.*\//, ''),
  base64: readFileSync(profile(name)).toString('base64'),
});

async function drop(watched: Watched, names: string[], zone = 'body') {
  await dropFiles(watched, names.map(named), zone);
}

async function dropText(watched: Watched, name: string, text: string) {
  await dropFiles(watched, [{ name, base64: Buffer.from(text).toString('base64') }], 'body');
}

// As the browser does it when files are let go over the page.
async function dropFiles({ page }: Watched, files: Dropped[], zone: string) {
  const dataTransfer = await transferOf(page, files);
  await page.dispatchEvent('body', 'dragenter', { dataTransfer });
  await page.dispatchEvent(zone, 'drop', { dataTransfer });
}

function transferOf(page: Page, files: Dropped[]): Promise<JSHandle<DataTransfer>> {
  return page.evaluateHandle(given => {
    const data = new DataTransfer();
    for (const [at, { name, base64 }] of given.entries()) {
      const bytes = Uint8Array.from(atob(base64), character => character.charCodeAt(0));
      data.items.add(new File([bytes], name, { lastModified: 1000 + at }));
    }
    return data;
  }, files);
}

async function answer(of: string, question: unknown, before?: string): Promise<ListAnswer<FunctionRow>> {
  const engine = startAnswerLines(profile(of), before && profile(before));
  const text = await engine.ask(JSON.stringify(question));
  engine.stop();
  return JSON.parse(text);
}

testAlone('a dropped file opens, a second one is compared with it', async () => {
  const watched = await openAlone();
  const { page } = watched;
  expect(await accessibility(page)).toEqual([]);
  await drop(watched, ['callgrind/stripped.out']);
  await page.waitForSelector(rows);
  const list = await answer('callgrind/stripped.out', { ask: 'functions', limit: 1 });
  expect(await page.locator(rows).first().innerText()).toContain(exact(list.rows[0]!.self[0]!));
  await drop(watched, ['callgrind/default.out'], '[data-drop=newer]');
  await page.waitForSelector('.difference-changed');
  await page.keyboard.press('1');
  await page.waitForSelector('[aria-sort=descending] :text("Δ self")');
  const question = { ask: 'functions', compare: true, sort: 'self_change', limit: 1 };
  const both = await answer('callgrind/default.out', question, 'callgrind/stripped.out');
  await expect.poll(() => page.locator(rows).first().innerText()).toContain(exact(both.rows[0]!.self[0]!));
  expectQuiet(watched);
});

testAlone('a file dropped as the older one is before', async () => {
  const watched = await openAlone();
  const { page } = watched;
  await drop(watched, ['callgrind/default.out']);
  await page.waitForSelector(rows);
  await drop(watched, ['callgrind/stripped.out'], '[data-drop=older]');
  await page.waitForSelector('.difference-changed');
  expect(await page.locator('.header-before').innerText()).toContain('stripped.out');
  expectQuiet(watched);
});

testAlone('two dropped files are compared, the older one is before', async () => {
  const watched = await openAlone();
  await drop(watched, ['callgrind/stripped.out', 'callgrind/default.out']);
  await watched.page.waitForSelector('.difference-changed');
  expect(await watched.page.locator('.header-before').innerText()).toContain('stripped.out');
  await settle(watched.page);
  expect(await accessibility(watched.page)).toEqual([]);
  expectQuiet(watched);
});

testAlone('a compressed file opens, a file that is no profile is explained', async () => {
  const watched = await openAlone();
  const { page } = watched;
  await drop(watched, ['README.md']);
  await expect.poll(() => page.locator('.start-problem').innerText()).toMatch(/README\.md: .*profile/);
  await drop(watched, ['xdebug/plain.cachegrind.out.gz']);
  await page.waitForSelector(rows);
  const list = await answer('xdebug/plain.cachegrind.out', { ask: 'functions', limit: 1 });
  expect(await page.locator(rows).first().innerText()).toContain(exact(list.rows[0]!.self[0]!));
  await drop(watched, ['README.md'], '[data-drop=open]');
  await expect.poll(() => page.locator('.banner.error').innerText()).toMatch(/profile/);
  expect(await page.locator(rows).count()).toBeGreaterThan(5);
  expectQuiet(watched);
});

testAlone('a file of several gzip members is read as a whole, up to where it is damaged', async () => {
  const text = readFileSync(profile('callgrind/default.out'));
  // What does not get much smaller: a browser unpacks it in many pieces.
  let number = 1;
  const random = () => {
    number = (number * 48271) % 2147483647;
    return number.toString(36);
  };
  const noise = Buffer.from(
    `\n${Array.from({ length: 60_000 }, () => `# ${random()} ${random()} ${random()}`).join('\n')}\n`,
  );
  const whole = Buffer.concat([text, noise, text, noise, text]);
  const cuts = [0, 0, 1000, 60_000, 60_001, text.length + 1_000_000, whole.length - 500, whole.length];
  const members = cuts.slice(1).map((end, at) => gzipSync(whole.subarray(cuts[at], end)));
  const plain = `${mkdtempSync(`${tmpdir()}/callcost-`)}/whole.out`;
  writeFileSync(plain, whole);
  const engine = startAnswerLines(plain);
  const { events } = JSON.parse(await engine.ask('{"ask":"profile"}')) as { events: { total: number }[] };
  engine.stop();
  const total = exact(events[0]!.total);
  const watched = await openAlone();
  const { page } = watched;
  const status = () => page.locator('.status').innerText();
  const file = (pieces: Buffer[]) => [{ name: 'several.out.gz', base64: Buffer.concat(pieces).toString('base64') }];
  await dropFiles(watched, file(members), 'body');
  await page.waitForSelector(rows);
  expect(await status()).toContain(total);
  expect(await status()).not.toMatch(/error/);
  const broken = [...members.slice(0, -1), members.at(-1)!.subarray(0, -20)];
  await dropFiles(watched, file(broken), '[data-drop=open]');
  await expect.poll(status).toMatch(/error/);
  await dropFiles(watched, file(members), '[data-drop=open]');
  await expect.poll(status).not.toMatch(/error/);
  expect(await status()).toContain(total);
  expectQuiet(watched);
});

testAlone('a file compressed by zstd is read, a truncated one as far as it goes', async () => {
  const name = 'callgrind/instr-jumps.out';
  const packed = execFileSync('zstd', ['-qc', profile(name)]);
  const list = await answer(name, { ask: 'functions', limit: 1 });
  const watched = await openAlone();
  const status = () => watched.page.locator('.status').innerText();
  await dropFiles(watched, [{ name: 'packed.out.zst', base64: packed.toString('base64') }], 'body');
  await watched.page.waitForSelector(rows);
  expect(await status()).toContain(exact(list.total[0]!));
  expect(await status()).not.toMatch(/error/);
  // The last of several blocks is incomplete.
  const cut = Buffer.concat([packed, packed.subarray(0, -100)]);
  await dropFiles(watched, [{ name: 'cut.out.zst', base64: cut.toString('base64') }], '[data-drop=open]');
  await expect.poll(status).toMatch(/error/);
  await expect.poll(() => watched.page.locator(rows).count()).toBeGreaterThan(5);
  expectQuiet(watched);
});

testAlone('names of opened files are remembered, nothing else', async () => {
  const watched = await openAlone();
  await drop(watched, ['callgrind/default.out']);
  await watched.page.waitForSelector(rows);
  await watched.page.reload();
  await watched.page.waitForSelector('.start');
  expect(await watched.page.locator('.start ul').innerText()).toContain('default.out');
  expectQuiet(watched);
});

testAlone('the page saves itself with its profile', async () => {
  const watched = await openAlone();
  const { page } = watched;
  await drop(watched, ['hostile/html-names.out']);
  await page.waitForSelector(rows);
  const first = await page.locator(rows).first().innerText();
  const file = `${mkdtempSync(`${tmpdir()}/callcost-`)}/report.html`;
  await savedReport(page, file);
  const report = await watchedPage();
  await report.page.goto(`file://${file}`);
  await report.page.waitForSelector(rows);
  expect(await report.page.locator(rows).first().innerText()).toBe(first);
  expectQuiet(report);
  expectQuiet(watched);
});

testAlone('the list of functions is saved as CSV', async () => {
  const watched = await openAlone();
  const { page } = watched;
  await drop(watched, ['callgrind/default.out']);
  await page.waitForSelector(rows);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const saving = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Functions (CSV)' }).click();
  const text = readFileSync(await (await saving).path(), 'utf8');
  const list = await answer('callgrind/default.out', { ask: 'functions', limit: 5000 });
  expect(text.split('\r\n').length).toBe(list.matching + 2);
  expect(text.split('\r\n')[1]).toContain(
    `${list.rows[0]!.self[0]},${list.rows[0]!.inclusive[0]},${list.rows[0]!.called}`,
  );
  expectQuiet(watched);
});

testAlone('an expression that takes for ever is given up, and the page goes on', async () => {
  const watched = await openAlone();
  const { page } = watched;
  const name = `${'a'.repeat(60)}!`;
  await dropText(watched, 'slow.out', `events: Ir\nfn=${name}\n1 7\nfn=main\n1 2\n`);
  await page.waitForSelector(rows);
  const go = (fragment: string) =>
    page.evaluate(to => {
      location.hash = to;
    }, fragment);
  await go(`functions&focus=${encodeURIComponent('/(a+)+$/')}`);
  await expect.poll(() => page.locator('.banner.error').innerText(), { timeout: 30_000 }).toMatch(/too long/);
  await go('functions');
  await expect.poll(() => page.locator(rows).count(), { timeout: 30_000 }).toBe(2);
  expect(await page.locator(rows).first().innerText()).toContain('7');
});

testAlone('of files that are dropped one after the other, the last one is shown', async () => {
  const watched = await openAlone();
  const { page } = watched;
  const first = await transferOf(page, [named('callgrind/python-instr-jumps.out')]);
  const second = await transferOf(page, [named('callgrind/stripped.out')]);
  // Before the first one is open: after that, the second one would be compared with it.
  await first.evaluate((one, other) => {
    for (const dataTransfer of [one, other])
      for (const type of ['dragenter', 'drop'])
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
  }, second);
  await page.waitForSelector(rows);
  const list = await answer('callgrind/stripped.out', { ask: 'functions', limit: 1 });
  const shown = () => page.locator(rows).first().innerText();
  await expect.poll(shown).toContain(exact(list.rows[0]!.self[0]!));
  await page.waitForTimeout(1500); // longer than the first one takes
  expect(await shown()).toContain(exact(list.rows[0]!.self[0]!));
  expectQuiet(watched);
});
