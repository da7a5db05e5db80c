// The page alone, with the engine in it: from file://, with dropped files, without any network.
// Needs an engine in dist/page.html (./dev page); a page without one fails only where CALLCOST_WASM is set.

import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { FunctionRow, ListAnswer } from '../../src/engine/protocol';
import { exact } from '../../src/model/format';
import { start_answer_lines } from '../answer_lines';
import { accessibility, expect_quiet, offline_page, profile, settle, type Watched, watched_page } from './chromium';

const path = fileURLToPath(new URL('../../dist/page.html', import.meta.url));
const page_file = `file://${path}`;
const has_engine = readFileSync(path, 'utf8').includes('id="engine"');
if (process.env.CALLCOST_WASM && !has_engine)
  throw new Error(`${path} was built without the engine that CALLCOST_WASM names: ./dev page`);
const test_alone = test.runIf(has_engine);
const rows = '.functions-body .table-body [role=row]';

async function open_alone(): Promise<Watched> {
  const watched = await offline_page();
  await watched.page.goto(page_file);
  await watched.page.waitForSelector('.start');
  return watched;
}

async function drop(watched: Watched, names: string[], zone = 'body') {
  const files = names.map(name => ({
    name: name.replace(/.*\//, ''),
    base64: readFileSync(profile(name)).toString('base64'),
  }));
  await drop_files(watched, files, zone);
}

async function drop_text(watched: Watched, name: string, text: string) {
  await drop_files(watched, [{ name, base64: Buffer.from(text).toString('base64') }], 'body');
}

// As the browser does it when files are let go over the page.
async function drop_files({ page }: Watched, files: { name: string; base64: string }[], zone: string) {
  const transfer = await page.evaluateHandle(given => {
    const data = new DataTransfer();
    for (const [at, { name, base64 }] of given.entries()) {
      const bytes = Uint8Array.from(atob(base64), character => character.charCodeAt(0));
      data.items.add(new File([bytes], name, { lastModified: 1000 + at }));
    }
    return data;
  }, files);
  await page.dispatchEvent('body', 'dragenter', { dataTransfer: transfer });
  await page.dispatchEvent(zone, 'drop', { dataTransfer: transfer });
}

async function answer(of: string, question: unknown, before?: string): Promise<ListAnswer<FunctionRow>> {
  const engine = start_answer_lines(profile(of), before && profile(before));
  const text = await engine.ask(JSON.stringify(question));
  engine.stop();
  return JSON.parse(text);
}

test_alone('a dropped file opens, a second one is compared with it', async () => {
  const watched = await open_alone();
  const { page } = watched;
  expect(await accessibility(page)).toEqual([]);
  await drop(watched, ['callgrind/stripped.out']);
  await page.waitForSelector(rows);
  const list = await answer('callgrind/stripped.out', { ask: 'functions', limit: 1 });
  expect(await page.locator(rows).first().innerText()).toContain(exact(list.rows[0]!.self[0]!));
  await drop(watched, ['callgrind/default.out'], '[data-drop=compare]');
  await page.waitForSelector('[aria-sort=descending] :text("Δ self")');
  const question = { ask: 'functions', compare: true, sort: 'self_change', limit: 1 };
  const both = await answer('callgrind/default.out', question, 'callgrind/stripped.out');
  await expect.poll(() => page.locator(rows).first().innerText()).toContain(exact(both.rows[0]!.self[0]!));
  expect_quiet(watched);
});

test_alone('two dropped files are compared, the older one is before', async () => {
  const watched = await open_alone();
  await drop(watched, ['callgrind/stripped.out', 'callgrind/default.out']);
  await watched.page.waitForSelector('[aria-sort=descending] :text("Δ self")');
  expect(await watched.page.locator('.header-before').innerText()).toContain('stripped.out');
  await settle(watched.page);
  expect(await accessibility(watched.page)).toEqual([]);
  expect_quiet(watched);
});

test_alone('a compressed file opens, a file that is no profile is explained', async () => {
  const watched = await open_alone();
  const { page } = watched;
  await drop(watched, ['README.md']);
  await expect.poll(() => page.locator('.start-problem').innerText()).toMatch(/README\.md: .*profile/);
  await drop(watched, ['xdebug/plain.cachegrind.out.gz']);
  await page.waitForSelector(rows);
  const list = await answer('xdebug/plain.cachegrind.out', { ask: 'functions', limit: 1 });
  expect(await page.locator(rows).first().innerText()).toContain(exact(list.rows[0]!.self[0]!));
  await drop(watched, ['README.md'], '[data-drop=open]');
  await expect.poll(() => page.locator('.filter-problem').innerText()).toMatch(/profile/);
  expect(await page.locator(rows).count()).toBeGreaterThan(5);
  expect_quiet(watched);
});

test_alone('a file of several gzip members is read as a whole, up to where it is damaged', async () => {
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
  const engine = start_answer_lines(plain);
  const { events } = JSON.parse(await engine.ask('{"ask":"profile"}')) as { events: { total: number }[] };
  engine.stop();
  const total = exact(events[0]!.total);
  const watched = await open_alone();
  const { page } = watched;
  const status = () => page.locator('.status').innerText();
  const file = (pieces: Buffer[]) => [{ name: 'several.out.gz', base64: Buffer.concat(pieces).toString('base64') }];
  await drop_files(watched, file(members), 'body');
  await page.waitForSelector(rows);
  expect(await status()).toContain(total);
  expect(await status()).not.toMatch(/error/);
  const broken = [...members.slice(0, -1), members.at(-1)!.subarray(0, -20)];
  await drop_files(watched, file(broken), '[data-drop=open]');
  await expect.poll(status).toMatch(/error/);
  await drop_files(watched, file(members), '[data-drop=open]');
  await expect.poll(status).not.toMatch(/error/);
  expect(await status()).toContain(total);
  expect_quiet(watched);
});

test_alone('names of opened files are remembered, nothing else', async () => {
  const watched = await open_alone();
  await drop(watched, ['callgrind/default.out']);
  await watched.page.waitForSelector(rows);
  await watched.page.reload();
  await watched.page.waitForSelector('.start');
  expect(await watched.page.locator('.start ul').innerText()).toContain('default.out');
  expect_quiet(watched);
});

test_alone('the page saves itself with its profile', async () => {
  const watched = await open_alone();
  const { page } = watched;
  await drop(watched, ['hostile/html-names.out']);
  await page.waitForSelector(rows);
  const first = await page.locator(rows).first().innerText();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const saving = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: /^Report/ }).click();
  const file = `${mkdtempSync(`${tmpdir()}/callcost-`)}/report.html`;
  await (await saving).saveAs(file);
  const report = await watched_page();
  await report.page.goto(`file://${file}`);
  await report.page.waitForSelector(rows);
  expect(await report.page.locator(rows).first().innerText()).toBe(first);
  expect_quiet(report);
  expect_quiet(watched);
});

test_alone('the list of functions is saved as CSV', async () => {
  const watched = await open_alone();
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
  expect_quiet(watched);
});

test_alone('an expression that takes for ever is given up, and the page goes on', async () => {
  const watched = await open_alone();
  const { page } = watched;
  const name = `${'a'.repeat(60)}!`;
  await drop_text(watched, 'slow.out', `events: Ir\nfn=${name}\n1 7\nfn=main\n1 2\n`);
  await page.waitForSelector(rows);
  const go = (fragment: string) =>
    page.evaluate(to => {
      location.hash = to;
    }, fragment);
  await go(`functions&focus=${encodeURIComponent('/(a+)+$/')}`);
  await expect.poll(() => page.locator('.filter-problem').innerText(), { timeout: 30_000 }).toMatch(/too long/);
  await go('functions');
  await expect.poll(() => page.locator(rows).count(), { timeout: 30_000 }).toBe(2);
  expect(await page.locator(rows).first().innerText()).toContain('7');
});

test_alone('of files that are dropped one after the other, the last one is shown', async () => {
  const watched = await open_alone();
  const { page } = watched;
  await drop(watched, ['callgrind/python-instr-jumps.out']);
  await drop(watched, ['callgrind/stripped.out']);
  await page.waitForSelector(rows);
  const list = await answer('callgrind/stripped.out', { ask: 'functions', limit: 1 });
  const shown = () => page.locator(rows).first().innerText();
  await expect.poll(shown).toContain(exact(list.rows[0]!.self[0]!));
  await page.waitForTimeout(1500); // longer than the first one takes
  expect(await shown()).toContain(exact(list.rows[0]!.self[0]!));
  expect_quiet(watched);
});
