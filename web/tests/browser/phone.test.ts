// The page on a phone held upright: names first, two numbers, views in a menu, panels as sheets, all by touch.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { accessibility, expectQuiet, openPage, settle } from './chromium';
import { smallTargets } from './touch_targets';

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const rows = '.functions-body .table-body [role=row]';

// Where an element is: all of it has to be on the screen.
async function expectOnScreen(page: Page, selector: string) {
  for (const one of await page.locator(selector).all()) {
    const box = (await one.boundingBox())!;
    expect(box.x, selector).toBeGreaterThanOrEqual(0);
    expect(box.x + box.width, selector).toBeLessThanOrEqual(390);
  }
}

async function goTo(page: Page, view: string) {
  await page.locator('.shell-menu').tap();
  await page.getByRole('menuitemradio', { name: view }).tap();
  await expect.poll(() => page.locator('main').getAttribute('aria-label')).toBe(view);
}

test('the list: the name, two numbers, nothing beyond the edge', async () => {
  const opened = await openPage('callgrind/python-instr-jumps.out', { ...phone, first: true });
  const { page } = opened;
  await page.waitForSelector(rows);
  expect(await page.locator('[role=columnheader]').allInnerTexts()).toEqual(['Function', 'Self↓', 'Inclusive']);
  const row = page.locator(rows).first();
  expect(await row.locator('[role=gridcell]').allInnerTexts()).toEqual([
    expect.stringMatching(/^\w/),
    expect.stringMatching(/%$/),
    expect.stringMatching(/%$/),
  ]);
  expect((await row.locator('[role=gridcell]').first().boundingBox())!.width).toBeGreaterThan(160);
  await expectOnScreen(page, `${rows} [role=gridcell]`);
  await expectOnScreen(page, 'header button, .shell-bar button, .view-bar button');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  expect(await page.locator('.summary').innerText()).toContain('main costs');
  expect(await accessibility(page)).toEqual([]);
  expectQuiet(opened);
});

test('further columns are scrolled to, the names stay', async () => {
  const at = 'functions&column=Dr&column=Dw&column=inclusive:Dw';
  const { page } = await openPage('callgrind/all-events.out', { ...phone, at });
  await page.waitForSelector(rows);
  expect(await page.locator('.functions-body [role=columnheader]').count()).toBe(6);
  await page.locator('[role=grid][aria-label=Functions]').evaluate(grid => grid.scrollTo({ left: 400 }));
  await settle(page);
  const name = page.locator(rows).first().locator('[role=gridcell]').first();
  expect((await name.boundingBox())!.x).toBe(0);
  expect(await name.innerText()).toMatch(/\w/);
});

test('a touch selects, another one opens the menu; the details are a sheet', async () => {
  const opened = await openPage('callgrind/python-instr-jumps.out', { ...phone, first: true });
  const { page } = opened;
  await page.waitForSelector(rows);
  const row = page.locator(rows).nth(3);
  const name = (await row.locator('.name').innerText()).trim();
  await row.tap();
  await expect.poll(() => row.getAttribute('aria-selected')).toBe('true');
  expect(await page.locator('[role=menu]').count()).toBe(0);
  const sheet = page.getByRole('region', { name: 'Details' });
  expect(await sheet.innerText()).toContain(name);
  await sheet.getByRole('button').first().tap();
  await page.getByRole('treegrid', { name: 'Callers' }).waitFor();
  await expectOnScreen(page, '.sheet [role=gridcell]');
  expect(await accessibility(page)).toEqual([]);
  await sheet.getByRole('button').first().tap();
  await row.tap();
  await page.getByRole('menuitem', { name: 'Source' }).tap();
  await expect.poll(() => page.locator('main').getAttribute('aria-label')).toBe('Source');
  expectQuiet(opened);
});

test('every view fits, and is reached by the menu', async () => {
  const opened = await openPage('callgrind/python-instr-jumps.out', { ...phone, first: true });
  const { page } = opened;
  await page.locator(rows).nth(3).tap();
  for (const view of [
    'Callers & callees',
    'Flame graph',
    'Treemap',
    'Call graph',
    'Source',
    'Machine code',
    'Control flow',
  ]) {
    await goTo(page, view);
    await settle(page);
    await expectOnScreen(page, '.view-bar button:visible');
    if (view === 'Machine code') {
      const instruction = page.locator('.listing-body .listing-text').first();
      expect((await instruction.boundingBox())!.x, 'instructions are in sight').toBeLessThan(260);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth), view).toBe(390);
    expect(await accessibility(page), view).toEqual([]);
  }
  expectQuiet(opened);
});

test('the flame graph begins within the first 300 pixels, whatever there is to say about it', async () => {
  for (const [profile, before] of [
    ['callgrind/python-instr-jumps.out', undefined],
    ['callgrind/default.out', undefined],
    ['callgrind/stl-O2-instr-jumps.out', 'callgrind/instr-jumps.out'],
  ] as const) {
    const opened = await openPage(profile, { ...phone, at: 'flame', ...(before && { before }) });
    const { page } = opened;
    await page.waitForSelector('.picture-area [role=treeitem]');
    await settle(page);
    expect((await page.locator('.picture-area').boundingBox())!.y, profile).toBeLessThanOrEqual(300);
    expectQuiet(opened);
  }
});

test('a finger hits every control: 40 pixels at least', async () => {
  const opened = await openPage('callgrind/python-instr-jumps.out', { ...phone, at: 'functions' });
  const { page } = opened;
  await page.waitForSelector(rows);
  await page.locator(rows).nth(3).tap();
  for (const view of ['Flame graph', 'Treemap', 'Call graph', 'Source', 'Control flow', 'Functions']) {
    await goTo(page, view);
    await settle(page);
    expect(await smallTargets(page), view).toEqual([]);
  }
  expect((await page.locator(rows).first().boundingBox())!.height).toBeGreaterThanOrEqual(40);
  expectQuiet(opened);
});

test('a picture is zoomed by buttons', async () => {
  const opened = await openPage('callgrind/default.out', { ...phone, at: 'treemap' });
  const { page } = opened;
  await page.waitForSelector('.picture-area [role=treeitem]');
  const zoom = page.getByRole('group', { name: 'Zoom' });
  expect(await zoom.getByRole('button', { name: 'Zoom into the selected box' }).isDisabled()).toBe(true);
  const area = (await page.locator('.picture-area').boundingBox())!;
  await page.touchscreen.tap(area.x + area.width / 2, area.y + area.height / 2);
  await zoom.getByRole('button', { name: 'Zoom into the selected box' }).tap();
  await expect.poll(() => page.url()).toContain('treemap.zoom=');
  await zoom.getByRole('button', { name: 'Zoom out' }).tap();
  expectQuiet(opened);
});

test('callers and callees: a touch of a name goes there, the other lists are a sheet', async () => {
  const opened = await openPage('callgrind/default.out', { ...phone, at: 'callers&fn=main' });
  const { page } = opened;
  const callees = page.getByRole('treegrid', { name: 'Callees' });
  const name = callees.locator('button.link').first();
  const text = await name.innerText();
  await expectOnScreen(page, '.calls [role=gridcell]');
  await page.getByRole('button', { name: 'Event types and files' }).tap();
  await page.getByRole('grid', { name: 'Event types' }).waitFor();
  await page.getByRole('button', { name: 'Event types and files' }).tap();
  await name.tap();
  await expect.poll(() => page.locator('.band-name').innerText()).toContain(text);
  expectQuiet(opened);
});

test('a comparison: names, and what changed', async () => {
  const { page } = await openPage('callgrind/stl-O2-instr-jumps.out', {
    ...phone,
    before: 'callgrind/instr-jumps.out',
    at: 'functions',
  });
  await page.waitForSelector(rows);
  expect(await page.locator('.functions-body [role=columnheader]').allInnerTexts()).toEqual([
    'Function',
    expect.stringMatching(/^Δ self/),
    expect.stringMatching(/^Δ inclusive/),
  ]);
  await expectOnScreen(page, `${rows} [role=gridcell]`);
});

test('the difference: names over their numbers', async () => {
  const opened = await openPage('callgrind/stl-O2-instr-jumps.out', {
    ...phone,
    first: true,
    before: 'callgrind/instr-jumps.out',
  });
  const { page } = opened;
  const names = page.locator('.difference-changed .difference-function .name');
  await names.first().waitFor();
  for (const name of (await names.all()).slice(0, 6)) {
    const box = (await name.boundingBox())!;
    expect(box.width).toBeGreaterThan(20);
    expect(box.x + box.width).toBeLessThanOrEqual(390);
  }
  expect(await page.locator('.difference').evaluate(one => one.scrollWidth - one.clientWidth)).toBe(0);
  expect(await accessibility(page)).toEqual([]);
  expectQuiet(opened);
});
