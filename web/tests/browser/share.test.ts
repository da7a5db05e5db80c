// What is shared of a view: a report that opens at it, pictures, a link. The report needs an engine in dist/page.html
// (./dev page).

import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { exact } from '../../src/model/format';
import { accessibility, expectQuiet, offlinePage, openPage, profile, savedReport, type Watched } from './chromium';
import { expectHarmless, expectPng, readSvg } from './pictures';

const path = fileURLToPath(new URL('../../dist/page.html', import.meta.url));
const testAlone = test.runIf(readFileSync(path, 'utf8').includes('id="engine"'));
const directory = () => mkdtempSync(`${tmpdir()}/callcost-`);

async function share(page: Page) {
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  return page.getByRole('dialog', { name: 'Share this view' });
}

async function openFile(file: string, at = ''): Promise<Watched> {
  const watched = await offlinePage();
  await watched.page.goto(`file://${file}${at && `#${at}`}`);
  return watched;
}

// The page alone, with a profile that was dropped on it.
async function openWith(name: string): Promise<Watched> {
  const watched = await openFile(path);
  const { page } = watched;
  await page.locator('input[data-pick]').setInputFiles(profile(name));
  await page.waitForSelector('.shell-view');
  return watched;
}

testAlone('a report opens at the view that was shared, with the note as text', async () => {
  const watched = await openWith('callgrind/default.out');
  const { page } = watched;
  await page.evaluate(() => {
    location.hash = 'callers&fn=malloc&numbers=absolute&callers.paths=all&focus=malloc';
  });
  const above = (of: Page) => of.getByRole('treegrid', { name: 'All callers' }).innerText();
  await expect.poll(() => above(page)).toContain('malloc');
  const shown = await above(page);
  const note = '</script><img src=x onerror=alert(1)> <b>malloc</b>';
  const file = `${directory()}/report.html`;
  await savedReport(page, file, { note });
  const again = await openFile(file);
  await expect.poll(() => above(again.page)).toBe(shown);
  expect(await again.page.locator('.banner.note').innerText()).toBe(note);
  expect(await again.page.evaluate(() => document.querySelectorAll('img, b').length)).toBe(0);
  expect(await again.page.locator('.chip').innerText()).toContain('malloc');
  // What somebody goes to, or an address says, comes first.
  await again.page.keyboard.press('1');
  await again.page.waitForSelector('.functions-body');
  await again.page.goBack();
  await expect.poll(() => above(again.page)).toBe(shown);
  await again.page.locator('.banner.note').getByRole('button', { name: 'Close' }).click();
  expect(await again.page.locator('.banner.note').count()).toBe(0);
  const elsewhere = await openFile(file, 'treemap');
  await elsewhere.page.waitForSelector('.picture-area');
  expectQuiet(watched);
  expectQuiet(again);
  expectQuiet(elsewhere);
});

test('a picture has title, total, date and note above it, as text', async () => {
  const opened = await openPage('hostile/html-names.out', { at: 'flame' });
  const { page, served } = opened;
  await page.waitForSelector('.picture-area [role=treeitem]', { state: 'attached' });
  const { base } = (await served.ask({ ask: 'functions', limit: 1 })) as { base: number[] };
  const dialog = await share(page);
  await dialog.getByRole('textbox').fill('<b>see</b>');
  for (const kind of ['SVG', 'PNG']) {
    const saving = page.waitForEvent('download');
    await dialog.getByRole('button', { name: `Picture (${kind})` }).click();
    const bytes = readFileSync(await (await saving).path());
    if (kind === 'PNG') {
      expectPng(bytes);
      continue;
    }
    const svg = await readSvg(page, bytes.toString());
    expectHarmless(svg);
    const text = svg.texts.join('\n');
    expect(text).toContain(': Flame graph');
    expect(text).toContain(`total ${exact(base[0]!)} `);
    expect(text).toMatch(/\b20\d\d-\d\d-\d\d\b/);
    expect(text).toContain('<b>see</b>');
  }
  expectQuiet(opened);
});

test('a graph has the same above it, and a list has no picture', async () => {
  const opened = await openPage('callgrind/default.out', { at: 'graph&fn=main' });
  const { page } = opened;
  await page.waitForSelector('.graph-node, .graph-world, .graph');
  await expect.poll(() => page.locator('main svg g').count()).toBeGreaterThan(3);
  const dialog = await share(page);
  const saving = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Picture (SVG)' }).click();
  const svg = await readSvg(page, readFileSync(await (await saving).path()).toString());
  expectHarmless(svg);
  expect(svg.texts.join('\n')).toMatch(/: Call graph\ntotal [\d,]+ Ir · /);
  await page.keyboard.press('Escape');
  await page.keyboard.press('1');
  expect(await (await share(page)).innerText()).toContain('This view has no picture');
  expectQuiet(opened);
});

test('the link opens the view, whatever numbers were chosen last', async () => {
  const opened = await openPage('callgrind/default.out', { at: 'functions&search=malloc&numbers=relative' });
  const { page } = opened;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const dialog = await share(page);
  await dialog.getByRole('button', { name: 'Copy link' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/^http.*#functions&/);
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toContain('search=malloc');
  expect(link).toContain('numbers=relative');
  expectQuiet(opened);
});

testAlone('sources and machine code are in a report only if they were asked for', async () => {
  const watched = await openWith('callgrind/default.out');
  const dialog = await share(watched.page);
  for (const box of await dialog.getByRole('checkbox').all()) expect(await box.isChecked()).toBe(false);
  expect(await dialog.innerText()).toMatch(/names and paths/);
  await watched.page.keyboard.press('Escape');
  const file = `${directory()}/report.html`;
  await savedReport(watched.page, file, { withAll: false });
  const html = readFileSync(file, 'utf8');
  const manifest = JSON.parse(/id="callcost-manifest">([^<]*)</.exec(html)![1]!);
  expect(manifest.sources).toEqual([]);
  expect(manifest.profiles[0].code).toBeUndefined();
  expectQuiet(watched);
});

test.each(['light', 'dark'] as const)('the dialog is accessible in %s, at any width', async colorScheme => {
  const opened = await openPage('callgrind/default.out', { at: 'flame', colorScheme });
  const { page } = opened;
  for (const width of [390, 1280, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    const dialog = await share(page);
    await dialog.waitFor();
    expect(await accessibility(page), String(width)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    await page.keyboard.press('Escape');
  }
  expectQuiet(opened);
});
