import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { exact, percentBrief } from '../../src/model/format';
import type { TreeAnswer } from '../../src/protocol/protocol';
import { accessibility, expectQuiet, openPage, settle } from './chromium';
import { expectHarmless, expectNoMarkupOfNames, expectPng, nameOf, places, readSvg, saved } from './pictures';

const area = '.picture-area';
const items = `${area} [role=treeitem]`;
const tip = '.tooltip';

async function activeText(page: Page): Promise<string> {
  const id = await page.locator(area).getAttribute('aria-activedescendant');
  return (await page.locator(`[id="${id}"]`).textContent()) ?? '';
}

// The place of a box in the window.
async function placeOf(page: Page, tree: TreeAnswer, row: number): Promise<{ x: number; y: number }> {
  const box = (await page.locator(area).boundingBox())!;
  const { begin, end } = places(tree)[row]!;
  return { x: box.x + ((begin + end) / 2) * box.width, y: box.y + (tree.frames.level[row]! - 0.5) * 20 };
}

test('boxes are where the engine says, with its numbers and bounds', async () => {
  const opened = await openPage('callgrind/default.out', { at: 'flame' });
  const { page, served } = opened;
  await page.waitForSelector(items);
  const tree = (await served.ask({ ask: 'tree' })) as TreeAnswer;
  const { frames } = tree;
  const wide = frames.kind
    .map((_, row) => row)
    .filter(row => frames.kind[row] === 0 && Number(frames.inclusive[row]) > 0.02 * Number(tree.whole))
    .filter(row => frames.level[row]! < 20);
  expect(wide.length).toBeGreaterThan(8);
  for (const row of wide) {
    const { x, y } = await placeOf(page, tree, row);
    await page.mouse.move(x, y);
    const text = await page.locator(tip).innerText();
    expect(text).toContain(nameOf(tree, row));
    const least = frames.inclusive_least[row]!;
    if (least === frames.inclusive_most[row]) expect(text).toContain(`exactly ${exact(least)} Ir`);
    else expect(text).toContain('(estimated; between');
  }
  const certain = await page.locator('.picture-certain').innerText();
  expect(certain).toContain(`${percentBrief(tree.certainty)} of the cost is certain`);
  expectQuiet(opened);
});

test('the accessibility tree says what the picture shows', async () => {
  const { page, served } = await openPage('callgrind/default.out', { at: 'flame' });
  await page.waitForSelector(items);
  const tree = (await served.ask({ ask: 'tree' })) as TreeAnswer;
  const texts = await page.locator(items).allTextContents();
  expect(texts.length).toBeGreaterThan(20);
  expect(texts.length).toBeLessThanOrEqual(201);
  expect(texts[0]).toContain(nameOf(tree, 0));
  expect(texts[0]).toContain(exact(tree.frames.inclusive[0]!));
  expect(await page.locator(items).first().getAttribute('aria-level')).toBe('1');
});

test('is walked and zoomed with keys alone, and the address keeps it', async () => {
  const opened = await openPage('callgrind/default.out', { at: 'flame' });
  const { page, served } = opened;
  await page.waitForSelector(items);
  const tree = (await served.ask({ ask: 'tree' })) as TreeAnswer;
  for (
    let tabs = 0;
    tabs < 40 && !(await page.evaluate(() => document.activeElement?.matches('.picture-area')));
    tabs++
  )
    await page.keyboard.press('Tab');
  expect(await activeText(page)).toContain(nameOf(tree, 0));
  await page.keyboard.press('ArrowDown');
  expect(await activeText(page)).toContain(nameOf(tree, 1));
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('.breadcrumbs [aria-current]').innerText()).toContain(nameOf(tree, 2));
  expect(page.url()).toContain('flame.zoom=');
  await page.reload();
  await page.waitForSelector(items);
  expect(await page.locator('.breadcrumbs [aria-current]').innerText()).toContain(nameOf(tree, 2));
  await page.keyboard.press('Escape');
  await expect.poll(() => page.locator('.breadcrumbs [aria-current]').innerText()).not.toContain(nameOf(tree, 2));
  await page.keyboard.press('Alt+ArrowLeft');
  await expect.poll(() => page.locator('.breadcrumbs [aria-current]').innerText()).toContain(nameOf(tree, 2));
  await page.locator(area).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Space');
  await expect.poll(() => page.url()).toContain('fn=');
  expectQuiet(opened);
});

test('a click selects, a double click zooms, the way leads back', async () => {
  const { page, served } = await openPage('callgrind/default.out', { at: 'flame' });
  await page.waitForSelector(items);
  const tree = (await served.ask({ ask: 'tree' })) as TreeAnswer;
  const { x, y } = await placeOf(page, tree, 3);
  await page.mouse.click(x, y);
  await expect.poll(() => decodeURIComponent(page.url())).toContain(`fn=${nameOf(tree, 3)}`);
  await page.mouse.dblclick(x, y);
  await expect.poll(() => page.locator('.breadcrumbs [aria-current]').innerText()).toContain(nameOf(tree, 3));
  await page.getByRole('button', { name: 'All', exact: true }).click();
  await expect.poll(() => page.locator('.breadcrumbs [aria-current]').innerText()).toBe('All');
});

test('what a search finds is counted once, and walked', async () => {
  const { page, served } = await openPage('callgrind/default.out', { at: 'flame&search=lookup' });
  await page.waitForSelector(items);
  const tree = (await served.ask({ ask: 'tree' })) as TreeAnswer;
  const { frames } = tree;
  let boxes = 0;
  let sum = 0;
  frames.kind.forEach((_, row) => {
    if (!nameOf(tree, row).includes('lookup')) return;
    boxes++;
    for (let above = frames.parent[row]!; above >= 0; above = frames.parent[above]!)
      if (nameOf(tree, above).includes('lookup')) return;
    sum += Number(frames.inclusive[row]);
  });
  const text = await page.locator('.picture-found').innerText();
  expect(text).toContain(`${boxes} boxes`);
  expect(text).toContain(percentBrief(sum / Number(tree.whole)));
  await page.locator(area).focus();
  await page.keyboard.press('n');
  expect(await activeText(page)).toMatch(/lookup.*found/s);
  const first = await activeText(page);
  await page.keyboard.press('n');
  expect(await activeText(page)).not.toBe(first);
  await page.keyboard.press('p');
  expect(await activeText(page)).toBe(first);
});

test('an expression is searched by the engine', async () => {
  const { page } = await openPage('callgrind/default.out', { at: 'flame&search=/^_dl_(start|main)$/' });
  await page.waitForSelector(items);
  await expect.poll(() => page.locator('.picture-found').innerText()).toMatch(/^\s*[12] box/);
});

test('certain only, unfolded recursion, inverted, roots at the bottom', async () => {
  const opened = await openPage('callgrind/default.out', { at: 'flame' });
  const { page, served } = opened;
  await page.waitForSelector(items);
  const before = await page.locator(items).allTextContents();
  await page.getByRole('button', { name: 'Certain only' }).click();
  expect(page.url()).toContain('flame.certain=yes');
  await page.keyboard.press('c');
  await expect.poll(() => page.url()).not.toContain('flame.certain');
  await page.keyboard.press('r');
  await expect.poll(() => page.url()).toContain('flame.recursion=unfold');
  await page.keyboard.press('r');
  await page.getByRole('radio', { name: 'Callers' }).click();
  await settle(page);
  const tree = (await served.ask({ ask: 'tree', direction: 'callers' })) as TreeAnswer;
  await expect.poll(async () => (await page.locator(items).allTextContents())[0]).toContain(nameOf(tree, 0));
  expect(await page.locator(items).allTextContents()).not.toEqual(before);
  await page.getByRole('button', { name: /^View/ }).click();
  await page.getByRole('menuitemradio', { name: 'At the bottom' }).click();
  await page.locator(area).focus();
  await page.keyboard.press('Home');
  const one = await activeText(page);
  await page.keyboard.press('ArrowUp');
  expect(await activeText(page)).not.toBe(one);
  await page.keyboard.press('ArrowDown');
  expect(await activeText(page)).toBe(one);
  expectQuiet(opened);
});

test('only what a function calls', async () => {
  const { page, served } = await openPage('callgrind/default.out', { at: 'flame' });
  await page.waitForSelector(items);
  const tree = (await served.ask({ ask: 'tree' })) as TreeAnswer;
  const { x, y } = await placeOf(page, tree, 2);
  await page.mouse.click(x, y, { button: 'right' });
  await page.getByRole('menuitem', { name: /Only its callees/ }).click();
  await expect.poll(() => page.locator('.picture-root').innerText()).toContain(nameOf(tree, 2));
  const below = (await served.ask({ ask: 'tree', root: tree.functions[tree.frames.function[2]!]!.id })) as TreeAnswer;
  await expect.poll(async () => (await page.locator(items).allTextContents())[0]).toContain(nameOf(below, 0));
  await page.reload();
  await expect.poll(() => page.locator('.picture-root').innerText()).toContain(nameOf(tree, 2));
  await page.getByRole('button', { name: 'Show the whole program' }).click();
  await expect.poll(() => page.locator('.picture-root').count()).toBe(0);
});

test('filters: what is hidden is in no box, but its cost is', async () => {
  const { page, served } = await openPage('callgrind/default.out', { at: 'flame&hide=_dl_' });
  await page.waitForSelector(items);
  const tree = (await served.ask({ ask: 'tree', hide: ['_dl_'] })) as TreeAnswer;
  expect(tree.functions.filter(func => func.name.includes('_dl_'))).toEqual([]);
  const texts = (await page.locator(items).allTextContents()).join('\n');
  expect(texts).toContain('… not shown');
  expect(texts).not.toMatch(/^_dl_/m);
});

test('contexts of functions make it certain where they are folded, too, and are in no name', async () => {
  const { page, served } = await openPage('callgrind/sepcallers-chain.out', { at: 'flame&contexts=fold' });
  await page.waitForSelector(items);
  const tree = (await served.ask({ ask: 'tree', contexts: 'keep' })) as TreeAnswer;
  const folded = (await served.ask({ ask: 'tree', contexts: 'fold' })) as TreeAnswer;
  expect(folded.certainty).toBeGreaterThan(0.99);
  expect(folded.certainty).toBeCloseTo(tree.certainty);
  expect(await page.locator('.picture-certain').innerText()).toContain('99.7');
  expect((await page.locator(items).allTextContents()).join('\n')).not.toMatch(/^_dl_start'/m);
});

test('two profiles: what changed has a sign, what is gone is there', async () => {
  const opened = await openPage('callgrind/default.out', { at: 'flame', before: 'callgrind/jumps.out' });
  const { page, served } = opened;
  await page.waitForSelector(items);
  const tree = (await served.ask({ ask: 'tree', compare: true })) as TreeAnswer;
  const { frames } = tree;
  const texts = (await page.locator(items).allTextContents()).join('\n');
  expect(texts).toContain('before:');
  const changed = frames.kind.some((_, row) => frames.inclusive[row] !== frames.inclusive_before?.[row]);
  if (changed) expect(texts).toMatch(/[▲▼]/);
  await page.getByRole('button', { name: /^Colors/ }).click();
  await expect.poll(() => page.locator('.picture-legend').innerText()).toContain('▲ more expensive');
  await page.keyboard.press('Escape');
  await page.getByRole('radio', { name: 'Old' }).click();
  expect(page.url()).toContain('flame.size=before');
  expectQuiet(opened);
});

// How wide the box under a point is, from its name's tooltip on both sides.
async function widthOf(page: Page, row: string): Promise<number> {
  const box = (await page.locator(area).boundingBox())!;
  let [least, most] = [Number.POSITIVE_INFINITY, 0];
  for (let x = 2; x < box.width; x += 12) {
    await page.mouse.move(box.x + x, box.y + 90);
    if ((await page.locator(`${tip} .name-tip`).allInnerTexts())[0] !== row) continue;
    least = Math.min(least, x);
    most = Math.max(most, x);
  }
  return most - least;
}

test('is magnified with Ctrl and the wheel, moved by dragging, and the overview says where', async () => {
  const opened = await openPage('callgrind/default.out', { at: 'flame' });
  const { page, served } = opened;
  await page.waitForSelector(items);
  const tree = (await served.ask({ ask: 'tree' })) as TreeAnswer;
  const row = tree.frames.level.findIndex((level, at) => level === 5 && tree.frames.kind[at] === 0);
  const { x, y } = await placeOf(page, tree, row);
  const before = await widthOf(page, nameOf(tree, row));
  await page.mouse.move(x, y);
  await page.keyboard.down('Control');
  for (let turns = 0; turns < 2; turns++) await page.mouse.wheel(0, -100);
  await page.keyboard.up('Control');
  const strip = page.getByRole('scrollbar', { name: 'Part of the flame graph that is shown' });
  await expect.poll(() => strip.getAttribute('aria-valuetext')).not.toBe('0.0 % to 100.0 %');
  await page.mouse.move(x, y);
  await expect.poll(() => page.locator(`${tip} .name-tip`).innerText()).toBe(nameOf(tree, row));
  expect(await widthOf(page, nameOf(tree, row))).toBeGreaterThan(before);
  expect(await page.evaluate(() => window.visualViewport?.scale)).toBe(1);
  const place = () => strip.getAttribute('aria-valuetext');
  const first = await place();
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x - 120, y, { steps: 4 });
  await page.mouse.up();
  expect(await place()).not.toBe(first);
  expect(page.url(), 'dragging selects nothing').not.toContain('fn=');
  await strip.focus();
  const moved = await place();
  await page.keyboard.press('ArrowLeft');
  expect(await place()).not.toBe(moved);
  expect(await accessibility(page)).toEqual([]);
  await page.locator(area).focus();
  for (let presses = 0; presses < 8; presses++) await page.keyboard.press('-');
  await expect.poll(place).toBe('0.0 % to 100.0 %');
  expectQuiet(opened);
});

test('two fingers magnify it on a phone', async () => {
  const { page } = await openPage('callgrind/default.out', {
    at: 'flame',
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  await page.waitForSelector(items);
  const box = (await page.locator(area).boundingBox())!;
  const client = await page.context().newCDPSession(page);
  const fingers = (gap: number) =>
    [-gap, gap].map((by, id) => ({ id, x: Math.round(box.x + box.width / 2 + by), y: Math.round(box.y + 60) }));
  await client.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: fingers(40) });
  for (const gap of [60, 90, 130])
    await client.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: fingers(gap) });
  await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  const strip = page.getByRole('scrollbar');
  await expect.poll(async () => Number(await strip.getAttribute('aria-valuenow'))).toBeGreaterThan(15);
});

test('a function with its callers above and its callees below', async () => {
  const opened = await openPage('callgrind/default.out', { at: 'flame' });
  const { page, served } = opened;
  await page.waitForSelector(items);
  const tree = (await served.ask({ ask: 'tree' })) as TreeAnswer;
  const row = tree.frames.level.findIndex((level, at) => level === 4 && tree.frames.kind[at] === 0);
  const { x, y } = await placeOf(page, tree, row);
  await page.mouse.click(x, y, { button: 'right' });
  await page.getByRole('menuitem', { name: /^Sandwich/ }).click();
  const [above, below] = [
    page.getByRole('tree', { name: /^Inverted/ }),
    page.getByRole('tree', { name: 'Flame graph', exact: true }),
  ];
  for (const half of [above, below]) {
    await half.getByRole('treeitem').first().waitFor();
    expect(await half.getByRole('treeitem').allTextContents()).toContainEqual(
      expect.stringContaining(nameOf(tree, row)),
    );
  }
  expect((await above.boundingBox())!.y).toBeLessThan((await below.boundingBox())!.y);
  await page.mouse.move(5, 5);
  expect(await accessibility(page)).toEqual([]);
  await page.getByRole('button', { name: 'Show the whole program' }).click();
  await expect.poll(() => above.count()).toBe(0);
  expectQuiet(opened);
});

test('a flat profile: the call tree instead of boxes without names, or what is too fine as one box', async () => {
  const count = 3000;
  const functions = Array.from({ length: count }, (_, at) => `fn=f${at}\n1 ${at < 2 ? 90 : 1}\n`).join('');
  const file = `${mkdtempSync(`${tmpdir()}/callcost-`)}/callgrind.out.1`;
  const calls = Array.from({ length: count }, (_, at) => `cfn=f${at}\ncalls=1 1\n1 ${at < 2 ? 90 : 1}\n`).join('');
  writeFileSync(file, `events: Ir\nfl=x.c\nfn=main\n1 100\n${calls}${functions}`);
  const opened = await openPage(file, { at: 'flame' });
  const { page } = opened;
  await page.waitForSelector(items);
  await page.getByRole('radio', { name: 'Callers' }).click();
  await expect.poll(() => page.url()).toMatch(/#tree&.*tree\.direction=callers/);
  const first = page.getByRole('treegrid', { name: 'Call tree' }).locator('.table-body [role=row]').first();
  await expect.poll(() => first.innerText()).toContain('main');
  await page.getByRole('button', { name: 'Inverted flame graph' }).click();
  await expect.poll(() => page.url()).toMatch(/#flame&.*flame\.direction=callers&flame\.flat=draw/);
  await expect
    .poll(() => page.locator(`${items}[aria-level="1"]`).allTextContents())
    .toEqual([
      expect.stringContaining('main, '),
      expect.stringContaining('f0, '),
      expect.stringContaining('f1, '),
      expect.stringMatching(/^2,998 more functions, cost exactly 2,998 Ir/),
    ]);
  expect(await accessibility(page)).toEqual([]);
  expectQuiet(opened);
});

test('the details of a box: its costs and bounds, and its function with callers and callees', async () => {
  const opened = await openPage('callgrind/default.out', { at: 'flame' });
  const { page, served } = opened;
  await page.waitForSelector(items);
  await page.getByRole('button', { name: 'Details of the selected box' }).click();
  const tree = (await served.ask({ ask: 'tree' })) as TreeAnswer;
  const row = tree.frames.level.findIndex((level, at) => level === 3 && tree.frames.kind[at] === 0);
  await page.locator(area).click({ position: { x: 30, y: 50 } });
  const box = page.getByRole('region', { name: 'The box' });
  await expect.poll(() => box.innerText()).toContain(nameOf(tree, row));
  expect(await box.innerText()).toMatch(/exactly|between/);
  await page.getByRole('treegrid', { name: 'Callers' }).waitFor();
  await page.mouse.move(5, 5);
  expect(await accessibility(page)).toEqual([]);
  await page.reload();
  await page.waitForSelector(items);
  expect(await page.locator('.picture-side').count(), 'the choice is remembered').toBe(1);
  expectQuiet(opened);
});

test('is saved as SVG and PNG', async () => {
  const opened = await openPage('callgrind/default.out', { at: 'flame' });
  const { page } = opened;
  await page.waitForSelector(items);
  const svg = await saved(page, 'Picture (SVG)');
  expect(svg.name).toBe('flame-graph.svg');
  const read = await readSvg(page, svg.bytes.toString());
  expectHarmless(read);
  expect(read.texts.some(text => text.includes('_dl_start'))).toBe(true);
  const png = await saved(page, 'Picture (PNG)');
  expect(png.name).toBe('flame-graph.png');
  expectPng(png.bytes);
  expectQuiet(opened);
});

test('hostile names are text, in the page and in files', async () => {
  for (const at of ['flame', 'treemap', 'graph']) {
    const opened = await openPage('hostile/html-names.out', { at });
    const { page } = opened;
    page.on('dialog', () => opened.problems.push('a dialog'));
    await page.waitForSelector('.picture-area [role=treeitem], .graph-node');
    await settle(page);
    await expectNoMarkupOfNames(page);
    const words = await page.locator('.picture-area, .graph-area').textContent();
    expect(words).toContain('<');
    const svg = await saved(page, 'Picture (SVG)');
    const read = await readSvg(page, svg.bytes.toString());
    expectHarmless(read);
    expect(read.texts.some(text => text.includes('<'))).toBe(true);
    expectPng((await saved(page, 'Picture (PNG)')).bytes);
    expectQuiet(opened);
  }
});

test('what has no calls says so', async () => {
  const { page } = await openPage('cachegrind/default.out', { at: 'flame' });
  await expect.poll(() => page.locator('.empty-state').innerText()).toContain('callcost record PROGRAM');
});

test('files of all kinds are drawn without a complaint', async () => {
  for (const file of [
    'xdebug/plain.cachegrind.out',
    'callgrind/python-instr-jumps.out',
    'callgrind/sepcallers-chain.out',
    'callgrind/every-bb-combined.out',
    'hostile/numbers.out',
    'hostile/cycle-entered-late.out',
    'valgrind-xtree/memory-full.kcg',
  ]) {
    const opened = await openPage(file, { at: 'flame' }).catch(reason => {
      throw new Error(`${file}: ${reason}`);
    });
    await settle(opened.page);
    await opened.page.waitForSelector('.picture-area, .empty-state, .problem');
    expect(opened.problems, file).toEqual([]);
    for (const view of ['treemap', 'graph']) {
      await opened.page.goto(`${opened.served.address}#${view}`);
      await settle(opened.page);
      await opened.page.waitForSelector('.picture-area, .graph-node, .empty-state, .problem');
      expect(opened.problems, `${file} ${view}`).toEqual([]);
    }
  }
});

test('accessible in light and dark', async () => {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const at of ['flame&search=lookup', 'flame&flame.direction=callers', 'treemap']) {
      const { page } = await openPage('callgrind/default.out', { at, colorScheme });
      await page.waitForSelector(items);
      await page.locator(area).focus();
      await settle(page);
      expect(await accessibility(page), `${at} ${colorScheme}`).toEqual([]);
    }
});
