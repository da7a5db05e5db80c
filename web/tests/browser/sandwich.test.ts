// The sandwich, and callers and callees as trees of all paths.

import { expect, test } from 'vitest';
import { percentBrief } from '../../src/model/format';
import type { FunctionAnswer, TreeAnswer } from '../../src/protocol/protocol';
import { accessibility, expectQuiet, openPage, settle } from './chromium';
import { nameOf } from './pictures';

const areas = '.picture-area';
const grids = '[role=treegrid]';

async function idOf(served: { ask(question: unknown): Promise<unknown> }, name: string): Promise<number> {
  return ((await served.ask({ ask: 'find', name })) as { id: number }).id;
}

test('the sandwich has a key, both halves are of the selected function, and its certainty is that of both', async () => {
  const opened = await openPage('callgrind/default.out', { at: 'functions&fn=malloc' });
  const { page, served } = opened;
  await page.keyboard.press('s');
  await page.waitForSelector(`${areas} [role=treeitem]`);
  expect(page.url()).toContain('#sandwich&fn=malloc');
  await expect.poll(() => page.locator(areas).count()).toBe(2);
  const root = await idOf(served, 'malloc');
  for (const [at, direction] of ['callers', 'callees'].entries()) {
    const tree = (await served.ask({ ask: 'tree', root, direction })) as TreeAnswer;
    const first = page.locator(areas).nth(at).locator('[role=treeitem]').first();
    await expect.poll(() => first.textContent()).toContain(nameOf(tree, 0));
    const { certainty } = tree;
    const text = await page.locator('.picture-certain').innerText();
    if (certainty < 0.99) expect(text).toContain(`${percentBrief(certainty)} ${at === 0 ? 'above' : 'below'}`);
  }
  expectQuiet(opened);
});

test('nothing above hatched boxes says that all costs are certain', async () => {
  const opened = await openPage('callgrind/python-instr-jumps.out', { at: 'functions' });
  const { page, served } = opened;
  const { rows } = (await served.ask({ ask: 'functions', limit: 12 })) as { rows: { id: number; name: string }[] };
  let estimated = 0;
  for (const { id, name } of rows) {
    const trees = await Promise.all(
      ['callers', 'callees'].map(direction => served.ask({ ask: 'tree', root: id, direction }) as Promise<TreeAnswer>),
    );
    const least = Math.min(...trees.map(tree => tree.certainty));
    await page.goto(`${served.address}#sandwich&fn=${encodeURIComponent(name)}`);
    await settle(page);
    await expect
      .poll(async () => /All costs are certain/.test(await page.locator('.picture-certain').innerText()))
      .toBe(least === 1);
    if (least < 1) estimated++;
  }
  expect(estimated, 'else nothing was tested').toBeGreaterThan(3);
  expectQuiet(opened);
});

test('a box of the sandwich can become its middle, or a flame graph of its own', async () => {
  const opened = await openPage('callgrind/default.out', { at: 'sandwich&fn=malloc' });
  const { page } = opened;
  const above = page.locator(areas).first();
  await above.locator('[role=treeitem]').first().waitFor({ state: 'attached' });
  await above.focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press(' ');
  expect(page.url(), 'a selected box moves nothing').toContain('fn=malloc');
  await page.keyboard.press('m');
  await page.getByRole('menuitem', { name: 'Only its callees' }).click();
  await expect.poll(() => page.url()).toMatch(/#flame&.*flame\.root=/);
  expect(await page.locator(areas).count()).toBe(1);
  await page.keyboard.press('s');
  await expect.poll(() => page.locator(areas).count()).toBe(2);
  await page.getByRole('button', { name: 'Show the whole program' }).click();
  await expect.poll(() => page.url()).toContain('#flame');
  expectQuiet(opened);
});

test('all callers up to the roots, and all callees, as trees that unfold', async () => {
  const opened = await openPage('callgrind/default.out', { at: 'callers&fn=malloc' });
  const { page, served } = opened;
  const id = await idOf(served, 'malloc');
  const of = (await served.ask({ ask: 'function', id })) as FunctionAnswer;
  await page.waitForSelector(grids);
  await page.getByRole('radio', { name: 'All' }).click();
  const above = page.getByRole('treegrid', { name: 'All callers' });
  const below = page.getByRole('treegrid', { name: 'All callees' });
  const row = '.table-body [role=row]';
  await expect.poll(() => above.locator(row).first().innerText()).toContain('malloc');
  await expect.poll(() => below.locator(row).first().innerText()).toContain('malloc');
  const level = (table: typeof above, at: number) => table.locator(`${row}[aria-level="${at}"]`).allInnerTexts();
  for (const { name } of of.callers.rows.slice(0, 3))
    expect((await level(above, 2)).join('\n'), 'the header and the list above it agree').toContain(name);
  expect(page.url()).toContain('callers.paths=all');
  await above.focus();
  await page.keyboard.press('*');
  await expect.poll(async () => (await level(above, 3)).length, { message: 'up to the roots' }).toBeGreaterThan(0);
  expect(page.url()).toContain('above.open=');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Copy as command' }).click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toContain("callcost tree --inverted '--root=/^malloc$/'");
  expectQuiet(opened);
});

test.each(['light', 'dark'] as const)('both are accessible in %s, at any width', async colorScheme => {
  for (const at of ['sandwich&fn=malloc', 'callers&fn=malloc', 'callers&fn=malloc&callers.paths=all']) {
    const opened = await openPage('callgrind/default.out', { at, colorScheme });
    const { page } = opened;
    for (const width of [390, 1280, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      await page.waitForSelector(`${areas}, ${grids}`);
      await settle(page);
      expect(await accessibility(page), `${at} ${width}`).toEqual([]);
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollWidth), { message: `${at} ${width}` })
        .toBe(width);
    }
    expectQuiet(opened);
  }
});
