// Source, machine code and control flow, in Chromium with the native engine behind them.

import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exact } from '../../src/model/format';
import { printable } from '../../src/model/visible';
import type { InstructionsAnswer, LinesAnswer, SourceAnswer } from '../../src/protocol/protocol';
import { accessibility, expectQuiet, openPage, settle } from './chromium';
import { expectHarmless, readSvg, saved } from './pictures';

const place = mkdtempSync(`${tmpdir()}/callcost-page-`);
const program = `${place}/prog.out`;
const changed = `${place}/changed/prog.out`;
const hostile = `${place}/hostile.out`;
const hostileName = '<img src=x onerror=document.title="owned">';

const source = `#include <stdio.h>
static __attribute__((noinline)) int odd(int x) {
    if (x & 1)
        return x * 3;
    return x / 2;
}
int main(void) {
    int sum = 0;
    for (int i = 0; i < 1000; ++i)
        sum += odd(i);
    printf("%d\\n", sum);
    return 0;
}
`;

function profileOf(text: string, folder: string) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/prog.c`, text);
  const quiet = { cwd: folder, stdio: 'ignore' as const };
  execFileSync('gcc', ['-g', '-O1', '-o', 'prog', `${folder}/prog.c`], quiet);
  const options = ['-q', '--tool=callgrind', '--dump-instr=yes', '--collect-jumps=yes'];
  execFileSync('valgrind', [...options, `--callgrind-out-file=${folder}/prog.out`, './prog'], quiet);
}

beforeAll(() => {
  profileOf(source, place);
  profileOf(source.replace('return x * 3;', 'return x % 7 ? x * 3 : x;'), `${place}/changed`);
  const text = [
    '</script><script>document.title="owned"</script>',
    '<img src=x onerror=document.title="owned">',
    '\u202e bidi \u2066 \u200b',
    '\u0001\u001b[31m\u007f',
    'x'.repeat(1_000_000),
    'int f(void) { return 1; }',
  ];
  writeFileSync(`${place}/hostile.c`, `${text.join('\n')}\n`);
  const lines = text.map((_, at) => `0x${(0x1000 + 4 * at).toString(16)} ${at + 1} ${at + 1}`);
  const head = `creator: callgrind-3.19.0\ncmd: </script>${hostileName}\npart: 1\npositions: instr line\nevents: Ir\n`;
  const jumps = 'jcnd=3/7 0x1008 3\n0x1010 5\n';
  const odd = '0x1040 99999999999 7\n0x1044 0 9\n';
  writeFileSync(
    hostile,
    `${head}ob=</script><b>\nfl=${place}/hostile.c\nfn=${hostileName}\n${lines.join('\n')}\n${jumps}${odd}cfn=</script>\u202e\ncalls=2 0x2000 1\n0x1004 2 50\nfn=</script>\u202e\n0x2000 1 50\n`,
  );
}, 120_000);
afterAll(() => rmSync(place, { recursive: true, force: true }));

const inListing = '.listing-body [role=row]';
const hostileAt = `fn=${encodeURIComponent(hostileName)}`;

async function functionId(served: { ask(question: unknown): Promise<unknown> }, name: string): Promise<number> {
  return ((await served.ask({ ask: 'find', name })) as { id: number }).id;
}

describe('source', () => {
  test('every line has the numbers of the engine, and the text of the file', async () => {
    const opened = await openPage(program, { at: 'source&fn=odd', sources: true });
    const { page, served } = opened;
    await page.waitForSelector(inListing);
    const answer = (await served.ask({
      ask: 'source',
      function: await functionId(served, 'odd'),
    })) as SourceAnswer;
    expect(answer.lines.length).toBeGreaterThan(2);
    const texts = source.split('\n');
    for (const line of answer.lines) {
      const row = page.locator(inListing).nth(line.line - 1);
      const cells = await row.locator('[role=gridcell]').allInnerTexts();
      expect(cells[0]?.trim()).toBe(exact(line.self[0]!));
      expect(cells[1]?.trim()).toBe(exact(line.with_calls[0]!));
      expect(cells[2]?.trim()).toBe(String(line.line));
      expect(cells[3]).toContain(texts[line.line - 1]!.trim());
    }
    await expect.poll(() => page.locator('.syntax-keyword').count()).toBeGreaterThan(2);
    expectQuiet(opened);
  });

  test('keys alone: hot lines, unfolding a call, going into it, and back', async () => {
    const opened = await openPage(program, { at: 'source&fn=main', sources: true });
    const { page } = opened;
    await page.waitForSelector(inListing);
    const active = page.locator(`${inListing}[aria-selected=true]`);
    const begin = await active.innerText();
    await page.keyboard.press('n');
    await expect.poll(() => active.innerText()).not.toBe(begin);
    await page.keyboard.press('h');
    await expect.poll(() => active.innerText()).toBe(begin);
    const grid = page.locator('.listing');
    await grid.focus();
    await page.keyboard.press('Home');
    for (let line = 1; line < 10; line++) await page.keyboard.press('ArrowDown');
    expect(await active.innerText()).toContain('odd(i)');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => active.getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.press('ArrowDown');
    expect(await active.innerText()).toMatch(/odd\s*1,000×/);
    expect(await grid.getAttribute('aria-activedescendant')).toBe(await active.getAttribute('id'));
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.source-function').innerText()).toContain('odd');
    await page.keyboard.press('Alt+ArrowLeft');
    await expect.poll(() => page.locator('.source-function').innerText()).toContain('main');
    expectQuiet(opened);
  });

  test('a function with little cost in its own file begins where most is; its own file can be chosen', async () => {
    const elsewhere = `${place}/elsewhere.out`;
    const other = 'fn=g\n3 50\n4 50\n';
    writeFileSync(elsewhere, `events: Ir\nfl=own.h\nfn=f\n7 1\n8 2\nfi=most.c\n20 60\n21 40\nfl=own.h\n${other}`);
    const opened = await openPage(elsewhere, { at: 'source&fn=f' });
    const { page } = opened;
    const file = page.locator('.source-file');
    await expect.poll(() => file.innerText()).toContain('most.c');
    await page.waitForSelector(inListing);
    await file.click();
    await page.getByRole('menuitemradio', { name: /own\.h/ }).click();
    await expect.poll(() => file.innerText()).toContain('own.h');
    await page.locator(inListing).nth(1).click();
    await expect.poll(() => decodeURIComponent(page.url())).toMatch(/source\.line=/);
    await page.reload();
    await expect.poll(() => file.innerText()).toContain('own.h');
    await page.evaluate(() => {
      location.hash = 'source&fn=g';
    });
    await expect.poll(() => page.locator(inListing).count()).toBe(2);
    expect(await file.innerText()).toContain('own.h');
    expectQuiet(opened);
  });

  test('the files of a function are tabs with their shares', async () => {
    const opened = await openPage('callgrind/stl-O2-instr-jumps.out', { at: 'source&fn=main', sources: true });
    const { page, served } = opened;
    const { id } = (await served.ask({ ask: 'find', name: 'main' })) as { id: number };
    const answer = (await served.ask({ ask: 'source', function: id })) as SourceAnswer;
    const files = answer.files ?? [];
    expect(files.length).toBeGreaterThan(1);
    const tabs = page.getByRole('navigation', { name: 'Files of the function' });
    await tabs.waitFor();
    const names = await tabs.getByRole('button').allInnerTexts();
    expect(names.length).toBe(Math.min(6, files.length));
    for (const name of names) expect(name).toMatch(/\S+ .*%$/);
    expect(await page.locator('.source-share').innerText()).toMatch(/^self .*% of .*% in this file$/);
    const other = tabs
      .getByRole('button')
      .filter({ hasNot: page.locator('[aria-current]') })
      .nth(1);
    const text = await other.innerText();
    await other.click();
    await expect.poll(() => tabs.locator('[aria-current]').innerText()).toBe(text);
    expect(await accessibility(page)).toEqual([]);
    expectQuiet(opened);
  });

  test('a line is in the address', async () => {
    const { page } = await openPage(program, { at: 'source&fn=odd&source.func=odd&source.line=5', sources: true });
    await expect.poll(() => page.locator(`${inListing}[aria-selected=true]`).innerText()).toContain('return x / 2');
  });

  test('without the text the lines have their numbers, and the reason is said', async () => {
    const { page, served } = await openPage('callgrind/instr-jumps.out', { at: 'source&fn=fib(int)' });
    await page.waitForSelector(inListing);
    expect(await page.locator('.source-strip.warning').innerText()).toContain('No source text');
    const id = await functionId(served, 'fib(int)');
    const answer = (await served.ask({ ask: 'source', function: id })) as SourceAnswer;
    expect(await page.locator(inListing).count()).toBe(answer.lines.length);
    const first = await page.locator(inListing).first().innerText();
    expect(first).toContain(exact(answer.lines[0]!.self[0]!));
  });

  test('sources elsewhere are shown when that is asked for', async () => {
    mkdirSync(`${place}/apart`, { recursive: true });
    copyFileSync(program, `${place}/apart/prog.out`);
    const opened = await openPage(`${place}/apart/prog.out`, { at: 'source&fn=odd', sources: true });
    const { page } = opened;
    const show = page.getByRole('button', { name: `Show sources from ${place}`, exact: true });
    await show.waitFor();
    expect(await page.locator('.listing-body').innerText()).not.toContain('return x / 2;');
    expect(await accessibility(page)).toEqual([]);
    await show.click();
    await expect.poll(() => page.locator('.listing-body').innerText()).toContain('return x / 2;');
    expect(await show.count()).toBe(0);
    expectQuiet(opened);
  });

  test('the hottest lines are where to begin, and lead to their places', async () => {
    const opened = await openPage(program, { at: 'source', sources: true });
    const { page, served } = opened;
    const table = page.getByRole('grid', { name: 'Hot lines' });
    await table.locator('.table-body [role=row]').first().waitFor();
    const answer = (await served.ask({ ask: 'lines', limit: 500 })) as LinesAnswer;
    expect(answer.rows.slice(0, 10).filter(row => row.text).length).toBeGreaterThan(2);
    for (const [at, row] of answer.rows.slice(0, 10).entries()) {
      const text = await table.locator('.table-body [role=row]').nth(at).innerText();
      expect(text).toContain(exact(row.self[0]!));
      expect(text).toContain(printable(row.text ?? ''));
    }
    await table.focus();
    await page.keyboard.press('Enter');
    await page.waitForSelector(inListing);
    await expect.poll(() => page.locator('.source-function').innerText()).toContain(answer.rows[0]!.function.name);
    expectQuiet(opened);
  });
});

describe('machine code', () => {
  test('every instruction has its cost, jumps have arrows, conditional ones dashed', async () => {
    const opened = await openPage(program, { at: 'code&fn=odd', sources: true });
    const { page, served } = opened;
    await page.waitForSelector(inListing);
    const id = await functionId(served, 'odd');
    const answer = (await served.ask({ ask: 'instructions', id, syntax: 'att' })) as InstructionsAnswer;
    const rows = page.locator(`${inListing}:not(.code-gap)`);
    for (const [at, row] of answer.rows.entries()) {
      const text = await rows.nth(at).innerText();
      expect(text).toContain(row.address.replace('0x', ''));
      if (row.self[0]) expect(text).toContain(exact(row.self[0]));
      expect(text.replace(/\s+/g, ' ')).toContain((row.text ?? '').split(/\s+/)[0]);
    }
    const conditional = answer.rows.some(row => row.jumps.some(jump => jump.conditional));
    expect((await page.locator('.code-gutter .conditional').count()) > 0).toBe(conditional);
    await page.getByRole('radio', { name: 'Intel' }).click();
    await settle(page);
    expect(await page.locator('.listing-body').innerText()).not.toContain('%');
    expectQuiet(opened);
  });

  test('source beside: an instruction leads to its line, a line to its instructions', async () => {
    const opened = await openPage(program, { at: 'code&fn=odd', sources: true });
    const { page } = opened;
    await page.waitForSelector(inListing);
    await page.keyboard.press('s');
    const beside = page.locator('.code-beside');
    await beside.locator(inListing).first().waitFor();
    await beside.locator(inListing).filter({ hasText: 'return x / 2' }).click();
    const code = page.locator('.code-body > .source-body');
    await expect.poll(() => code.locator(`${inListing}[aria-selected=true]`).innerText()).toMatch(/\b5\b/);
    expect(await code.locator('.source-linked').count()).toBeGreaterThan(0);
    expectQuiet(opened);
  });

  test('compared, instructions are new, removed, or have a change; together they are what changed', async () => {
    const opened = await openPage(changed, { before: program, at: 'code&fn=odd', sources: true });
    const { page, served } = opened;
    await page.waitForSelector(inListing);
    const found = (await served.ask({ ask: 'find', name: 'odd', compare: true })) as { id: number };
    const answer = (await served.ask({ ask: 'instructions', id: found.id, compare: true })) as InstructionsAnswer;
    expect(answer.compared).toEqual({ by: 'text' });
    const added = answer.rows.filter(row => row.address_before === undefined).length;
    expect(await page.locator('.source-strip').innerText()).toContain(
      `${added} of ${answer.rows.length} instructions new, ${answer.removed!.length} removed`,
    );
    const listing = page.locator('.listing-body');
    expect(await listing.locator('.code-sign', { hasText: '+' }).count()).toBe(added);
    expect(await listing.locator('.code-removed').count()).toBe(answer.removed!.length);
    const sum = (costs: (number | bigint)[]) => costs.reduce<number>((all, cost) => all + Number(cost), 0);
    const shown = await listing.locator('[role=gridcell]:first-child').allInnerTexts();
    expect(sum(shown.map(text => Number(text.replace(/[▲▼+,\s]/g, '').replace('−', '-'))))).toBe(
      sum(answer.rows.map(row => row.self[0]!)) -
        sum([...answer.rows, ...answer.removed!].map(row => row.self_before![0]!)),
    );
    expectQuiet(opened);
    await page.keyboard.press('8');
    await page.waitForSelector('.flow-block');
    expect((await page.locator('.flow-cost').allTextContents()).join()).toMatch(/▲/);
    expectQuiet(opened);
  });

  test('compared with a run of the same program, nothing is new, and what was executed only before is shown', async () => {
    const [before, after] = [`${place}/before.out`, `${place}/after.out`];
    const text = 'version: 1\npositions: instr line\nevents: Ir\nob=prog\nfl=a.c\nfn=odd\n0x10 1 5\n0x18 3 6\n';
    writeFileSync(after, text);
    writeFileSync(before, text.replace('0x18', '0x14 2 12\n0x18'));
    const opened = await openPage(after, { before, at: 'code&fn=odd' });
    const { page } = opened;
    await page.waitForSelector(inListing);
    expect(await page.locator('.source-strip').first().innerText()).toMatch(/unchanged; 1 instruction that cost 12 Ir/);
    const removed = page.locator('.code-removed');
    expect(await removed.innerText()).toMatch(/▼ −12[\s\S]*2[\s\S]*14[\s\S]*−/);
    expect(await page.locator('.code-sign', { hasText: '+' }).count()).toBe(0);
    await removed.click();
    await page.keyboard.press('n');
    await expect.poll(() => page.locator('.code-removed[aria-selected=true]').count()).toBe(1);
    expectQuiet(opened);
  });

  test('a profile without instructions says how to record them', async () => {
    const { page } = await openPage('callgrind/default.out', { at: 'code&fn=fib(int)' });
    expect(await page.locator('.empty-state').innerText()).toContain('callcost record PROGRAM');
  });
});

describe('control flow', () => {
  test('the blocks and ways of the engine, walked along by keys', async () => {
    const opened = await openPage(program, { at: 'blocks&fn=odd', sources: true });
    const { page, served } = opened;
    await page.waitForSelector('.flow-block');
    const id = await functionId(served, 'odd');
    const answer = (await served.ask({ ask: 'instructions', id })) as InstructionsAnswer;
    const executed = answer.blocks.filter(block => block.self[0]);
    expect(await page.locator('.flow-block').count()).toBe(executed.length);
    const graph = page.getByRole('listbox', { name: 'Control flow graph' });
    await graph.focus();
    await page.keyboard.press('Home');
    const first = await graph.getAttribute('aria-activedescendant');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => graph.getAttribute('aria-activedescendant')).not.toBe(first);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.shell-tab[aria-current]').innerText()).toBe('Machine code');
    expectQuiet(opened);
  });

  test('is saved as SVG and DOT', async () => {
    const opened = await openPage(program, { at: 'blocks&fn=odd', sources: true });
    const { page } = opened;
    await page.waitForSelector('.flow-block');
    const svg = await saved(page, 'Picture (SVG)');
    expect(svg.name).toBe('odd.svg');
    const read = await readSvg(page, svg.bytes.toString());
    expectHarmless(read);
    const titles = await page.locator('.flow-title').allTextContents();
    for (const title of titles) expect(read.texts.some(text => text.includes(title))).toBe(true);
    const dot = (await saved(page, 'This graph (DOT)')).bytes.toString();
    expect(dot.match(/^ {2}n\d+ \[/gm)).toHaveLength(titles.length);
    expectQuiet(opened);
  });

  test('a dense function is cut to what can be followed, and says so', async () => {
    const opened = await openPage('callgrind/python-instr-jumps.out', { at: 'blocks&fn=_PyEval_EvalFrameDefault' });
    const { page } = opened;
    await page.waitForSelector('.flow-block', { timeout: 40_000 });
    expect(await page.locator('.graph-sum').innerText()).toMatch(/more blocks with \d+/);
    expectQuiet(opened);
  });
});

describe('all of them', () => {
  test('hostile names and texts are text', async () => {
    for (const at of [
      `source&${hostileAt}&source.unfold=all`,
      `code&${hostileAt}&code.unfold=all`,
      `blocks&${hostileAt}`,
      'source',
    ]) {
      const opened = await openPage(hostile, { at, sources: true });
      const { page } = opened;
      await settle(page);
      await page.waitForSelector(`${inListing}, .flow-block, .table-body [role=row]`);
      expect(await page.locator('.shell-view img, .shell-view script, .shell-view b').count()).toBe(0);
      expect(await page.title()).not.toBe('owned');
      const text = await page.locator('.shell-view').innerText();
      for (const unseen of ['\u202e', '\u2066', '\u200b', '\u0001', '\u001b', '\u007f'])
        expect(text).not.toContain(unseen);
      expect(text.length).toBeLessThan(60_000);
      expectQuiet(opened);
    }
  });

  test('accessible in light and dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const at of [
        'source',
        'source&fn=odd',
        'source&fn=main&source.side=files&source.unfold=all',
        'code&fn=odd&code.hex=yes',
        'code&fn=main&code.beside=source&code.unfold=all',
        'blocks&fn=odd',
      ]) {
        const { page } = await openPage(program, { at, colorScheme, sources: true });
        await settle(page);
        await page.waitForSelector(`${inListing}, .flow-block, .table-body [role=row]`);
        await expect.poll(() => accessibility(page), { message: `${at} ${colorScheme}` }).toEqual([]);
      }
      for (const at of ['code&fn=odd', 'blocks&fn=odd']) {
        const { page } = await openPage(changed, { before: program, at, colorScheme, sources: true });
        await page.waitForSelector(`${inListing}, .flow-block`);
        await expect.poll(() => accessibility(page), { message: `${at} compared ${colorScheme}` }).toEqual([]);
      }
      const parts = await openPage('callgrind/threads-separate-combined-every-bb.out', {
        at: 'parts&parts=1,3',
        colorScheme,
      });
      await parts.page.waitForSelector('.parts-check');
      expect(await accessibility(parts.page), `parts ${colorScheme}`).toEqual([]);
      const before = 'callgrind/combined-instr-jumps-cache.out';
      const difference = await openPage('callgrind/all-events.out', { before, at: 'difference', colorScheme });
      await difference.page.waitForSelector('.difference-changed');
      expect(await accessibility(difference.page), `difference ${colorScheme}`).toEqual([]);
    }
  }, 180_000);
});

test('control flow begins at the hottest loop, cold blocks folded until they are opened', async () => {
  const opened = await openPage('callgrind/stl-O2-instr-jumps.out', { at: 'blocks&fn=main' });
  const { page } = opened;
  await page.waitForSelector('.graph-node');
  await settle(page);
  const titles = page.locator('.graph-node');
  const hottest = titles.filter({ hasText: /8,022/ }).first();
  const area = (await page.locator('.graph-area').boundingBox())!;
  const box = (await hottest.locator('.graph-box').boundingBox())!;
  expect(box.y).toBeGreaterThanOrEqual(area.y);
  expect(box.y + box.height).toBeLessThanOrEqual(area.y + area.height);
  const cold = titles.filter({ hasText: /cold blocks/ });
  const folds = await cold.count();
  expect(folds).toBeGreaterThan(0);
  const all = await titles.count();
  expect(await page.locator('.graph-sum').innerText()).toMatch(/blocks \(\d+ folded\)/);
  await cold.first().dispatchEvent('click');
  await expect.poll(() => cold.count()).toBe(folds - 1);
  expect(await titles.count()).toBeGreaterThan(all);
  expect(page.url()).toContain('blocks.open=');
  expect(await accessibility(page)).toEqual([]);
  expectQuiet(opened);
});
