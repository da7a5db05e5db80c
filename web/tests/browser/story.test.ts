// The difference as a story: source lines side by side, what is removed, what only moved.

import { mkdtempSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exact } from '../../src/model/format';
import type { ChangedLinesAnswer, DifferenceAnswer, TreeAnswer } from '../../src/protocol/protocol';
import { accessibility, expectQuiet, openPage, settle } from './chromium';

const hostile = '<img src=x onerror=document.title="owned">';
const textBefore = `int sum(int n)
{
    int total = 0;
    for (int i = 0; i < n; ++i)
        total += slow(i);
    return total; // ${hostile}
}
`;
const textAfter = textBefore.replace('slow(i)', 'fast(i)').replace('    return', '    note(total);\n    return');

function profileIn(folder: string, text: string, costs: readonly (readonly [line: number, cost: number])[], more = '') {
  writeFileSync(join(folder, 'sum.c'), text);
  utimesSync(join(folder, 'sum.c'), 1000, 1000); // older than the profile
  const file = join(folder, 'callgrind.out');
  const lines = costs.map(([line, cost]) => `${line} ${cost}`).join('\n');
  writeFileSync(file, `events: Ir\nob=p\nfl=${folder}/sum.c\nfn=sum\n${lines}\n${more}`);
  return file;
}

function versions(): { before: string; after: string } {
  const [old, now] = ['old', 'new'].map(name => mkdtempSync(join(tmpdir(), `story-${name}-`)));
  const fresh = 'fn=fresh\n50 25\ncfn=under\ncalls=1 60\n51 5\nfn=under\n60 5\n';
  const removed = 'fn=gone\n20 40\ncfn=below\ncalls=1 30\n21 60\nfn=below\n30 60\n';
  return {
    before: profileIn(old!, textBefore, [[1, 4], [3, 1], [4, 30], [5, 100], [6, 9]], removed), // biome-ignore format: a row
    after: profileIn(now!, textAfter, [[1, 4], [3, 1], [4, 30], [5, 40], [6, 8], [7, 9]], fresh), // biome-ignore format: a row
  };
}

const windows = [
  [1280, 800, 'light'],
  [1280, 800, 'dark'],
  [390, 844, 'light'],
  [1920, 1080, 'light'],
] as const;

test('a reason unfolds to its source lines, side by side', async () => {
  const { before, after } = versions();
  for (const [width, height, colorScheme] of windows) {
    const touch = width === 390 ? { hasTouch: true, isMobile: true } : {};
    const opened = await openPage(after, {
      before,
      at: 'difference',
      sources: true,
      viewport: { width, height },
      colorScheme,
      ...touch,
    });
    const { page, served } = opened;
    const row = page.locator('.difference-changed tbody tr').filter({ hasText: 'sum' }).first();
    await row.locator('.difference-lines').click();
    const beside = page.locator('.beside');
    await beside.waitFor();
    const { id } = (await served.ask({ ask: 'find', name: 'sum' })) as { id: number };
    const answer = (await served.ask({ ask: 'changed_lines', compare: true, id })) as ChangedLinesAnswer;
    const [file] = answer.files;
    expect(file!.by_text).toBe(true);
    expect(await beside.locator('tbody tr').count()).toBe(file!.rows.length);
    const changed = beside.locator('.beside-changed');
    expect(await changed.locator('.beside-old').innerText()).toContain('total += slow(i);');
    expect(await changed.locator('.beside-new').innerText()).toContain('total += fast(i);');
    expect(await changed.locator('.beside-cost').allInnerTexts()).toEqual([exact(100), exact(40)]);
    expect(await beside.locator('.beside-added .beside-new').innerText()).toContain('note(total);');
    expect(await beside.innerText()).toContain(hostile);
    expect(await page.title()).not.toBe('owned');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    expect(await accessibility(page)).toEqual([]);
    expectQuiet(opened);
    await page.context().close();
  }
}, 300_000);

test('without the texts, the numbers of the lines with their costs, and why', async () => {
  const { before, after } = versions();
  const opened = await openPage(after, { before, at: 'difference' });
  const { page } = opened;
  await page.locator('.difference-changed tbody tr').filter({ hasText: 'sum' }).locator('.difference-lines').click();
  await page.locator('.beside').waitFor();
  expect(await page.locator('.beside-note').innerText()).toContain('source files are not available here');
  expect(await page.locator('.beside tbody').innerText()).toMatch(/5[\s\S]*5/);
  expect(await page.locator('.beside-changed').count()).toBe(0);
  expectQuiet(opened);
});

test('a wide window is used: the lists stand beside what changed', async () => {
  const { before, after } = versions();
  const { page } = await openPage(after, { before, at: 'difference', viewport: { width: 1920, height: 1080 } });
  await page.locator('.difference-changed').first().waitFor();
  const main = (await page.locator('.difference-main').boundingBox())!;
  const side = (await page.locator('.difference-side').boundingBox())!;
  expect(side.x).toBeGreaterThan(main.x + main.width);
  expect(side.x + side.width).toBeGreaterThan(1850);
  expect(await page.locator('.difference-side').innerText()).toContain('gone');
});

test('the old flame graph marks what is removed, and says how much it is', async () => {
  const { before, after } = versions();
  const opened = await openPage(after, { before, at: 'flame' });
  const { page, served } = opened;
  await page.waitForSelector('.picture-area [role=treeitem]');
  const answer = (await served.ask({ ask: 'tree', compare: true })) as TreeAnswer;
  expect([answer.removed, answer.added]).toEqual([100, 30]);
  await page.getByRole('radio', { name: 'Old' }).click();
  await expect.poll(() => page.locator('.picture-one-sided').innerText()).toContain('removed');
  await expect
    .poll(() => page.locator('.picture-area [role=treeitem]').allTextContents())
    .toEqual(expect.arrayContaining([expect.stringContaining('gone')]));
  await page.getByRole('radio', { name: 'New' }).click();
  await expect.poll(() => page.locator('.picture-one-sided').innerText()).toContain('new');
  await settle(page);
  expect((await page.locator('.picture-area [role=treeitem]').allTextContents()).join()).not.toContain('gone');
  expect(await accessibility(page)).toEqual([]);
  expectQuiet(opened);
});

test('what only moved by inlining is left out, and shown as it was measured on request', async () => {
  const place = mkdtempSync(join(tmpdir(), 'story-inlined-'));
  const write = (name: string, text: string) => {
    writeFileSync(join(place, name), `events: Ir\nob=p\nfl=a.c\n${text}`);
    return join(place, name);
  };
  const before = write('old', 'fn=main\n1 1000\ncfn=f\ncalls=9 5\n2 500\nfn=f\n5 500\n');
  const after = write('new', 'fn=main\n1 1000\n5 450\n');
  const opened = await openPage(after, { before, at: 'difference' });
  const { page, served } = opened;
  const changed = page.locator('.difference-changed tbody tr');
  await changed.first().waitFor();
  expect(await changed.count()).toBe(1);
  expect(await changed.first().innerText()).toContain(exact(1500));
  const raw = (await served.ask({ ask: 'difference', compare: true })) as DifferenceAnswer;
  await page.getByRole('button', { name: 'Raw costs' }).click();
  await expect.poll(() => changed.count()).toBe(raw.changed.length);
  expect(raw.changed.length).toBe(2);
  expect(page.url()).toContain('difference.raw=yes');
  expectQuiet(opened);
});
