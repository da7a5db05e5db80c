// A program that runs under the real Callgrind, shown and controlled by the page. Needs CALLCOST and Valgrind.

import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, expect, test } from 'vitest';
import { loop, startLoop, startRecord, startView, type View } from '../view';
import { accessibility, expectQuiet, watchedPage } from './chromium';

const rows = '.functions-body .table-body [role=row]';
const patience = { timeout: 20_000 };
const started: { view?: View; folder?: string } = {};

afterEach(() => {
  started.view?.kill();
  if (started.folder) rmSync(started.folder, { recursive: true });
});

test('a running program is dumped three times, zeroed, stopped, looked into, and followed to its end', async () => {
  const folder = mkdtempSync(`${tmpdir()}/callcost-`);
  started.folder = folder;
  const program = startLoop(folder);
  await expect.poll(() => readdirSync(folder), patience).toContain(`out.${program.pid}`);
  started.view = await startView(String(program.pid));
  const opened = await watchedPage();
  const { page } = opened;
  await page.goto(started.view.address);
  await page.waitForSelector(rows);
  const text = () => page.locator('.live-text').innerText();
  const total = async () => Number((await page.locator('.status').innerText()).split(' Ir')[0]!.replace(/\D/g, ''));
  expect(await text()).toBe(`sh is running · process ${program.pid} · 1 part`);
  expect(await accessibility(page)).toEqual([]);

  let before = await total();
  for (let parts = 2; parts <= 4; parts++) {
    await page.getByRole('button', { name: 'Dump now' }).click();
    await expect.poll(text, patience).toContain(`${parts} parts`);
    await expect.poll(total, patience).toBeGreaterThan(before);
    before = await total();
  }
  expect(readdirSync(folder)).toContain(`out.${program.pid}.4`);

  await page.getByRole('button', { name: 'Stacks' }).click();
  await expect.poll(() => page.locator('.live-stack').innerText(), patience).toMatch(/^Thread 1\n.+/);
  expect(await accessibility(page)).toEqual([]);
  await page.getByRole('button', { name: 'Stop counting' }).click();
  await expect.poll(text, patience).toContain('not counted');
  expect(await page.locator('.live-stacks').innerText()).toMatch(/knows no call stacks/);
  await page.getByRole('button', { name: 'Count', exact: true }).click();
  await expect.poll(text, patience).toContain('is running ·');
  await page.getByRole('button', { name: 'Zero' }).click();
  await expect.poll(() => page.locator('.toasts').innerText(), patience).toMatch(/begin at zero/);

  program.kill('SIGTERM');
  await expect.poll(text, patience).toBe(`sh has ended · process ${program.pid} · 5 parts`);
  expect(await page.getByRole('button', { name: 'Dump now' }).count()).toBe(0);
  expectQuiet(opened);
}, 120_000);

test('a recording is shown from its beginning, and its profile after its end', async () => {
  const folder = mkdtempSync(`${tmpdir()}/callcost-`);
  started.folder = folder;
  started.view = await startRecord('-o', `${folder}/profile`, 'sh', '-c', loop);
  const opened = await watchedPage();
  const { page } = opened;
  await page.goto(started.view.address);
  await page.waitForSelector(rows);
  const text = () => page.locator('.live-text').innerText();
  expect(await text()).toMatch(/^sh is running · process \d+ · 1 part$/);
  await page.getByRole('button', { name: 'Dump now' }).click();
  await expect.poll(text, patience).toContain('2 parts');

  process.kill(Number((await text()).match(/process (\d+)/)![1]), 'SIGTERM');
  await expect.poll(text, patience).toMatch(/^sh has ended · process \d+ · 3 parts$/);
  await expect.poll(() => readdirSync(folder), patience).toEqual(['profile']);
  const body = JSON.stringify({ ask: 'profile' });
  const headers = { 'Content-Type': 'application/json' };
  const answer = async () => (await fetch(`${started.view!.address}ask`, { method: 'POST', headers, body })).json();
  // It is the page that has it read.
  await expect.poll(async () => (await answer()).files[0].name, patience).toBe(`${folder}/profile`);
  expect(await page.locator(rows).count()).toBeGreaterThan(5);
  expectQuiet(opened);
}, 120_000);
