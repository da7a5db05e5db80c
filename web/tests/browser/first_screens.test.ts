// What one sees first, of a profile and of a comparison, on a phone, a laptop and a large screen.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { accessibility, expectQuiet, type Opened, openPage, settle, type Wanted } from './chromium';

const sizes: Record<string, Wanted> = {
  '390 pixels': { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  '1280 pixels': { viewport: { width: 1280, height: 800 } },
  '1920 pixels': { viewport: { width: 1920, height: 1080 } },
};
const withNames = 'callgrind/stl-O2-instr-jumps.out';
const before = 'callgrind/instr-jumps.out';
const withRecursion = 'callgrind/python-instr-jumps.out';
const rows = '.functions-body [aria-label=Functions] .table-body [role=row]';

function atEachSize(
  name: string,
  profile: string,
  wanted: Wanted,
  body: (opened: Opened, isPhone: boolean) => Promise<void>,
) {
  for (const [size, options] of Object.entries(sizes))
    test(`${name}, at ${size}`, async () => {
      const opened = await openPage(profile, { first: true, ...wanted, ...options });
      await settle(opened.page);
      await body(opened, options.isMobile === true);
      expectQuiet(opened);
    });
}

// Texts that are cut by the edge of their cell. The end of a list of parameters may be.
async function cut(page: Page, selector: string): Promise<string[]> {
  return page
    .locator(selector)
    .evaluateAll(cells =>
      cells
        .filter(cell => cell.scrollWidth > cell.clientWidth + 1)
        .map(cell => `${cell.textContent} (${cell.scrollWidth} in ${cell.clientWidth})`),
    );
}

// Tables that have to be scrolled sideways.
async function scrolled(page: Page): Promise<string[]> {
  return page
    .locator('.grid')
    .evaluateAll(grids =>
      grids.filter(grid => grid.scrollWidth > grid.clientWidth).map(grid => grid.getAttribute('aria-label') ?? ''),
    );
}

async function expectItFits(page: Page) {
  expect(await scrolled(page)).toEqual([]);
  expect(await cut(page, '.table-cell.number')).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
}

async function openDetails(page: Page, isPhone: boolean) {
  if (isPhone) await page.locator('.sheet-title').tap();
  await page.getByRole('treegrid', { name: 'Callees' }).or(page.getByText('No callees')).waitFor();
  await settle(page);
}

atEachSize('shares, the costliest function, its callers and callees', withRecursion, {}, async ({ page }, isPhone) => {
  const first = page.locator(rows).first();
  expect(await first.getAttribute('aria-selected')).toBe('true');
  expect(await first.locator('.number').first().innerText()).toMatch(/%$/);
  await expectItFits(page);
  await openDetails(page, isPhone);
  const name = (await first.locator('.name').first().innerText()).trim();
  expect(await page.locator('.details .band-name').innerText()).toContain(name.split('…')[0]!);
  expect(await page.locator('.details .calls .table-body .number').first().innerText()).toMatch(/%$/);
  await expectItFits(page);
});

atEachSize('names have the room that numbers and places do not need', withNames, {}, async ({ page }, isPhone) => {
  await page.waitForSelector(rows);
  await settle(page);
  const body = (await page.locator(rows).first().boundingBox())!;
  const name = (await page.locator(`${rows} [role=gridcell]:has(.swatch)`).first().boundingBox())!;
  expect(name.width / body.width).toBeGreaterThan(isPhone ? 0.4 : 0.33);
  for (const text of await page.locator(`${rows} .name:not(.muted)`).allInnerTexts())
    expect(text, 'the function’s own name').toMatch(/[\w~]{2}/);
  expect(await cut(page, '.table-head .table-cell')).toEqual([]);
});

atEachSize(
  'groups leave room for the names',
  withRecursion,
  { at: 'functions&group=object' },
  async ({ page }, isPhone) => {
    if (isPhone) await page.locator('.sheet-title').first().tap();
    await page.waitForSelector(rows);
    await settle(page);
    const name = (await page.locator(`${rows} .name`).first().boundingBox())!;
    const list = (await page.locator('[role=grid][aria-label=Functions]').boundingBox())!;
    expect(name.x + name.width).toBeLessThanOrEqual(list.x + list.width);
    expect(await scrolled(page)).toEqual([]);
  },
);

for (const [fn, tag, figure] of [
  ['read_object', 'Caller and callee call each other', /%$/],
  ['r_object', 'Counted again in recursion', /^[\d,]+$/],
] as const)
  atEachSize(
    `a call within a cycle has a share if nothing is counted again: ${fn}`,
    withRecursion,
    { at: `functions&fn=${fn}` },
    async ({ page }, isPhone) => {
      await page.waitForSelector(rows);
      await openDetails(page, isPhone);
      const recursive = page.locator(`.details .calls .table-body [role=row]:has(.tag[title^="${tag}"])`);
      expect(await recursive.count()).toBeGreaterThan(0);
      expect(await recursive.first().locator('.number').first().innerText()).toMatch(figure);
    },
  );

atEachSize('a comparison: what changed first, names before numbers', withNames, { before }, async ({ page }) => {
  expect(await page.locator('main').getAttribute('aria-label')).toBe('Difference');
  const titles = await page.locator('.difference h3').allInnerTexts();
  expect(titles[0]).toMatch(/^More expensive/);
  const row = page.locator('.difference-changed tbody tr').first();
  expect(await row.locator('td').first().locator('.name').count()).toBe(1);
  expect(await page.locator('.difference').evaluate(one => one.scrollWidth - one.clientWidth)).toBe(0);
});

for (const at of ['functions&fn=main', 'callers&fn=main'])
  atEachSize(`${at.split('&')[0]} of a comparison fit`, withNames, { before, at }, async ({ page }, isPhone) => {
    if (at.startsWith('functions')) {
      await page.waitForSelector(rows);
      expect(await page.locator(`${rows} [role=gridcell]`).first().locator('.name').count()).toBe(1);
      await openDetails(page, isPhone);
    } else await page.getByRole('treegrid', { name: 'Callees' }).waitFor();
    await settle(page);
    await expectItFits(page);
  });

test('pointing at a cost shows it whole', async () => {
  const opened = await openPage(withRecursion, { first: true });
  const { page } = opened;
  const tip = page.locator('[role=tooltip]');
  for (const [cell, text] of [
    [`${rows}:first-child [role=gridcell]:nth-child(4) .number-text`, /^[\d,.]+ Ir \(.+%\)$/],
    ['.details [aria-label="Event types"] .table-body [role=row]:first-child .number-text', /^[\d,]+ Ir \(.+%\)$/],
  ] as const) {
    await page.locator(cell).first().hover();
    await expect.poll(() => tip.innerText()).toMatch(text);
    await page.mouse.move(640, 5);
    await expect.poll(() => tip.count()).toBe(0);
  }
  expectQuiet(opened);
});

// All views of a profile, and of a comparison.
for (const colorScheme of ['light', 'dark'] as const)
  for (const [what, wanted] of [
    ['a profile', {}],
    ['a comparison', { before }],
  ] as [string, Wanted][])
    atEachSize(
      `every view of ${what} is accessible in ${colorScheme}`,
      withNames,
      { ...wanted, colorScheme, at: 'functions&fn=main' },
      async ({ page }) => {
        for (const key of `12345678${wanted.before ? '0' : ''}`) {
          await page.keyboard.press(key);
          await settle(page);
          const view = (await page.locator('main').getAttribute('aria-label'))!;
          await expect.poll(() => accessibility(page), { message: view }).toEqual([]);
        }
      },
    );
