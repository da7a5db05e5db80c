// The page of a store, as `callcost view --store` serves it. Needs CALLCOST, the program with the page in it.

import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { exact } from '../../src/model/format';
import { changed, costsOf, hostile, labelOf, long, type TestStore, testStore, totalOf, versions } from '../store';
import { startStore, startView, type View } from '../view';
import { accessibility, expectQuiet, profile, settle, type Watched, watchedPage } from './chromium';

let store: TestStore;
let view: View;
const others: { kill(): void }[] = [];
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const newest = versions - 1;

beforeAll(async () => {
  store = testStore();
  store.addVersions();
  view = await startStore(store.store);
});
afterEach(() => {
  for (const one of others.splice(0)) one.kill();
});
afterAll(() => {
  view.kill();
  store.remove();
});

async function open(at = '', options: BrowserContextOptions = {}, address = view.address): Promise<Watched> {
  const watched = await watchedPage(options);
  await watched.page.goto(address + at);
  await watched.page.waitForSelector('.card, .chart, .empty-state, .shell-view');
  await settle(watched.page);
  return watched;
}

const texts = (page: Page, selector: string) => page.locator(selector).allInnerTexts();
const rows = (page: Page) => page.locator('.history-table tbody tr');
const function_ = (name: string) => `fn=${encodeURIComponent(name)}&in=bench.c&of=/usr/bin/bench`;

for (const [width, options] of [
  [390, phone],
  [1280, {}],
  [1920, { viewport: { width: 1920, height: 1080 } }],
] as const)
  for (const colorScheme of ['light', 'dark'] as const)
    test(`everything is on the screen and accessible: ${width} pixels, ${colorScheme}`, async () => {
      const opened = await open('', { ...options, colorScheme });
      const { page } = opened;
      for (const at of [
        '',
        '#series=parse',
        '#series=parse&tab=functions',
        '#series=parse&tab=entries&branches=all',
        `#series=parse&${function_(long)}`,
        '#series=none',
      ]) {
        await page.goto(`${view.address}?history${at}`);
        await page.waitForSelector('.card, .chart, .empty-state');
        await settle(page);
        expect(await page.evaluate(() => document.documentElement.scrollWidth), at).toBe(width);
        expect(await page.locator('main').evaluate(main => main.scrollWidth - main.clientWidth), at).toBe(0);
        expect(await accessibility(page), at).toEqual([]);
      }
      expectQuiet(opened);
    });

test('the series are small charts, searched by name', async () => {
  const opened = await open();
  const { page } = opened;
  expect(await texts(page, '.card h2')).toEqual([hostile, 'compress', 'json', 'parse']);
  expect(await page.title()).toBe('History – callcost');
  const card = page.locator('.card', { hasText: 'parse' });
  const text = (await card.innerText()).replace(/\s+/g, ' ');
  expect(text).toContain('70 entries');
  expect(text).toContain(`Last change ${labelOf(newest)}`);
  // The first entry, and all changes.
  expect((await card.locator('.spark-dots').getAttribute('d'))!.split('M')).toHaveLength(changed.length + 1);
  await page.keyboard.press('/');
  await page.keyboard.type('JSO');
  await expect.poll(() => texts(page, '.card h2')).toEqual(['json']);
  expect(page.url()).toContain('search=JSO');
  await page.locator('.card').click();
  await page.waitForSelector('.chart');
  expect(page.url()).toContain('#series=json');
  expect(await page.title()).toBe('json – History – callcost');
  await page.goBack();
  await expect.poll(() => texts(page, '.card h2')).toEqual(['json']);
  expectQuiet(opened);
});

test('a chart says what changed it, and leads to the comparison', async () => {
  const opened = await open('?history#series=parse');
  const { page } = opened;
  expect(await page.locator('.history-sum').innerText()).toContain(`${exact(totalOf(newest))} Ir`);
  expect(await page.locator('.history-sum').innerText()).toContain('60 entries, branch main, 5 changes');
  expect(await page.locator('.chart-change').count()).toBe(changed.length);
  expect(await page.locator('.chart-note').innerText()).toMatch(/begins at [\d.]+.k, not at 0/);
  const commits = await rows(page).locator('td:nth-child(2)').allInnerTexts();
  expect(commits).toEqual([...changed].reverse().map(labelOf));
  const first = await rows(page).first().locator('td').allInnerTexts();
  expect(first.slice(2, 4)).toEqual([`${exact(totalOf(newest - 1))} →`, exact(totalOf(newest))]);
  expect(first[5]!.replace(/\s/g, ' ')).toBe('parse ▲ +20.00 %');
  // The mark of the first change, and its row, have the same link.
  const link = rows(page).last().getByRole('link', { name: 'Compare' });
  expect(await page.locator('.chart-change a').last().getAttribute('href')).toBe(await link.getAttribute('href'));
  const mark = (await page.locator('.chart-change-mark').last().boundingBox())!;
  await page.mouse.click(mark.x + mark.width / 2, mark.y + mark.height / 2);
  await page.waitForSelector('.difference-head');
  expect(await page.locator('.header-title').innerText()).toMatch(
    new RegExp(`parse ${labelOf(7)} 2023-11-17\\s+compared with ${labelOf(6)}`),
  );
  expect(await page.title()).toBe(`parse ${labelOf(7)} 2023-11-17, compared with ${labelOf(6)} – callcost`);
  await expect.poll(() => page.locator('.difference-numbers').innerText()).toContain(exact(totalOf(7)));
  expect(await page.locator('.difference-numbers').innerText()).toContain(exact(totalOf(6)));
  expect(await page.locator('main').innerText()).toContain('parse');
  expect(await accessibility(page)).toEqual([]);
  await page.goBack();
  await page.waitForSelector('.chart');
  expect(page.url()).toContain('?history#series=parse');
  expectQuiet(opened);
});

test('the keyboard moves along the points', async () => {
  const { page } = await open('?history#series=parse');
  const slider = page.getByRole('slider');
  await slider.focus();
  const said = () => slider.getAttribute('aria-valuetext');
  expect(await said()).toContain(`${labelOf(newest)}, ${exact(totalOf(newest))} Ir`);
  await page.keyboard.press('ArrowLeft');
  await expect.poll(said).toContain(labelOf(newest - 1));
  expect(await page.locator('.chart-readout').innerText()).toContain(labelOf(newest - 1));
  await page.keyboard.press('PageUp');
  await expect.poll(said).toContain(labelOf(40));
  await page.keyboard.press('PageUp');
  await page.keyboard.press('PageUp');
  await expect.poll(said).toMatch(new RegExp(`${labelOf(21)}.*\\+\\d`));
  await page.keyboard.press('Home');
  await expect.poll(said).toContain(labelOf(0));
  await page.keyboard.press('PageDown');
  await expect.poll(said).toContain(labelOf(7));
  await page.keyboard.press('Enter');
  await page.waitForSelector('.shell-view');
  expect(await page.locator('.header-title').innerText()).toContain(labelOf(7));
  await expect.poll(() => page.locator('.status').innerText()).toContain(exact(totalOf(7)));
});

test('functions: searched, each with its chart, in one series and in all', async () => {
  const opened = await open('?history#series=parse&tab=functions');
  const { page } = opened;
  const first = await rows(page).first().locator('td').allInnerTexts();
  expect(first[0]).toBe('parse');
  expect(first[1]).toBe(exact(costsOf(newest).get('parse')!));
  expect(await rows(page).nth(2).locator('a').first().innerText()).toBe('std::_Hashtable<...>::_M_insert(int)');
  expect(await rows(page).count()).toBe(50);
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect.poll(() => rows(page).count()).toBe(costsOf(0).size);
  await page.getByLabel('Search functions').fill('img');
  await expect.poll(() => rows(page).count()).toBe(1);
  expect(await rows(page).first().locator('a').first().innerText()).toBe(hostile);
  await rows(page).first().locator('a').first().click();
  await expect.poll(() => page.locator('.history-sum').innerText()).toContain('7,000 Ir');
  expect(await page.locator('h1').innerText()).toContain(hostile);
  expect(await page.title()).toBe(`${hostile} – parse – History – callcost`);
  expect(await page.locator('img').count()).toBe(0);
  expect(await page.locator('main').innerText()).toContain('The cost has not changed.');
  await page.getByRole('link', { name: 'In all series' }).click();
  await expect.poll(() => texts(page, '.card h2')).toEqual([hostile, 'compress', 'json', 'parse']);
  expect(await page.locator('.card-cost strong').first().innerText()).toBe('7,000');
  expectQuiet(opened);
});

test('self and inclusive cost of a function', async () => {
  const { page } = await open(`?history#series=parse&${function_('main')}`);
  expect(await page.locator('.history-sum').innerText()).toContain('1,000 Ir');
  await page.getByRole('radio', { name: 'Inclusive' }).click();
  await expect.poll(() => page.locator('.history-sum').innerText()).toContain(`${exact(totalOf(newest))} Ir`);
  expect(page.url()).toContain('cost=inclusive');
});

test('branches, tags, event types and ranges of time are chosen, and are in the address', async () => {
  const opened = await open('?history#series=parse');
  const { page } = opened;
  const facts = () => page.locator('.history-sum').innerText();
  const choose = async (menu: string, item: string) => {
    await page.getByRole('button', { name: menu }).click();
    await page.getByRole('menuitemradio', { name: item }).click();
  };
  await choose('main', 'feature/x');
  await expect.poll(facts).toContain('10 entries, branch feature/x');
  await choose('feature/x', 'All branches');
  await expect.poll(facts).toContain('70 entries');
  await choose('All tags', 'size=big');
  await expect.poll(facts).toContain('10 entries');
  await page.goBack();
  await expect.poll(facts).toContain('70 entries');
  await page.goBack();
  await page.goBack();
  await expect.poll(facts).toContain('60 entries, branch main');
  await choose('Ir', 'Dr');
  await expect.poll(facts).toMatch(/ Dr/);
  expect(page.url()).toMatch(/#series=parse&event=Dr$/);
  await page.getByRole('button', { name: 'All time' }).click();
  await page.getByLabel('From', { exact: true }).fill('2023-11-20');
  await page.getByLabel('To', { exact: true }).fill('2023-11-21');
  await page.keyboard.press('Escape');
  await expect.poll(facts).toContain('4 entries'); // they are ten hours apart: 13 to 16
  expect(await page.getByRole('button', { name: '2023-11-20 – 2023-11-21' }).count()).toBe(1);
  await page.goto(`${view.address}?history#series=parse&branch=none`);
  await page.getByText('no entry is chosen by these filters').waitFor();
  await page.getByRole('link', { name: 'All entries' }).click();
  await expect.poll(facts).toContain('70 entries');
  expectQuiet(opened);
});

test('a drag over the chart chooses a range of time', async () => {
  const { page } = await open('?history#series=parse');
  const box = (await page.getByRole('slider').boundingBox())!;
  await page.mouse.move(box.x + box.width * 0.5, box.y + 100);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + 90, { steps: 4 });
  await page.mouse.move(box.x + box.width * 0.75, box.y + 90, { steps: 4 });
  expect(await page.locator('.chart-range').getAttribute('d')).toMatch(/^M/);
  await page.mouse.up();
  await expect.poll(() => page.locator('.history-sum').innerText()).toMatch(/^.*1[4-8] entries/s);
  expect(page.url()).toMatch(/since=2023.*until=2023/);
});

test('entries: compared with the one before, or two that are marked', async () => {
  const { page } = await open('?history#series=parse&tab=entries');
  expect(await rows(page).count()).toBe(versions);
  const cells = await rows(page).first().locator('td').allInnerTexts();
  expect(cells.slice(2, 6)).toEqual([labelOf(newest), 'main', 'm', exact(totalOf(newest))]);
  await rows(page).nth(3).getByRole('checkbox').check();
  await rows(page).nth(20).getByRole('checkbox').check();
  await page.getByRole('link', { name: `Compare ${labelOf(newest - 20)} and ${labelOf(newest - 3)}` }).click();
  await page.waitForSelector('.difference-head');
  const title = () => page.locator('.header-title').innerText();
  expect(await title()).toMatch(new RegExp(`${labelOf(newest - 3)}.*compared with ${labelOf(newest - 20)}`, 's'));
  await page.goBack();
  await rows(page)
    .first()
    .getByRole('link', { name: `Compare ${labelOf(newest)}` })
    .click();
  await page.waitForSelector('.difference-head');
  expect(await title()).toMatch(new RegExp(`${labelOf(newest)}.*compared with ${labelOf(newest - 1)}`, 's'));
  await page.goBack();
  await rows(page)
    .first()
    .getByRole('link', { name: labelOf(newest), exact: true })
    .click();
  await page.waitForSelector('.functions-body [role=row]');
  expect(await page.locator('main').innerText()).not.toContain('compared');
});

test('from a function of a profile to its history', async () => {
  const { page } = await open('?history#series=parse&tab=entries');
  await rows(page)
    .first()
    .getByRole('link', { name: labelOf(newest), exact: true })
    .click();
  const row = page.locator('.functions-body .table-body [role=row]', { hasText: 'hash' }).first();
  await row.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'History of this function' }).click();
  await page.waitForSelector('.chart');
  expect(decodeURIComponent(page.url())).toContain(`?history#series=parse&${function_('hash')}`);
  expect(await page.locator('.chart-change').count()).toBe(2);
  await page.goBack();
  await page.waitForSelector('.functions-body [role=row]');
  await page.keyboard.press('/');
  await page.keyboard.type('history of');
  await page.getByRole('option', { name: 'History of the selected function' }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForSelector('.chart');
  expect(page.url()).toContain('fn=hash');
  await page.goBack();
  await page.getByRole('link', { name: 'History' }).click();
  await page.waitForSelector('.chart');
  expect(page.url()).toMatch(/#series=parse$/);
});

test('a store beside a profile', async () => {
  const beside = await startStore(store.store, profile('callgrind/default.out'));
  others.push(beside);
  const { page } = await open('', {}, beside.address);
  await page.waitForSelector('.functions-body [role=row]');
  await page.getByRole('link', { name: 'History' }).click();
  await expect.poll(() => texts(page, '.card h2')).toContain('parse');
  await page.getByRole('link', { name: 'Profile' }).click();
  await page.waitForSelector('.functions-body [role=row]');
  const plain = await startView(profile('callgrind/default.out'));
  others.push(plain);
  await page.goto(`${plain.address}?history`);
  await page.waitForSelector('.functions-body [role=row]');
  expect(await page.getByRole('link', { name: 'History' }).count()).toBe(0);
  await page.locator('.functions-body .table-body [role=row]').first().click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Focus' }).waitFor();
  expect(await page.getByRole('menuitem', { name: /History/ }).count()).toBe(0);
});

test('what there is not, and an empty store', async () => {
  const { page } = await open('?history#series=nothing');
  expect(await page.locator('.empty-state').innerText()).toContain("no series 'nothing'");
  await page.getByRole('link', { name: 'All series' }).click();
  await page.waitForSelector('.card');
  await page.goto(`${view.address}?series=parse&entry=99999`);
  await page.getByText('no such entry').waitFor();
  await page.getByRole('link', { name: 'Show the history' }).click();
  await page.waitForSelector('.card');
  await page.goto(`${view.address}?history#series=compress&${function_('nobody')}`);
  await page.getByText('no entry of this series has the function').waitFor();

  const empty = testStore();
  empty.add('one', 1);
  const served = await startStore(empty.store);
  others.push(served, { kill: empty.remove });
  await page.goto(served.address);
  await page.locator('.card', { hasText: 'No changes' }).click();
  await page.waitForSelector('.chart');
  empty.prune();
  await page.goto(served.address);
  await page.getByText('callcost history add FILE').waitFor();
  empty.add('two', 2);
  await page.getByRole('button', { name: 'Look again' }).click();
  await expect.poll(() => texts(page, '.card h2')).toEqual(['two']);
});

test('when the server is gone, what is shown stays', async () => {
  const served = await startStore(store.store);
  const { page } = await open('?history#series=parse', {}, served.address);
  await served.end();
  await page.getByRole('tab', { name: 'Functions' }).click();
  await page.getByText('callcost does not respond').first().waitFor();
  expect(await page.locator('.chart-change').count()).toBe(changed.length);
  let asked = 0;
  page.on('request', () => asked++);
  await page.getByRole('button', { name: 'Retry' }).first().click();
  await expect.poll(() => asked).toBeGreaterThan(0);
  await page.getByRole('tab', { name: 'Changes' }).click();
  expect(await rows(page).count()).toBe(changed.length);
});

test('when the store does not answer, what is shown stays until it does', async () => {
  const { page } = await open('?history#series=parse&tab=entries');
  const error = { id: 'no-store', message: 'the database is locked', hint: 'wait' };
  await page.route('**/ask', route => route.fulfill({ json: { error } }));
  await page.getByRole('button', { name: 'main' }).click();
  await page.getByRole('menuitemradio', { name: 'feature/x' }).click();
  await page.getByText('the database is locked').waitFor();
  expect(await rows(page).count()).toBe(versions);
  expect(await page.locator('.chart-change').count()).toBe(changed.length);
  await page.unroute('**/ask');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect.poll(() => rows(page).count()).toBe(10);
  expect(await page.locator('.banner').count()).toBe(0);
});

test('10,000 entries are drawn within a second', async () => {
  const large = testStore();
  large.add('large', 3, '--branch', 'main');
  large.derive('large', 10_000);
  large.add('small', 3, '--branch', 'main');
  large.derive('small', 10);
  const served = await startStore(large.store);
  others.push(served, { kill: large.remove });
  const opened = await open('', {}, served.address);
  const { page } = opened;
  const times: Record<string, number[]> = { small: [], large: [] };
  for (const series of ['small', 'large', 'small', 'large', 'small', 'large']) {
    await page.goto(`${served.address}?history`);
    await page.waitForSelector('.card');
    const began = Date.now();
    await page.locator('.card-link', { hasText: series }).click();
    await page.waitForSelector('.chart-line');
    await settle(page);
    times[series]!.push(Date.now() - began - 500); // settle() waits for half a second without requests
  }
  // On a machine that does other things too: no more than four times as long as a few entries.
  expect(Math.min(...times.large!)).toBeLessThan(Math.max(1000, 4 * Math.min(...times.small!)));
  expect(await page.locator('.history-sum').innerText()).toContain('10,001 entries');
  await page.getByRole('tab', { name: 'Entries' }).click();
  const cost = await rows(page).first().locator('td').nth(5).innerText();
  expect(await page.locator('.history-sum strong').innerText()).toBe(`${cost} Ir`); // whatever points are drawn
  const path = (await page.locator('.chart-line').first().getAttribute('d'))!;
  expect(path.split('L').length).toBeLessThan(2600);
  await page.getByRole('slider').focus();
  for (let i = 0; i < 20; i++) await page.keyboard.press('ArrowLeft');
  expect(await page.getByRole('slider').getAttribute('aria-valuetext')).toContain('f00d');
  expect(await rows(page).count()).toBe(100);
  expectQuiet(opened);
});
