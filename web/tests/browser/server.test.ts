// The page as `callcost view` serves it: with its headers, and files that change behind it.
// Needs CALLCOST, the program with the page in it.

import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { exact } from '../../src/model/format';
import { callcostProgram, startView, type View } from '../view';
import { accessibility, expectQuiet, profile, savedReport, settle, type Watched, watchedPage } from './chromium';

const rows = '.functions-body .table-body [role=row]';
const running: View[] = [];
const folders: string[] = [];

afterEach(() => {
  for (const one of running.splice(0)) one.kill();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function folderWith(file: string, original: string): string {
  const folder = mkdtempSync(`${tmpdir()}/callcost-`);
  folders.push(folder);
  copyFileSync(profile(original), `${folder}/${file}`);
  return folder;
}

async function view(file: string): Promise<View> {
  const started = await startView(file);
  running.push(started);
  return started;
}

async function open(address: string): Promise<Watched & { policy: string }> {
  const watched = await watchedPage();
  const response = await watched.page.goto(address);
  await watched.page.waitForSelector(rows);
  return { ...watched, policy: response!.headers()['content-security-policy'] ?? '' };
}

test('recorded call stacks are in a page that is saved', async () => {
  const folder = folderWith('unused', 'callgrind/default.out');
  writeFileSync(`${folder}/stacks.folded`, 'start;backup;read 4\nstart;backup;write 4\n');
  const { address } = await view(`${folder}/stacks.folded`);
  const { page } = await open(address);
  await savedReport(page, `${folder}/report.html`);
  const again = await watchedPage();
  await again.page.goto(`file://${folder}/report.html#flame`);
  await expect.poll(() => again.page.locator('.picture-certain').innerText()).toBe('Exact: call stacks as recorded');
  expectQuiet(again);
});

interface Listed {
  function: string;
  self: number;
}

// What the terminal says of the same file.
function top(file: string): Listed[] {
  const text = execFileSync(callcostProgram(), ['top', '--json', '--limit', '5', file], { encoding: 'utf8' });
  const { event, rows: found } = JSON.parse(text);
  return found.map((row: { function: string; self: Record<string, number> }) => ({ ...row, self: row.self[event] }));
}

const firstRows = (page: Page) => page.locator(rows).allInnerTexts();

async function expectNumbers(page: Page, file: string) {
  for (const [at, row] of top(file).entries()) {
    await expect.poll(async () => (await firstRows(page))[at], { timeout: 20_000 }).toContain(exact(row.self));
    expect((await firstRows(page))[at]).toContain(row.function.slice(0, 20));
  }
}

// One that has other numbers is put in its place, whole at once.
function replace(folder: string, file: string, original: string) {
  copyFileSync(profile(original), `${folder}/new`);
  renameSync(`${folder}/new`, `${folder}/${file}`);
}

test('the page opens under the policy of its header, with the numbers of the terminal', async () => {
  const folder = folderWith('callgrind.out.1', 'callgrind/default.out');
  const { address } = await view(`${folder}/callgrind.out.1`);
  const watched = await open(address);
  expect(watched.policy).toContain("default-src 'none'");
  expect(watched.policy).toContain("frame-ancestors 'none'");
  await expectNumbers(watched.page, `${folder}/callgrind.out.1`);
  for (const key of ['2', '3', '4', '5', '6', '7', '8', '9', '1']) {
    await watched.page.keyboard.press(key);
    await settle(watched.page);
  }
  expectQuiet(watched);
});

test('a file that has changed is offered, and read again', async () => {
  const folder = folderWith('callgrind.out.1', 'callgrind/default.out');
  const { address } = await view(`${folder}/callgrind.out.1`);
  const watched = await open(address);
  replace(folder, 'callgrind.out.1', 'callgrind/all-events.out');
  await watched.page.getByText('The file has changed: these figures are of what it was before.').waitFor();
  await watched.page.getByRole('button', { name: 'Reload' }).click();
  await watched.page.getByText('Reloaded', { exact: true }).waitFor();
  await expectNumbers(watched.page, `${folder}/callgrind.out.1`);
  await expect.poll(() => watched.page.locator('.banner').count()).toBe(0);
  expectQuiet(watched);
});

test('a new part is offered, and added', async () => {
  const part = (number: number, cost: number) =>
    `version: 1\ncreator: callgrind-3.19.0\npid: 7\npart: ${number}\ncmd: ./a\nevents: Ir\nfl=a.c\nfn=main\n1 ${cost}\n`;
  const folder = folderWith('callgrind.out.1', 'callgrind/default.out');
  writeFileSync(`${folder}/callgrind.out.7.1`, part(1, 1_000));
  const { address } = await view(`${folder}/callgrind.out.7.1`);
  const watched = await open(address);
  writeFileSync(`${folder}/callgrind.out.7.2`, part(2, 20_000));
  await watched.page.getByRole('button', { name: 'Reload' }).click();
  await expect.poll(() => watched.page.locator(rows).first().innerText()).toContain('21,000');
  expectQuiet(watched);
});

test('one page reads again, the other one follows, whether it is asked for something or not', async () => {
  const folder = folderWith('callgrind.out.1', 'callgrind/default.out');
  const file = `${folder}/callgrind.out.1`;
  const { address } = await view(file);
  const reader = await open(address);
  const idle = await open(`${address}#functions&hide=_dl_`);
  const busy = await open(`${address}#functions&search=e`);
  replace(folder, 'callgrind.out.1', 'callgrind/all-events.out');
  await reader.page.getByRole('button', { name: 'Reload' }).click();
  await expectNumbers(reader.page, file);
  // In the old file it has another id, or none.
  await busy.page.locator(rows).first().dblclick();
  await busy.page.getByText('Reloaded', { exact: true }).waitFor();
  await busy.page.keyboard.press('1');
  await busy.page.waitForSelector(rows);
  expect(await busy.page.locator('[data-find]').inputValue()).toBe('e');
  await busy.page.locator('[data-find]').fill('');
  await expectNumbers(busy.page, file);
  await idle.page.getByText('Reloaded', { exact: true }).waitFor();
  expect(await idle.page.locator('.chip').innerText()).toContain('_dl_');
  await idle.page.locator('.chip button').first().click();
  await expectNumbers(idle.page, file);
  for (const one of [reader, idle, busy]) expectQuiet(one);
});

test('when the server does not answer, what is shown stays, and the rest comes when it does again', async () => {
  const folder = folderWith('callgrind.out.1', 'callgrind/default.out');
  const { address } = await view(`${folder}/callgrind.out.1`);
  const { page } = await open(address);
  const first = await page.locator(rows).first().innerText();
  let isGone = true;
  await page.route('**/ask', route => (isGone ? route.abort() : route.continue()));
  await page.getByText('callcost does not respond').waitFor();
  expect(await accessibility(page)).toEqual([]);
  await page.locator('[data-find]').fill('main');
  await settle(page);
  expect(await page.locator(rows).first().innerText()).toBe(first);
  isGone = false;
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect.poll(() => page.locator(rows).allInnerTexts()).toContainEqual(expect.stringContaining('main'));
  await expect.poll(() => page.locator('.banner').count()).toBe(0);
  await expect.poll(async () => (await page.locator(rows).allInnerTexts()).every(row => /main/i.test(row))).toBe(true);
});

test('the page says that the server has gone', async () => {
  const folder = folderWith('callgrind.out.1', 'callgrind/default.out');
  const { address, end } = await view(`${folder}/callgrind.out.1`);
  const { page } = await open(address);
  await end();
  await page.getByText('callcost does not respond').waitFor();
  await page.keyboard.press('3');
  await settle(page);
  expect(await page.locator('main').innerText()).toContain('callcost does not respond');
  await page.keyboard.press('1');
  await page.waitForSelector('.functions');
});

test('a damaged file is said to be, and what that means', async () => {
  const folder = folderWith('callgrind.out.1', 'hostile/truncated-mid-cost.out');
  const { address } = await view(`${folder}/callgrind.out.1`);
  const { page } = await open(address);
  const banner = page.locator('.banner.warning');
  expect(await banner.innerText()).toMatch(
    /incomplete: what was measured after line 24 is missing, so all costs are too low/,
  );
  await banner.getByRole('button', { name: 'Details' }).click();
  expect(await page.getByRole('dialog', { name: 'Diagnostics' }).innerText()).toMatch(/unexpected end of file/);
  await page.keyboard.press('Escape');
  expect(await accessibility(page)).toEqual([]);
  await banner.getByRole('button', { name: 'Close' }).click();
  expect(await page.locator('.banner').count()).toBe(0);
});
