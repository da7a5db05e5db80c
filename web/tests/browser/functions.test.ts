import { expect, test } from 'vitest';
import { exact } from '../../src/model/format';
import type { FunctionAnswer, FunctionRow, ListAnswer } from '../../src/protocol/protocol';
import { accessibility, expectQuiet, openPage, settle } from './chromium';

const rows = '.functions-body .table-body [role=row]';

test('the list shows the numbers of the engine, in its order', async () => {
  const opened = await openPage('callgrind/python-instr-jumps.out');
  const { page, served } = opened;
  await page.waitForSelector(rows);
  const list = (await served.ask({ ask: 'functions', limit: 10 })) as ListAnswer<FunctionRow>;
  for (const [at, row] of list.rows.entries()) {
    const cells = await page.locator(rows).nth(at).locator('[role=gridcell]').allInnerTexts();
    expect(cells.slice(0, 3)).toEqual([row.self[0]!, row.inclusive[0]!, row.called!].map(exact));
    expect(cells[4]).toContain(row.name);
  }
  expect(await page.locator('[role=grid]').getAttribute('aria-rowcount')).toBe(String(list.matching + 1));
  expectQuiet(opened);
});

test('a column sorts by a click, and back by another', async () => {
  const { page } = await openPage('callgrind/default.out');
  const first = page.locator(rows).first();
  await first.waitFor();
  await page.getByRole('button', { name: 'Function', exact: true }).click();
  await settle(page);
  expect(page.url()).toContain('sort=name');
  const ascending = await first.innerText();
  await page.getByRole('button', { name: 'Function', exact: true }).click();
  await settle(page);
  expect(await first.innerText()).not.toBe(ascending);
  expect(await page.locator('[aria-sort=descending]').innerText()).toContain('Function');
});

test('any row of a long list can be scrolled to', async () => {
  const { page, served } = await openPage('callgrind/python-instr-jumps.out');
  await page.waitForSelector(rows);
  await page.locator('[role=grid]').focus();
  await page.keyboard.press('End');
  const list = (await served.ask({ ask: 'functions', offset: 3400, limit: 200 })) as ListAnswer<FunctionRow>;
  const last = page.locator('[role=row].table-active');
  await expect.poll(() => last.innerText()).toContain(list.rows.at(-1)!.name);
  expect(await last.getAttribute('aria-rowindex')).toBe(String(list.matching + 1));
  expect(await page.locator('[role=grid]').getAttribute('aria-activedescendant')).toBe(await last.getAttribute('id'));
  await page.keyboard.press('Home');
  await expect.poll(() => page.locator('[role=row].table-active').getAttribute('aria-rowindex')).toBe('2');
});

test('a part at the side is as wide as one likes, and stays so', async () => {
  const opened = await openPage('callgrind/default.out', { at: 'functions&functions.details=yes' });
  const { page } = opened;
  await page.waitForSelector(rows);
  const side = page.locator('.side-panel');
  const border = page.getByRole('separator', { name: 'Details width' });
  const width = async () => Math.round((await side.boundingBox())!.width);
  const first = await width();
  const box = (await border.boundingBox())!;
  await page.mouse.move(box.x, box.y + 100);
  await page.mouse.down();
  await page.mouse.move(box.x - 50, box.y + 120, { steps: 3 });
  await page.mouse.up();
  await page.mouse.move(box.x + 100, box.y + 100);
  expect(await width()).toBe(first + 50);
  await border.focus();
  await page.keyboard.press('ArrowRight');
  expect(await width()).toBe(first + 34);
  await page.reload();
  await page.waitForSelector(rows);
  expect(await width()).toBe(first + 34);
  expectQuiet(opened);
});

test('a list is where it was left', async () => {
  const { page } = await openPage('callgrind/python-instr-jumps.out');
  await page.waitForSelector(rows);
  const grid = page.getByRole('grid', { name: 'Functions' });
  await grid.focus();
  for (let pages = 0; pages < 5; pages++) await page.keyboard.press('PageDown');
  const place = await grid.evaluate(one => one.scrollTop);
  const active = await page.locator('[role=row].table-active').innerText();
  expect(place).toBeGreaterThan(1000);
  await page.keyboard.press('5');
  await page.waitForSelector('.picture-area, .graph-area, .empty-state');
  await page.keyboard.press('1');
  await expect.poll(() => grid.evaluate(one => one.scrollTop)).toBe(place);
  await expect.poll(() => page.locator('[role=row].table-active').innerText()).toBe(active);
});

test('finding restricts the list, an expression too', async () => {
  const { page, served } = await openPage('callgrind/default.out');
  await page.waitForSelector(rows);
  await page.keyboard.press('\\');
  await page.keyboard.type('/^_dl_/');
  const list = (await served.ask({ ask: 'functions', search: '/^_dl_/' })) as ListAnswer<FunctionRow>;
  await expect.poll(() => page.locator('.view-bar').innerText()).toContain(`${list.matching} functions found`);
  await page.keyboard.press('Escape');
  await expect.poll(() => page.locator('.view-bar').innerText()).not.toContain('found');
});

test('what was searched for is marked, and stays in names that are shortened', async () => {
  const { page } = await openPage('callgrind/stl-O2-instr-jumps.out', {
    at: 'functions&search=variant<',
    viewport: { width: 900, height: 800 },
  });
  await page.waitForSelector(`${rows} mark`);
  for (const row of (await page.locator(rows).all()).slice(0, 5))
    expect(await row.locator('mark').first().innerText()).toBe('variant<');
});

test('callers in a context are written as such', async () => {
  const { page } = await openPage('callgrind/sepcallers-chain.out', { at: 'functions&contexts=keep' });
  await page.waitForSelector(rows);
  await expect.poll(() => page.locator('.functions').innerText()).toContain(' ← ');
});

test('groups: a chosen one restricts the list', async () => {
  const { page, served } = await openPage('callgrind/default.out', { at: 'functions&group=object' });
  const groups = page.getByRole('grid', { name: 'Groups of functions' });
  await groups.locator('.table-body [role=row]').first().click();
  const answer = (await served.ask({ ask: 'groups', by: 'object' })) as ListAnswer<{ name: string; functions: number }>;
  const first = answer.rows[0]!;
  await expect.poll(() => page.locator('.view-bar').first().innerText()).toContain(`${first.functions} functions in`);
  expect(decodeURIComponent(page.url())).toContain(`member=${first.name}`);
});

test('another event, a formula and a wrong one', async () => {
  const opened = await openPage('callgrind/all-events.out');
  const { page, served } = opened;
  await page.waitForSelector(rows);
  await page.locator('.event-button').click();
  await page.getByRole('button', { name: /^Dr/ }).click();
  const list = (await served.ask({ ask: 'functions', event: 'Dr' })) as ListAnswer<FunctionRow>;
  await expect.poll(() => page.locator(rows).first().innerText()).toContain(exact(list.rows[0]!.self[0]!));
  await page.locator('.event-button').click();
  await page.getByLabel('Formula').fill('Ir + Nothing');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('.event-formula [role=alert]').innerText()).toContain('Nothing');
  await page.getByLabel('Formula').fill('Ir + 10 Dr');
  await page.keyboard.press('Enter');
  const derived = (await served.ask({ ask: 'functions', event: 'Ir + 10 Dr' })) as ListAnswer<FunctionRow>;
  await expect.poll(() => page.locator(rows).first().innerText()).toContain(exact(derived.rows[0]!.self[0]!));
  expect(page.url()).toContain('event=Ir+%2B+10+Dr');
  expectQuiet(opened);
});

test('a filter is a chip; a wrong one says what is wrong; Backspace takes it back', async () => {
  const { page } = await openPage('callgrind/default.out');
  await page.waitForSelector(rows);
  await page.keyboard.press('f');
  await page.keyboard.type('hide: _dl_');
  await page.keyboard.press('Enter');
  expect(await page.locator('.chip').innerText()).toContain('_dl_');
  await expect.poll(() => page.locator(rows).first().innerText()).not.toContain('_dl_');
  expect(page.url()).toContain('hide=_dl_');
  await page.keyboard.type('focus: /(/');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('.banner.error').innerText()).toContain('/(/');
  expect(await page.locator('.chip.wrong').innerText()).toContain('/(/');
  await page.keyboard.press('Backspace');
  await expect.poll(() => page.locator('.banner.error').count()).toBe(0);
  expect(await page.locator('.chip').count()).toBe(1);
});

test('callers and callees: exact costs and counts, and the places of the calls', async () => {
  const opened = await openPage('callgrind/default.out', { at: 'callers&fn=fib(int)' });
  const { page, served } = opened;
  const callees = page.getByRole('treegrid', { name: 'Callees' });
  await callees.waitFor();
  const { id } = (await served.ask({ ask: 'find', name: 'fib(int)' })) as { id: number };
  const answer = (await served.ask({ ask: 'function', id, sites: true })) as FunctionAnswer;
  const callers = page.getByRole('treegrid', { name: 'Callers' });
  for (const [at, row] of answer.callers.rows.entries()) {
    const text = await callers.locator('.table-body [role=row]').nth(at).innerText();
    expect(text).toContain(exact(row.cost[0]!));
    expect(text).toContain(exact(row.count!));
    expect(text).toContain(row.name);
  }
  expect(await page.locator('.band').innerText()).toContain(exact(answer.function.self[0]!));
  await callers.focus();
  await page.keyboard.press('ArrowRight');
  const site = answer.callers.rows[0]!.sites![0]!;
  await expect.poll(() => callers.innerText()).toContain(`:${site.line}`);
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('.band-name').innerText()).toContain(answer.callers.rows[0]!.name);
  await page.keyboard.press('Alt+ArrowLeft');
  await expect.poll(() => page.locator('.band-name').innerText()).toContain('fib(int)');
  expectQuiet(opened);
});

test('two profiles: before, now, change with a shape', async () => {
  const opened = await openPage('callgrind/default.out', { before: 'callgrind/stripped.out', at: 'functions' });
  const { page } = opened;
  await page.waitForSelector(rows);
  expect(await page.locator('[aria-sort=descending]').innerText()).toContain('Δ self');
  const text = await page.locator(rows).first().innerText();
  expect(text).toMatch(/[▲▼] [+−]/);
  expectQuiet(opened);
});

test('a comparison begins with the difference; its lists have names first, and their callers and callees fit', async () => {
  const before = 'callgrind/instr-jumps.out';
  const opened = await openPage('callgrind/stl-O2-instr-jumps.out', { before, first: true });
  const { page } = opened;
  await page.waitForSelector('.difference-changed');
  expect(await page.locator('.shell-tab[aria-current]').innerText()).toBe('Difference');
  const headings = await page.locator('.difference h3').allInnerTexts();
  expect(headings[0]).toMatch(/^(More expensive|Cheaper)/);
  await page.keyboard.press('1');
  await page.waitForSelector(rows);
  expect(await page.locator('.functions-body [role=columnheader]').first().innerText()).toBe('Function');
  const name = page.locator(rows).first().locator('[role=gridcell]').first();
  expect((await name.boundingBox())!.width).toBeGreaterThan(170);
  for (const label of ['Callers', 'Callees']) {
    const grid = page.getByRole('treegrid', { name: label });
    if ((await grid.count()) === 0) continue;
    expect(await grid.evaluate(one => one.scrollWidth - one.clientWidth), label).toBe(0);
  }
  await page.goto(`${opened.served.address}#functions`);
  await page.reload();
  await page.waitForSelector(rows);
  expect(await page.locator('.shell-tab[aria-current]').innerText()).toBe('Functions');
  expectQuiet(opened);
});

test('recursion levels are added up, or separate as in the file', async () => {
  const { page } = await openPage('callgrind/default.out', { at: 'functions&search=fib(int)' });
  await page.waitForSelector(rows);
  expect(await page.locator(rows).count()).toBe(1);
  await page.getByRole('button', { name: 'Recursion added up' }).click();
  await page.getByRole('menuitemradio', { name: 'Separate' }).click();
  await expect.poll(() => page.locator(rows).count()).toBeGreaterThan(1);
  expect(page.url()).toContain('contexts=keep');
});

test('accessible in light and dark', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const at of [
      'functions&group=object&hide=x&second=Dr',
      'callers&fn=fib(int)',
      'callers',
      'source&fn=nothing',
    ]) {
      const { page } = await openPage('callgrind/all-events.out', { at, colorScheme });
      await settle(page);
      await page.waitForSelector('[role=row]');
      expect(await accessibility(page), `${at} ${colorScheme}`).toEqual([]);
    }
  }
});

test('a function that is gone is one of the comparison only', async () => {
  const gone = '__futex_abstimed_wait_common';
  const opened = await openPage('callgrind/default.out', {
    before: 'callgrind/jumps.out',
    at: `functions&search=${gone}`,
  });
  const { page } = opened;
  await page.locator(rows, { hasText: gone }).first().click();
  await page.keyboard.press('2'); // callers
  await expect.poll(() => page.locator('.band-name').innerText()).toContain('removed');
  await page.goto(`${page.url()}&graph.node_share=0&graph.arc_share=0`.replace('#callers', '#graph'));
  await expect.poll(() => page.locator('.graph-sum').innerText()).toContain('functions');
  expect(await page.locator('.graph').innerText()).toContain(gone);
  await page.keyboard.press('2');
  await page.locator('.band-name').waitFor();
  await page.evaluate(() => {
    location.hash += '&compare=no';
  });
  await expect.poll(() => page.locator('.status-selection').innerText()).toContain('is not in this profile');
  expect(await page.getByRole('alert').count()).toBe(0);
  expectQuiet(opened);
});

test('the summary says where the cost is, and leads there', async () => {
  const opened = await openPage('callgrind/python-instr-jumps.out');
  const { page } = opened;
  const summary = page.getByRole('region', { name: 'Summary' });
  await summary.waitFor();
  const text = (await summary.innerText()).replaceAll('\u202f', '');
  expect(text).toContain('main costs 99.09%, nearly all of it in Py_BytesMain: Py_RunMain');
  await summary.getByRole('button', { name: 'Py_BytesMain' }).click();
  await settle(page);
  expect(page.url()).toContain('Py_BytesMain');
  expect(await accessibility(page)).toEqual([]);
  await page.getByRole('button', { name: 'Hide the summary' }).click();
  await expect.poll(() => summary.count()).toBe(0);
  await page.reload();
  await page.waitForSelector(rows);
  expect(await summary.count(), 'the choice is remembered').toBe(0);
  await page.getByRole('button', { name: 'Summary' }).click();
  await summary.waitFor();
  expectQuiet(opened);
});

test('the summary opens cycles, and is not there with filters', async () => {
  const { page } = await openPage('ruby-prof/memory-1.callgrind');
  const summary = page.getByRole('region', { name: 'Summary' });
  await summary.getByRole('button', { name: 'cycle 4' }).click();
  await settle(page);
  expect(page.url()).toContain('cycle');
  await page.goto(`${page.url()}&focus=require`);
  await page.reload();
  await page.waitForSelector(rows);
  await expect.poll(() => summary.count()).toBe(0);
});

test('the first screen shows shares, and the most expensive function with its callers and callees', async () => {
  const opened = await openPage('callgrind/python-instr-jumps.out', { first: true });
  const { page, served } = opened;
  await page.waitForSelector(rows);
  const list = (await served.ask({ ask: 'functions', limit: 1 })) as ListAnswer<FunctionRow>;
  const cells = await page.locator(rows).first().locator('[role=gridcell]').allInnerTexts();
  expect(cells[0]).toMatch(/%$/);
  const details = page.locator('.details');
  await details.waitFor();
  expect(await details.innerText()).toContain(list.rows[0]!.name);
  expect(await details.innerText()).toContain('4 callers');
  expect(await accessibility(page)).toEqual([]);
  expectQuiet(opened);

  // What is chosen holds the next time, whatever the address says nothing about.
  await page
    .getByRole('radio', { name: '123' })
    .or(page.getByRole('button', { name: '123' }))
    .first()
    .click();
  await page.getByRole('button', { name: 'Details of the selected function' }).click();
  await settle(page);
  await page.goto(`${served.address}#functions`);
  await page.reload();
  await page.waitForSelector(rows);
  await expect.poll(() => page.locator(rows).first().innerText()).toContain(exact(list.rows[0]!.self[0]!));
  expect(await details.count()).toBe(0);
});

test('under a focus functions are ranked by an estimate, which is marked and has its bounds in the hint', async () => {
  const opened = await openPage('callgrind/paths.out', { at: 'functions&focus=parse' });
  const { page, served } = opened;
  const first = page.locator(rows).first();
  await first.waitFor();
  const list = (await served.ask({ ask: 'functions', focus: ['parse'], limit: 10 })) as ListAnswer<FunctionRow>;
  expect(list.rows.some(row => row.self_bounds)).toBe(true);
  for (const [at, row] of list.rows.entries()) {
    const cells = await page.locator(rows).nth(at).locator('[role=gridcell]').allInnerTexts();
    expect(cells[0]).toBe((row.self_bounds?.[0] ? '~' : '') + exact(row.self[0]!));
    expect(cells[1]).toBe((row.inclusive_bounds?.[0] ? '~' : '') + exact(row.inclusive[0]!));
  }
  const [least, most] = list.rows[0]!.self_bounds![0]!;
  await first.locator('.number-text').first().hover();
  await expect.poll(() => page.locator('.tooltip').innerText()).toMatch(/estimated/);
  const hint = await page.locator('.tooltip').innerText();
  expect(hint).toContain(exact(least!));
  expect(hint).toContain(exact(most!));
  expectQuiet(opened);
});
