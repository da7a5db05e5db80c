// Parts, and the difference between two profiles.

import { describe, expect, test } from 'vitest';
import { exact, percent, percentBrief } from '../../src/model/format';
import type { DifferenceAnswer, ListAnswer, PartsAnswer } from '../../src/protocol/protocol';
import { expectQuiet, openPage } from './chromium';

async function functionId(served: { ask(question: unknown): Promise<unknown> }, name: string): Promise<number> {
  return ((await served.ask({ ask: 'find', name })) as { id: number }).id;
}

describe('parts', () => {
  const file = 'callgrind/threads-separate-combined-every-bb.out';
  const rows = '.parts .table-body [role=row]';

  test('chosen ones restrict every view, and all come back', async () => {
    const opened = await openPage(file, { at: 'parts' });
    const { page, served } = opened;
    await page.waitForSelector(rows);
    const answer = (await served.ask({ ask: 'parts' })) as PartsAnswer;
    for (const [at, row] of answer.rows.entries())
      expect(await page.locator(rows).nth(at).innerText()).toContain(exact(row.self[0]!));
    await page.getByRole('grid', { name: 'Parts' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.status').innerText()).toContain(exact(answer.rows[1]!.self[0]!));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press(' ');
    const both = (await served.ask({ ask: 'functions', part_rows: [1, 3], limit: 1 })) as ListAnswer<unknown>;
    await expect.poll(() => page.locator('.status').innerText()).toContain(exact(both.total[0]!));
    expect(decodeURIComponent(page.url())).toContain('parts=1,3');
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(() => page.locator('.parts-check[aria-checked=false]').count()).toBe(0);
    expectQuiet(opened);
  });

  test('have a lane for each thread, and their shares in the bars and in the list', async () => {
    const opened = await openPage(file, { at: 'parts' });
    const { page, served } = opened;
    await page.waitForSelector(rows);
    const answer = (await served.ask({ ask: 'parts' })) as PartsAnswer;
    const share = (at: number) => percent(Number(answer.rows[at]!.self[0]) / Number(answer.total[0]));
    for (const at of answer.rows.keys()) expect(await page.locator(rows).nth(at).innerText()).toContain(share(at));
    expect(await page.locator('.parts-lane').allTextContents()).toEqual([
      `Thread 1 ${percentBrief(0.89)}`,
      'Thread 2',
      'Thread 3',
    ]);
    expect(await page.locator('.parts-number').first().textContent()).toBe(`1 · ${percentBrief(0.75)}`);
    expectQuiet(opened);
  });

  test('on a phone are a name, a cost and a share, without scrolling sideways; a touch of a bar chooses its part', async () => {
    const opened = await openPage(file, {
      at: 'parts',
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    const { page } = opened;
    await page.waitForSelector(rows);
    const grid = page.getByRole('grid', { name: 'Parts' });
    expect(await grid.evaluate(element => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0);
    expect(await page.locator(rows).nth(2).innerText()).toContain('part 2, thread 2');
    await page.locator('.parts-bar').first().tap();
    await expect.poll(() => decodeURIComponent(page.url())).toMatch(/parts=\d/);
    expectQuiet(opened);
  });

  test('what the selected function cost in each part is what the part alone says', async () => {
    const { page, served } = await openPage(file, { at: 'parts&fn=_dl_lookup_symbol_x' });
    await page.waitForSelector(rows);
    const id = await functionId(served, '_dl_lookup_symbol_x');
    const answer = (await served.ask({ ask: 'parts', id })) as PartsAnswer;
    for (const [at, row] of answer.rows.entries()) {
      await expect.poll(() => page.locator(rows).nth(at).innerText()).toContain(exact(row.function!.self[0]!));
      const alone = (await served.ask({ ask: 'function', id, part_rows: [at] })) as {
        function?: { self: number[]; inclusive: number[] };
      };
      if (!alone.function) continue;
      expect(row.function!.self[0]).toBe(alone.function.self[0]);
      expect(row.function!.inclusive[0]).toBe(alone.function.inclusive[0]);
    }
  });
});

test('the timeline of parts says what its heights are', async () => {
  const opened = await openPage('callgrind/threads-separate-combined-every-bb.out', { at: 'parts' });
  expect(await opened.page.locator('.parts-key').innerText()).toMatch(/^Height: cost, the highest is [\d,]+ Ir/);
  expectQuiet(opened);
});

test('compared, each part stands beside the one before, and is compared with that one when it is chosen', async () => {
  const parts = 'callgrind/combined-instr-jumps-cache.out';
  const opened = await openPage(parts, { before: parts, at: 'parts' });
  const { page, served } = opened;
  await page.waitForSelector('.table-body [role=row]');
  const answer = (await served.ask({ ask: 'parts', compare: true })) as PartsAnswer;
  expect(answer.removed).toEqual([]);
  expect(answer.rows.map(row => row.before)).toEqual(answer.rows.map(row => row.index));
  await page.locator('.table-body [role=row]').nth(1).dblclick();
  await expect.poll(() => page.locator('.view-bar').innerText()).toMatch(/the same old parts/);
  await page.keyboard.press('1');
  await expect.poll(() => page.locator('.status').innerText()).not.toMatch(/[▲▼]/);
  expectQuiet(opened);
});

describe('difference', () => {
  test('the verdict, and the functions that changed, with the numbers of the engine', async () => {
    const before = 'callgrind/combined-instr-jumps-cache.out';
    const opened = await openPage('callgrind/all-events.out', { before, at: 'difference' });
    const { page, served } = opened;
    const report = page.getByRole('region', { name: 'Difference' });
    await report.waitFor();
    const answer = (await served.ask({ ask: 'difference', compare: true, limit: 20 })) as DifferenceAnswer;
    const text = await report.innerText();
    for (const number of [answer.total, answer.total_before]) expect(text).toContain(exact(number!));
    for (const row of answer.changed.slice(0, 10)) {
      expect(text).toContain(exact(row.function.self[0]!));
      expect(text).toContain(exact(row.function.self_before![0]!));
    }
    expect(answer.comparable).not.toBeNull();
    expect(text).toContain('Two different commands');
    expect(text).toContain(answer.comparable!.command_before);
    const summary = report.getByRole('region', { name: 'Summary' });
    expect(await summary.innerText()).toMatch(/functions cost (more|less)/);
    const lines = page.locator('.difference-lines').first();
    await lines.focus();
    await page.keyboard.press('Enter');
    expect(await lines.getAttribute('aria-expanded')).toBe('true');
    await page.locator('.beside tbody tr').first().waitFor();
    expectQuiet(opened);
  });

  test('costs are in the unit of the event type, with the number itself on hover', async () => {
    const before = 'xdebug/space-in-path.cachegrind.out';
    const opened = await openPage('xdebug/plain.cachegrind.out', { before, at: 'difference' });
    const { page, served } = opened;
    const totals = page.locator('.difference-head .difference-numbers').first();
    await totals.waitFor();
    const answer = (await served.ask({ ask: 'difference', compare: true, limit: 20 })) as DifferenceAnswer;
    expect(await totals.innerText()).toMatch(/\d\s[nµm]?s\b/);
    expect(await totals.locator(`[title="${exact(answer.total!)}"]`).count()).toBe(1);
    expect(await page.locator('.difference-delta').first().innerText()).toMatch(/\s[nµm]?s/);
    expectQuiet(opened);
  });
});
