// Opens the page in Chromium, and watches what goes wrong in it.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Download, type Page } from 'playwright-core';
import { afterAll, afterEach, expect } from 'vitest';
import { type Served, serve } from '../serve';

const profiles = fileURLToPath(new URL('../../../tests/profiles/', import.meta.url));

export function profile(name: string): string {
  return name.startsWith('/') ? name : profiles + name;
}

function executable(): string {
  const places = [process.env.CHROMIUM, '/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
  const found = places.find(place => place && existsSync(place));
  if (!found) throw new Error('no Chromium: install chromium-headless-shell, or name one in CHROMIUM');
  return found;
}

let browser: Promise<Browser> | undefined;
const opened: { close(): Promise<void> }[] = [];

export function chromiumBrowser(): Promise<Browser> {
  browser ??= chromium.launch({
    executablePath: executable(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
  });
  return browser;
}

afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});
afterAll(async () => {
  await (await browser)?.close();
  browser = undefined;
});

export interface Watched {
  page: Page;
  problems: string[]; // errors, warnings, and what the policy forbade
}

// With `first` as for somebody who has never opened a page.
export async function watchedPage({
  first,
  ...options
}: BrowserContextOptions & { first?: boolean } = {}): Promise<Watched> {
  const context = await (await chromiumBrowser()).newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(40_000);
  if (!first) {
    // Costs as they are, and no selection but that of the test, unless it has chosen.
    await context.addInitScript(() => {
      const usual = new Map([
        ['callcost.numbers', 'absolute'],
        ['callcost.details', 'no'],
      ]);
      const stored = Storage.prototype.getItem;
      Storage.prototype.getItem = function (key) {
        return stored.call(this, key) ?? usual.get(key) ?? null;
      };
    });
  }
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', error => problems.push(error.stack ?? error.message));
  page.on('console', message => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  opened.push({ close: () => context.close() });
  return { page, problems };
}

// One that may not ask the network for anything.
export async function offlinePage(): Promise<Watched> {
  const watched = await watchedPage();
  await watched.page.route(/^https?:/, route => {
    watched.problems.push(`asked the network for ${route.request().url()}`);
    return route.abort();
  });
  return watched;
}

export interface Opened extends Watched {
  served: Served;
}

export interface Wanted extends BrowserContextOptions {
  before?: string;
  at?: string; // the fragment of the address: "flame&event=Dr"
  first?: boolean; // as for somebody who has never opened a page
  sources?: boolean; // with the source files and the machine code of this machine
}

// The page with a profile of tests/profiles, as `callcost view` serves it.
export async function openPage(name: string, { before, at = '', sources, ...options }: Wanted = {}): Promise<Opened> {
  const served = await serve(profile(name), before && profile(before), sources);
  opened.push({ close: async () => served.close() });
  const watched = await watchedPage(options);
  await watched.page.goto(served.address + (at && `#${at}`));
  await watched.page.waitForSelector('.shell-view');
  return { ...watched, served };
}

// Waits until nothing is asked and nothing changes.
export async function settle(page: Page) {
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
}

// What axe-core finds, in words. In dark only what colors can break: tests have the same views in light.
export async function accessibility(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() =>
    (window as unknown as { axe: typeof axe }).axe.run(document, {
      resultTypes: ['violations'], // the others take their time
      runOnly: matchMedia('(prefers-color-scheme: dark)').matches
        ? { type: 'rule', values: ['color-contrast'] }
        : ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'],
    }),
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes
      .slice(0, 4)
      .map(node => `${id}: ${node.html.slice(0, 200)} (${node.any[0]?.message ?? node.all[0]?.message ?? ''})`),
  );
}

// By the dialog of Share, with all that it offers to add or with nothing.
export async function savedReport(
  page: Page,
  file: string,
  { note = '', withAll = true }: { note?: string; withAll?: boolean } = {},
) {
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Share this view' });
  await dialog.getByRole('textbox').fill(note);
  for (const box of await dialog.getByRole('checkbox').all()) if (withAll && (await box.isEnabled())) await box.check();
  const saving = page.waitForEvent('download') as Promise<Download>;
  await dialog.getByRole('button', { name: 'Save report' }).click();
  await (await saving).saveAs(file);
  await page.keyboard.press('Escape');
}

export function expectQuiet({ problems }: Watched) {
  expect(problems).toEqual([]);
}
