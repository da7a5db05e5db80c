// Every view, in light and dark: accessible, and reached and left by keys alone. With CALLCOST_SCREENSHOTS set, what they
// look like at three widths is left in build/screenshots, for a person to see.

import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { accessibility, expectQuiet, openPage, settle } from './chromium';

const pictures = fileURLToPath(new URL('../../../build/screenshots/', import.meta.url));
mkdirSync(pictures, { recursive: true });

const hasEverything = {
  sources: true,
  before: 'callgrind/instr-jumps.out',
  at: 'functions&fn=main',
};

// Those that the page offers, by the key that is on their tab.
async function viewsOf(page: Page): Promise<{ title: string; key: string }[]> {
  const titles = await page.locator('.shell-tab').evaluateAll(tabs => tabs.map(tab => tab.getAttribute('title') ?? ''));
  return titles.map(text => /^(?<title>.+) \( (?<key>.) \)$/.exec(text)!.groups as { title: string; key: string });
}

async function go(page: Page, { title, key }: { title: string; key: string }) {
  await page.keyboard.press(key);
  await expect.poll(() => page.locator('.shell-tab[aria-current=page]').innerText()).toBe(title);
  await settle(page);
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`every view is accessible in ${colorScheme}`, async () => {
    const opened = await openPage('callgrind/combined-instr-jumps-cache.out', { ...hasEverything, colorScheme });
    const { page } = opened;
    for (const view of await viewsOf(page)) {
      await go(page, view);
      for (const width of process.env.CALLCOST_SCREENSHOTS ? [1280, 1920, 800] : []) {
        await page.setViewportSize({ width, height: 800 });
        await settle(page);
        await page.screenshot({ path: `${pictures}${view.title}-${colorScheme}-${width}.png` });
      }
      await page.setViewportSize({ width: 1280, height: 800 });
      await settle(page);
      await expect.poll(() => accessibility(page), { message: view.title }).toEqual([]);
    }
    expectQuiet(opened);
  });
}

test('every view is walked by keys alone, and its focus is seen', async () => {
  const opened = await openPage('callgrind/combined-instr-jumps-cache.out', hasEverything);
  const { page } = opened;
  for (const view of await viewsOf(page)) {
    await go(page, view);
    // Past the head of the page into the view, and on to what it shows: never lost, never stuck.
    const reached = new Set<string>();
    for (let tabs = 0; tabs < 60; tabs++) {
      await page.keyboard.press('Tab');
      const at = await page.evaluate(() => {
        const element = document.activeElement;
        if (!element || element === document.body) return 'body';
        const inside = element.closest('main') ? 'view' : 'page';
        const active = document.getElementById(element.getAttribute('aria-activedescendant') ?? '');
        const isSeen = [element, element.parentElement!, active].some(one => {
          if (!one) return false;
          const { outlineStyle, boxShadow } = getComputedStyle(one);
          if (getComputedStyle(one, '::after').content !== 'none') return true;
          return outlineStyle !== 'none' || boxShadow !== 'none' || one.matches('[class*=-active], :has(> svg)');
        });
        const drawsIt = element.querySelector('canvas') !== null;
        const big = element.matches('[role=grid], [role=treegrid], [role=tree], [role=listbox], [tabindex="0"]');
        return `${inside}${inside === 'view' && big ? ' content' : ''}${isSeen || drawsIt ? '' : ` unseen ${element.outerHTML.slice(0, 90)}`}`;
      });
      reached.add(at);
      if (at === 'body') break;
    }
    expect(
      [...reached].filter(at => at.includes('unseen')),
      view.title,
    ).toEqual([]);
    expect(reached.has('view content'), `${view.title}: ${[...reached]}`).toBe(true);
    expect(reached.has('page'), view.title).toBe(true);
    await page.keyboard.press('Escape');
  }
  expectQuiet(opened);
});

test('views that have nothing to show for this profile are not offered', async () => {
  const opened = await openPage('cachegrind/default.out', { at: 'functions' });
  const { page } = opened;
  await page.waitForSelector('.functions-body .table-body [role=row]');
  expect((await viewsOf(page)).map(view => view.title)).toEqual(['Functions', 'Source']);
  await page.keyboard.press('3');
  await settle(page);
  expect(await page.locator('main').getAttribute('aria-label')).toBe('Functions');
  expectQuiet(opened);
});
