import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { exact } from '../../src/model/format';
import type { CallTreeAnswer, CallTreeQuestion } from '../../src/protocol/protocol';
import { accessibility, expectQuiet, openPage, settle } from './chromium';

const grid = '[role=treegrid][aria-label="Call tree"]';
const rows = `${grid} .table-body [role=row]`;

async function active(page: Page) {
  const id = await page.locator(grid).getAttribute('aria-activedescendant');
  return page.locator(`[id="${id}"]`);
}
const levelOf = async (page: Page) => Number(await (await active(page)).getAttribute('aria-level'));

test('rows are those of the engine, and unfold by keys as in a tree', async () => {
  const opened = await openPage('callgrind/default.out', { at: 'functions' });
  const { page, served } = opened;
  await page.keyboard.press('e');
  await page.waitForSelector(rows);
  const question: CallTreeQuestion = { ask: 'call_tree', unfold: 'hottest', least: 0.5 };
  const answer = (await served.ask(question)) as CallTreeAnswer;
  expect(answer.levels.length).toBeGreaterThan(2);
  const first = page.locator(rows).first();
  expect(await first.innerText()).toContain(answer.levels[0]!.rows[0]!.name);
  expect(await first.getAttribute('aria-level')).toBe('1');
  expect(await first.getAttribute('aria-expanded')).toBe('true');
  await page.locator(grid).focus();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => first.getAttribute('aria-expanded')).toBe('false');
  expect(page.url()).toContain('tree.open=');
  await page.keyboard.press('Enter');
  await expect.poll(() => first.getAttribute('aria-expanded')).toBe('true');
  await page.keyboard.press('ArrowRight');
  expect(await levelOf(page)).toBe(2);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  expect(await levelOf(page)).toBe(1);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('*');
  await expect.poll(() => levelOf(page)).toBeGreaterThan(3);
  const count = await page.locator(grid).getAttribute('aria-rowcount');
  await page.reload();
  await page.waitForSelector(rows);
  await expect.poll(() => page.locator(grid).getAttribute('aria-rowcount')).toBe(count);
  expectQuiet(opened);
});

test('bottom up, what a level omits is one row that adds it', async () => {
  const opened = await openPage('callgrind/python-instr-jumps.out', { at: 'tree&tree.direction=callers' });
  const { page, served } = opened;
  await page.waitForSelector(rows);
  const answer = (await served.ask({ ask: 'call_tree', direction: 'callers' })) as CallTreeAnswer;
  const level = answer.levels[0]!;
  await page.locator(grid).focus();
  await page.keyboard.press('End');
  expect(await (await active(page)).innerText()).toContain(`${exact(level.omitted_rows)} more, `);
  await page.keyboard.press('Enter');
  await expect
    .poll(async () => Number(await page.locator(grid).getAttribute('aria-rowcount')))
    .toBeGreaterThanOrEqual(Math.min(250, level.rows.length + level.omitted_rows));
  expectQuiet(opened);
});

test('what a search found stays when more rows are added; open rows are asked for together', async () => {
  const opened = await openPage('callgrind/python-instr-jumps.out', { at: 'tree&tree.direction=callers' });
  const { page, served } = opened;
  await page.waitForSelector(rows);
  const all = (await served.ask({ ask: 'call_tree', direction: 'callers', limit: 5000 })) as CallTreeAnswer;
  const names = all.levels[0]!.rows.map(row => row.name!);
  // Far behind what is added first, and found nowhere else.
  const far = names.findLast(name => name.length > 12 && names.filter(one => one.includes(name)).length === 1)!;
  expect(names.indexOf(far)).toBeGreaterThan(250);
  await page.goto(`${served.address}#tree&tree.direction=callers&search=${encodeURIComponent(far)}`);
  await page.reload();
  const found = page.locator(`${rows} .found`);
  const last = async () => {
    await page.locator(grid).focus();
    await page.keyboard.press('End');
    return (await active(page)).innerText();
  };
  await expect.poll(last).toMatch(/ more, /);
  await expect.poll(() => found.count()).toBeGreaterThan(0);
  const before = Number(await page.locator(grid).getAttribute('aria-rowcount'));
  await page.keyboard.press('Enter');
  await expect.poll(async () => Number(await page.locator(grid).getAttribute('aria-rowcount'))).toBe(before + 200);
  await last();
  await expect.poll(() => found.count()).toBeGreaterThan(0);

  // Twenty rows, opened by keys, are there again after few questions.
  await page.goto(`${served.address}#tree&tree.direction=callers&tree.open=-`);
  await page.reload();
  await page.waitForSelector(rows);
  await page.locator(grid).focus();
  await page.keyboard.press('Home');
  for (let at = 0; at < 20; at++) await page.keyboard.press('ArrowDown');
  for (let at = 0; at < 20; at++) {
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowUp');
  }
  const opens = () => page.locator(grid).getAttribute('aria-rowcount');
  await settle(page);
  await expect.poll(async () => Number(await opens()), { message: 'rows have opened' }).toBeGreaterThan(60);
  const count = await opens();
  const asked: string[] = [];
  page.on('request', request => {
    if (request.postData()?.includes('"call_tree"')) asked.push(request.postData()!);
  });
  await page.reload();
  await page.waitForSelector(rows);
  await expect.poll(opens, { timeout: 30_000 }).toBe(count);
  expect(page.url().split('.').length).toBeGreaterThan(5);
  expect(asked.length, 'one for all of a level').toBeLessThan(8);
  expectQuiet(opened);
});

test('a search opens its matches; the tree of one function, as a command and as text', async () => {
  const opened = await openPage('callgrind/default.out', { at: 'tree&search=lookup&tree.open=-' });
  const { page } = opened;
  await page.waitForSelector(rows);
  expect(await page.locator(`${rows}[aria-level="2"]`).count()).toBe(0);
  await page.goto(page.url().replace('&tree.open=-', ''));
  await page.reload();
  await expect.poll(() => page.locator(`${rows} .found`).count()).toBeGreaterThan(0);
  const match = page
    .locator(rows)
    .filter({ has: page.locator('.found') })
    .first();
  await match.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Call tree of its callers' }).click();
  await expect.poll(() => page.url()).toContain('tree.direction=callers');
  await expect.poll(() => page.locator('.picture-root').innerText()).toContain('callers of');
  await expect.poll(() => page.locator(rows).first().innerText()).toContain('lookup');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy the tree as text' }).click();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  expect(text.split('\n')[0]).toMatch(/^ *inclusive +incl% +between +function$/);
  expect(text).toContain('lookup');
  expectQuiet(opened);
});

test.each(['light', 'dark'] as const)('is accessible in %s, at any width', async theme => {
  for (const width of [390, 1280, 1920]) {
    const opened = await openPage('callgrind/stl-O2-instr-jumps.out', {
      at: 'tree',
      viewport: { width, height: 800 },
      colorScheme: theme,
    });
    const { page } = opened;
    await page.waitForSelector(rows);
    expect(await accessibility(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    expect((await page.locator(rows).first().innerText()).length).toBeGreaterThan(4);
    expectQuiet(opened);
  }
});

test('a comparison has the change of each path', async () => {
  const opened = await openPage('callgrind/default.out', { at: 'tree', before: 'callgrind/stripped.out' });
  const { page } = opened;
  await page.waitForSelector(rows);
  expect(await page.locator('[role=columnheader]').allInnerTexts()).toContain('Δ');
  expectQuiet(opened);
});
