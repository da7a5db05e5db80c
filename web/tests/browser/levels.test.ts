import { expect, test } from 'vitest';
import type { FunctionRow, GraphAnswer, Level, ListAnswer, TreeAnswer } from '../../src/protocol/protocol';
import { accessibility, expectQuiet, openPage } from './chromium';

const profile = 'callgrind/default.out';
const rows = '[role=grid][aria-label="Functions"] .table-body [role=row]';
const boxes = '.picture-area [role=treeitem]';

test('one switch takes functions together in all views of them', async () => {
  const opened = await openPage(profile, { at: 'functions' });
  const { page, served } = opened;
  await page.waitForSelector(rows);
  await page.getByRole('button', { name: /^Level/ }).click();
  await page.getByRole('menuitemradio', { name: 'Libraries' }).click();
  const level: Level = 'object';
  const list = (await served.ask({ ask: 'functions', level })) as ListAnswer<FunctionRow>;
  await expect.poll(() => page.locator(rows).count()).toBe(list.rows.length);
  expect(await page.locator('.functions .view-bar').innerText()).toContain(`${list.rows.length} libraries`);
  expect(page.url()).toContain('level=object');

  const tree = (await served.ask({ ask: 'tree', level })) as TreeAnswer;
  const graph = (await served.ask({ ask: 'graph', level })) as GraphAnswer;
  await page.keyboard.press('3');
  await page.waitForSelector(boxes);
  await expect.poll(() => page.locator(boxes).first().textContent()).toContain(tree.functions[0]!.labels?.at(-1) ?? '');
  await page.keyboard.press('4');
  await page.waitForSelector(boxes);
  await page.keyboard.press('5');
  await expect.poll(() => page.locator('.graph-node').count()).toBeLessThanOrEqual(graph.nodes.length);
  await page.keyboard.press('e');
  await page.waitForSelector('[role=treegrid] .table-body [role=row]');
  expectQuiet(opened);
});

test('a key goes to the next level, what was selected stays behind, and the way back is there', async () => {
  const opened = await openPage(profile, { at: 'functions&fn=main' });
  const { page } = opened;
  await page.waitForSelector(rows);
  await page.keyboard.press('l');
  await expect.poll(() => page.url()).toContain('level=namespace');
  expect(page.url()).not.toContain('fn=main');
  await page.keyboard.press('l');
  await expect.poll(() => page.url()).toContain('level=file');
  await page.keyboard.press('Alt+ArrowLeft');
  await expect.poll(() => page.url()).toContain('level=namespace');
  expectQuiet(opened);
});

test('a group has callers and callees, but no source; the palette leads to functions', async () => {
  const opened = await openPage(profile, { at: 'functions&level=object' });
  const { page } = opened;
  await page.waitForSelector(rows);
  await page.locator(rows).first().click();
  await page.keyboard.press('2');
  await page.waitForSelector('.band-name');
  await page.keyboard.press('6');
  await expect.poll(() => page.getByRole('button', { name: /^Level/ }).count()).toBe(0);
  await page.keyboard.press('1');
  await page.waitForSelector(rows);
  await page.keyboard.press('/');
  await page.keyboard.type('main');
  await page.locator('[role=option]').filter({ hasText: 'main' }).first().waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.url()).not.toContain('level=');
  expectQuiet(opened);
});

for (const width of [390, 1280, 1920])
  for (const colorScheme of ['light', 'dark'] as const)
    test(`has no violations at ${width} pixels, ${colorScheme}`, async () => {
      const opened = await openPage(profile, { at: 'flame&level=file', viewport: { width, height: 800 }, colorScheme });
      await opened.page.waitForSelector(boxes);
      expect(await accessibility(opened.page)).toEqual([]);
      expect(await opened.page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
      await opened.page.getByRole('button', { name: /^Level/ }).click();
      expect(await opened.page.getByRole('menuitemradio').count()).toBe(5);
      expectQuiet(opened);
    });
