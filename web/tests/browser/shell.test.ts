import { expect, test } from 'vitest';
import { exact } from '../../src/model/format';
import type { FunctionRow, ListAnswer } from '../../src/protocol/protocol';
import { accessibility, expectQuiet, openPage, settle } from './chromium';

const rows = '.functions-body .table-body [role=row]';

test('an address brings everything back', async () => {
  const at = 'functions&fn=fib(int)&event=Dr&second=Dw&numbers=relative&hide=_dl_&search=i&group=object&sort=inclusive';
  const { page } = await openPage('callgrind/all-events.out', { at });
  await page.waitForSelector(rows);
  expect(await page.locator('.chip').innerText()).toContain('_dl_');
  expect(await page.locator('.event-button').innerText()).toMatch(/Dr\s*\+ Dw/);
  expect(await page.getByRole('radio', { name: '%', exact: true }).getAttribute('aria-checked')).toBe('true');
  expect(await page.locator('[data-find]').inputValue()).toBe('i');
  expect(await page.locator('.status-selection').innerText()).toContain('fib(int)');
  expect(await page.locator('[aria-sort=descending]').innerText()).toContain('Inclusive');
});

test('back and forward: buttons, keys, and the browser', async () => {
  const { page } = await openPage('callgrind/default.out');
  await page.waitForSelector(rows);
  const view = () => page.locator('.shell-tab[aria-current]').innerText();
  await page.keyboard.press('3');
  await page.keyboard.press('6');
  expect(await view()).toBe('Source');
  await page.getByRole('button', { name: 'Back' }).click();
  await expect.poll(view).toBe('Flame graph');
  await page.keyboard.press('Alt+ArrowLeft');
  await expect.poll(view).toBe('Functions');
  await page.goForward();
  await expect.poll(view).toBe('Flame graph');
  expect(await page.getByRole('button', { name: 'Forward' }).isEnabled()).toBe(true);
});

test('an address that changes the list and the view at once leads on, as back and forward do', async () => {
  const opened = await openPage('callgrind/default.out');
  const { page } = opened;
  await page.waitForSelector(rows);
  const view = () => page.locator('.shell-tab[aria-current]').innerText();
  const go = (fragment: string) =>
    page.evaluate(to => {
      location.hash = to;
    }, fragment);
  for (const [fragment, next, title] of [
    ['functions&group=object', 'callers&fn=main', 'Callers & callees'],
    ['functions&search=m', 'callers', 'Callers & callees'],
    ['functions&group=directory&member=x', 'source', 'Source'],
    ['functions&focus=zzzz', 'source', 'Source'],
  ] as const) {
    await go(fragment);
    await expect.poll(view).toBe('Functions');
    await settle(page);
    await go(next);
    await expect.poll(view).toBe(title);
    await expect.poll(() => page.locator('main').getAttribute('aria-label')).toBe(title);
    await expect.poll(() => page.locator('.functions-body').count()).toBe(0);
    await page.keyboard.press('Alt+ArrowLeft');
    await expect.poll(view).toBe('Functions');
    await page.waitForSelector('.functions-body');
  }
  expectQuiet(opened);
});

test('nothing found, nothing measured: the page says so, and what would help', async () => {
  const { page } = await openPage('callgrind/default.out', { at: 'functions&search=zzzz' });
  await expect.poll(() => page.locator('main').innerText()).toMatch(/No functions found[\s\S]*zzzz/);
  await page.getByRole('button', { name: 'Show all functions' }).click();
  await page.waitForSelector(rows);
  const empty = await openPage('callgrind/nothing-collected.out');
  await expect.poll(() => empty.page.locator('main').innerText()).toMatch(/Nothing was measured/);
  expect(await accessibility(empty.page)).toEqual([]);
});

test('the palette goes to functions, files and views by keys alone', async () => {
  const opened = await openPage('callgrind/default.out');
  const { page } = opened;
  await page.waitForSelector(rows);
  await page.keyboard.press('/');
  await page.keyboard.type('fib(int)');
  await expect.poll(() => page.locator('.palette-entry').first().innerText()).toContain('fib(int)');
  expect(await accessibility(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('.band-name').innerText()).toContain('fib(int)');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('treemap');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('.shell-tab[aria-current]').innerText()).toBe('Treemap');
  expectQuiet(opened);
});

test('what does not add up has no total, and is no nothing', async () => {
  const opened = await openPage('pprofile/det.callgrind', { before: 'pprofile/det.callgrind', at: 'functions' });
  const { page } = opened;
  await page.waitForSelector(rows);
  await page.locator('.header-title button').click();
  const facts = page.getByRole('dialog', { name: 'About this profile' });
  expect(
    await facts
      .getByRole('row', { name: /^usphit/ })
      .first()
      .innerText(),
  ).toMatch(/^usphit\s+–/);
  await page.keyboard.press('Escape');
  await page.locator('.event-button').click();
  const event = page.locator('.event-row', { hasText: 'usphit' });
  expect(await event.locator('.event-total').innerText()).toBe('–');
  await event.locator('.event-main').click();
  await expect.poll(() => page.locator('.status').innerText()).toContain('– usphit');
  for (const view of ['callers', 'difference', 'parts', 'source']) {
    await page.evaluate(to => {
      location.hash = `#${to}&event=usphit&fn=${encodeURIComponent('<module>:1')}`;
    }, view);
    await expect.poll(() => page.locator('.shell-view').innerText(), { message: view }).not.toBe('');
  }
  expectQuiet(opened);
});

test('find: Enter and the arrow keys lead to what is found, Esc gives the keys back', async () => {
  const opened = await openPage('callgrind/default.out');
  const { page } = opened;
  await page.waitForSelector(rows);
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  for (const key of ['Enter', 'ArrowDown']) {
    await page.keyboard.press('\\');
    await page.keyboard.type('main');
    await page.keyboard.press(key);
    expect(await focused()).toBe('Functions');
    await page.keyboard.press('\\');
    await page.keyboard.press('Escape');
    expect(await focused()).toBe('Functions');
    expect(await page.locator('[data-find]').inputValue()).toBe('');
  }
  await page.keyboard.press('3');
  await page.waitForSelector('.picture-area [role=treeitem]');
  await page.keyboard.press('\\');
  await page.keyboard.type('malloc');
  await page.locator('.picture-found').waitFor();
  await page.keyboard.press('Enter');
  const cursor = () => page.locator('.picture-area').getAttribute('aria-activedescendant');
  const first = await cursor();
  expect(first).not.toBeNull();
  await page.keyboard.press('Enter');
  await expect.poll(cursor).not.toBe(first);
  await page.keyboard.press('Escape');
  expect(await page.evaluate(() => document.activeElement?.classList.contains('picture-area'))).toBe(true);
  expectQuiet(opened);
});

test('pointing at a cost shows it whole with its shares, and the tooltip goes when the list moves', async () => {
  const opened = await openPage('callgrind/python-instr-jumps.out', { first: true });
  const { page, served } = opened;
  await page.waitForSelector(rows);
  const list = (await served.ask({ ask: 'functions', limit: 1 })) as ListAnswer<FunctionRow>;
  const first = list.rows[0]!;
  await page.locator(rows).first().locator('[role=gridcell] .number-text').first().hover();
  const tip = page.locator('.tooltip');
  await tip.waitFor();
  expect(await tip.innerText()).toContain(exact(first.self[0]!));
  expect(await tip.innerText()).toMatch(/% of its inclusive cost/);
  await page.mouse.wheel(0, 100);
  await expect.poll(() => tip.count()).toBe(0);
  // Bars are relative to the largest row.
  await page.mouse.wheel(0, -200);
  const bars = page.locator(rows).first().locator('.number-bar').first();
  expect(await bars.getAttribute('style')).toContain('scaleX(1)');
  expectQuiet(opened);
});

test('columns that were chosen are there the next time, if the profile has them', async () => {
  const { page, served } = await openPage('callgrind/all-events.out', { first: true });
  await page.waitForSelector(rows);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: /^Dr/ }).first().click();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.url()).toContain('column=Dr');
  await page.goto(`${served.address}#functions`);
  await page.reload();
  await page.waitForSelector(rows);
  await expect.poll(() => page.locator('[role=columnheader]', { hasText: 'Self Dr' }).count()).toBe(1);
});

test('an address of a view that there is not, or that has nothing to show, says so', async () => {
  const opened = await openPage('callgrind/default.out', { at: 'nonsense' });
  const { page } = opened;
  await expect.poll(() => page.locator('main').innerText()).toMatch(/no such view[\s\S]*nonsense/);
  await page.getByRole('button', { name: 'Show the functions' }).click();
  await page.waitForSelector(rows);
  for (const [view, text] of [
    ['parts', /Only one part/],
    ['difference', /Nothing to compare with/],
  ] as const) {
    await page.evaluate(to => {
      location.hash = to;
    }, view);
    await expect.poll(() => page.locator('main').innerText()).toMatch(text);
  }
  expect(await accessibility(page)).toEqual([]);
  expectQuiet(opened);
});

test('help, facts, diagnostics, menus: opened by keys, closed by Esc, accessible', async () => {
  const opened = await openPage('callgrind/names-latin1-utf8-long.out');
  const { page } = opened;
  await page.waitForSelector(rows);
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys and terms' }).waitFor();
  expect(await accessibility(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.locator('.status-problems').click();
  const odd = page.getByRole('dialog', { name: 'Diagnostics' });
  await odd.waitFor();
  expect(await odd.innerText()).toMatch(/:11,900:4 .*UTF-8/);
  expect(await accessibility(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.locator('.header-title button').click();
  await page.getByRole('dialog', { name: 'About this profile' }).waitFor();
  expect(await accessibility(page)).toEqual([]);
  await page.keyboard.press('Escape');
  for (const name of ['Settings', 'Save']) {
    await page.getByRole('button', { name }).click();
    await page.getByRole('menu').waitFor();
    expect(await accessibility(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('menu').count()).toBe(0);
  }
  await page.locator('.event-button').click();
  expect(await accessibility(page)).toEqual([]);
  expectQuiet(opened);
});

test('names of a hostile profile are text', async () => {
  const opened = await openPage('hostile/html-names.out', { at: 'functions&group=namespace' });
  const { page } = opened;
  await page.waitForSelector(rows);
  await page.keyboard.press('t');
  const text = await page.locator('.functions-body').innerText();
  expect(text).toContain('<script>alert(1)</script>');
  expect(text).toContain('‹202E›evil');
  expect(await page.locator('.shell img, .shell script, .shell iframe').count()).toBe(0);
  await page.getByText('<script>alert(1)').first().dblclick();
  await page.waitForSelector('.band');
  expectQuiet(opened);
});

test('what a profile does not have is said, with the command that gives it', async () => {
  const { page } = await openPage('cachegrind/default.out', { at: 'flame' });
  const empty = page.locator('.empty-state');
  expect(await empty.innerText()).toContain('no calls');
  expect(await empty.innerText()).toContain('callcost record PROGRAM');
  expect(await accessibility(page)).toEqual([]);
});

test('a row is copied as text, and its menu filters', async () => {
  const { page } = await openPage('callgrind/default.out');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.waitForSelector(rows);
  await page.locator(rows).first().click();
  await page.keyboard.press('Control+c');
  await expect.poll(() => page.locator('.toast').innerText()).toContain('Copied the row');
  expect((await page.evaluate(() => navigator.clipboard.readText())).split('\t').length).toBeGreaterThan(4);
  await page.keyboard.press('m');
  await page.getByRole('menuitem', { name: 'Hide', exact: true }).click();
  await expect.poll(() => page.locator('.chip').count()).toBe(1);
});

test('the view is copied as a command, and a command opens the view', async () => {
  const { page } = await openPage('callgrind/default.out', { at: 'functions&focus=main&group=object' });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.waitForSelector(rows);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Copy as command' }).click();
  await expect.poll(() => page.locator('.toast').innerText()).toContain('Copied the command');
  const command = await page.evaluate(() => navigator.clipboard.readText());
  expect(command).toMatch(/^callcost top --group=object --focus=main \S*default\.out$/);
  await page.keyboard.press('/');
  await page.locator('.palette input').fill(command.replace('group=object', 'group=file'));
  await page.keyboard.press('Enter');
  await expect
    .poll(() => page.evaluate(() => location.hash))
    .toMatch(/^#functions&(?=.*focus=main)(?=.*level=file).*$/);
});

test('narrow and wide: nothing is cut off at the side', async () => {
  for (const width of [800, 1280, 1920]) {
    const { page } = await openPage('callgrind/default.out', { viewport: { width, height: 700 } });
    await settle(page);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow, `${width}`).toBeLessThanOrEqual(0);
    const right = await page.locator('.header-right').boundingBox();
    expect(right!.x + right!.width).toBeLessThanOrEqual(width);
  }
});

test('the details are what the filters keep; a view that they do not change says so, and has whole costs', async () => {
  const at = `fn=${encodeURIComponent('leaf(long)')}&focus=${encodeURIComponent('phase1')}`;
  const opened = await openPage('callgrind/default.out', { at: `functions&${at}&functions.details=yes` });
  const { page } = opened;
  const band = page.locator('.band');
  await expect.poll(() => band.innerText()).toMatch(/leaf\(long\)[\s\S]*\n7,900/);
  expect(await page.locator('.filter-note').count()).toBe(0);
  await page.keyboard.press('2');
  await expect.poll(() => page.locator('.filter-note').innerText()).toMatch(/do not apply to this view/);
  await expect.poll(() => band.innerText()).toMatch(/leaf\(long\)[\s\S]*15,800/);
  expectQuiet(opened);
});

test('keys that move go into the view, where nothing has the focus', async () => {
  const opened = await openPage('callgrind/default.out', { at: 'functions' });
  const { page } = opened;
  await page.waitForSelector('.functions-body .table-body [role=row]');
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('grid');
  await page.keyboard.press('f');
  await page.keyboard.type('show:fib');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.keyboard.press('3');
  await expect.poll(() => page.locator('.shell-tab[aria-current]').innerText()).toBe('Flame graph');
  await page.waitForSelector('[role=treeitem]');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true);
  expectQuiet(opened);
});
