import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { exact } from '../../src/model/format';
import type { GraphAnswer } from '../../src/protocol/protocol';
import { accessibility, expectQuiet, type Opened, openPage, settle } from './chromium';
import { expectHarmless, expectPng, readSvg, saved } from './pictures';

const nodes = '.graph-node';
const at = 'graph&fn=fib(int)&graph.fold=no&graph.most=100';
const usual = { callers: 2, callees: 4, node_share: 0.01, arc_share: 0.005, most: 100 };

async function around(opened: Opened, name: string): Promise<GraphAnswer> {
  const { id } = (await opened.served.ask({ ask: 'find', name })) as { id: number };
  return (await opened.served.ask({ ask: 'graph', id, ...usual })) as GraphAnswer;
}

test('shows the functions and calls of the engine, with their numbers', async () => {
  const opened = await openPage('callgrind/default.out', { at });
  const { page } = opened;
  await page.waitForSelector(nodes);
  const graph = await around(opened, 'fib(int)');
  expect(await page.locator(nodes).count()).toBe(graph.nodes.length);
  const labels = await page.locator(nodes).evaluateAll(all => all.map(one => one.getAttribute('data-title') ?? ''));
  for (const [index, node] of graph.nodes.entries()) {
    expect(labels[index]).toContain(node.short ?? node.name);
    expect(labels[index]).toContain(`inclusive ${exact(node.inclusive[0]!)} Ir`);
    expect(labels[index]).toContain(`self ${exact(node.self[0]!)} Ir`);
  }
  expect(await page.locator('.graph-arc').count()).toBe(graph.arcs.length);
  const rows = await page.locator('.graph table tbody tr').allInnerTexts();
  for (const [index, arc] of graph.arcs.entries())
    expect(rows[index]).toContain(graph.nodes[arc.to]!.short ?? graph.nodes[arc.to]!.name);
  expect(await page.locator('.graph-arc.recursive').count()).toBe(graph.arcs.filter(arc => arc.recursive).length);
  expect(await page.locator('.graph-node.middle').getAttribute('data-title')).toContain('fib(int)');
  expectQuiet(opened);
});

test('boxes lie beside each other, callers above', async () => {
  const { page } = await openPage('callgrind/default.out', { at });
  await page.waitForSelector(nodes);
  const boxes = await page
    .locator('.graph-box')
    .evaluateAll(all => all.map(one => (one as SVGRectElement).getBoundingClientRect().toJSON()));
  for (const [index, one] of boxes.entries())
    for (const other of boxes.slice(index + 1)) {
      const apart =
        one.right <= other.left || other.right <= one.left || one.bottom <= other.top || other.bottom <= one.top;
      expect(apart).toBe(true);
    }
});

test('is walked along its calls with keys, and goes on from there', async () => {
  const opened = await openPage('callgrind/default.out', { at: 'graph&fn=main' });
  const { page } = opened;
  await page.waitForSelector(nodes);
  const active = async () => {
    const id = await page.locator('.graph-area').getAttribute('aria-activedescendant');
    return (await page.locator(`[id="${id}"]`).textContent()) ?? '';
  };
  await page.locator('.graph-area').focus();
  expect(await active()).toMatch(/^main/);
  await page.keyboard.press('ArrowUp');
  expect(await active()).toMatch(/^\(below main\)/);
  await page.keyboard.press('ArrowDown');
  expect(await active()).toMatch(/^main/);
  await page.keyboard.press('ArrowDown');
  const callee = await active();
  expect(callee).not.toMatch(/^main/);
  await page.keyboard.press('Space');
  await expect.poll(() => page.locator('.graph-node.selected').getAttribute('data-title')).toBe(callee);
  expect(await page.locator('.graph-node.middle').getAttribute('data-title')).toMatch(/^main/);
  await page.keyboard.press('Enter');
  const name = callee.split(';')[0]!;
  await expect.poll(() => page.locator('.graph-node.middle').getAttribute('data-title')).toContain(name);
  expect(decodeURIComponent(page.url())).toContain('graph.middle=');
  await page.keyboard.press('Alt+ArrowLeft');
  await expect.poll(() => page.locator('.graph-node.middle').getAttribute('data-title')).toMatch(/^main/);
  expectQuiet(opened);
});

test('a click selects and leaves the picture as it is, a double click puts it in the middle', async () => {
  const opened = await openPage('callgrind/default.out', { at: 'graph&fn=main' });
  const { page } = opened;
  await page.waitForSelector(nodes);
  const below = page.locator(nodes).filter({ hasText: '(below main)' }).first();
  const before = await page.locator(nodes).count();
  await below.click();
  await expect.poll(() => page.locator('.graph-node.selected').getAttribute('data-title')).toContain('(below main)');
  expect(await page.locator(nodes).count()).toBe(before);
  expect(await page.locator('.graph-node.middle').getAttribute('data-title')).toMatch(/^main/);
  await below.dblclick();
  await expect.poll(() => page.locator('.graph-node.middle').getAttribute('data-title')).toContain('(below main)');
  // Elsewhere and back: the picture is of what is selected then.
  await page.keyboard.press('1');
  await page.waitForSelector('.functions');
  expect(page.url()).not.toContain('graph.middle');
  expectQuiet(opened);
});

test('limits, direction and the whole program', async () => {
  const opened = await openPage('callgrind/default.out', { at: 'graph&fn=main&graph.fold=no&graph.most=100' });
  const { page, served } = opened;
  await page.waitForSelector(nodes);
  await page.getByRole('button', { name: 'Limits' }).click();
  await page.getByLabel('Levels of callers').selectOption('0');
  await page.getByLabel('Levels of callees').selectOption('1');
  await page.keyboard.press('Escape');
  const { id } = (await served.ask({ ask: 'find', name: 'main' })) as { id: number };
  const graph = (await served.ask({ ask: 'graph', id, ...usual, callers: 0, callees: 1 })) as GraphAnswer;
  await expect.poll(() => page.locator(nodes).count()).toBe(graph.nodes.length);
  await page.getByRole('radio', { name: '→' }).click();
  // It is laid out anew meanwhile: a box that was just found may be gone.
  const left = async (which: string) =>
    (await page.locator(`${which} .graph-box`).first().boundingBox())?.x ?? Number.NaN;
  await expect
    .poll(async () => (await left('.graph-node:not(.middle)')) - (await left('.graph-node.middle')))
    .toBeGreaterThan(0);
  await page.getByRole('radio', { name: 'Whole program' }).click();
  const whole = (await served.ask({ ask: 'graph', ...usual, callers: 0, callees: 1 })) as GraphAnswer;
  await expect.poll(() => page.locator(nodes).count()).toBe(whole.nodes.length);
  expectQuiet(opened);
});

test('is moved, zoomed and shown as a whole', async () => {
  const opened = await openPage('callgrind/default.out', { at: 'graph' });
  const { page } = opened;
  await page.waitForSelector(nodes);
  const place = () => page.locator('.graph-svg > g').getAttribute('transform');
  const first = await place();
  const box = (await page.locator('.graph-area').boundingBox())!;
  await page.mouse.move(box.x + box.width - 40, box.y + 30);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 140, box.y + 90, { steps: 4 });
  await page.mouse.up();
  const moved = await place();
  expect(moved).not.toBe(first);
  await page.mouse.wheel(0, -200);
  const zoomed = await place();
  expect(zoomed).not.toBe(moved);
  await page.locator('.graph-area').focus();
  await page.keyboard.press('w');
  const all = await page.locator('.graph-svg > g').boundingBox();
  expect(all!.x >= box.x - 1 && all!.x + all!.width <= box.x + box.width + 1).toBe(true);
  expectQuiet(opened);
});

// Start-up code in a line, a function that calls many others, and a hot one below one of those.
function chainAndStar(): string {
  const chain = Array.from({ length: 9 }, (_, at) => `start_${at}`);
  const others = Array.from({ length: 30 }, (_, at) => `callee_${at}`);
  const lines = ['events: Ir', 'fl=x.c'];
  let line = 0;
  const call = (to: string, cost: number) => lines.push(`cfn=${to}`, 'calls=1 1', `${++line} ${cost}`);
  chain.forEach((name, at) => {
    lines.push(`fn=${name}`, `${++line} 1`);
    call(chain[at + 1] ?? 'hub', 100_000 - at);
  });
  lines.push('fn=hub', `${++line} 3000`);
  others.forEach((name, at) => {
    call(name, 1500 + at);
  });
  others.forEach((name, at) => {
    lines.push(`fn=${name}`, `${++line} ${1000 + at}`);
    if (at === 7) call('hot', 50_000);
  });
  lines.push('fn=hot', `${++line} 50000`);
  const path = join(mkdtempSync(join(tmpdir(), 'graph-')), 'callgrind.out');
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

const leastText = (page: Page) =>
  page
    .locator('.graph-svg text')
    .evaluateAll(all =>
      Math.min(
        ...all
          .filter(one => one.getClientRects().length > 0)
          .map(one => Number.parseFloat(getComputedStyle(one).fontSize) * (one as SVGTextElement).getScreenCTM()!.a),
      ),
    );
const widthOfBoxes = (page: Page) =>
  page.locator('.graph-box').evaluateAll(all => {
    const boxes = all.map(one => one.getBoundingClientRect());
    return Math.max(...boxes.map(({ right }) => right)) - Math.min(...boxes.map(({ left }) => left));
  });
const box = (page: Page, name: string) => page.locator(`.graph-node[data-title*="${name}"]`).first();

async function expectInside(page: Page, name: string) {
  const area = (await page.locator('.graph-area').boundingBox())!;
  const inside = (await box(page, name).locator('.graph-box').boundingBox())!;
  expect(inside.x).toBeGreaterThanOrEqual(area.x);
  expect(inside.y).toBeGreaterThanOrEqual(area.y);
  expect(inside.x + inside.width).toBeLessThanOrEqual(area.x + area.width);
  expect(inside.y + inside.height).toBeLessThanOrEqual(area.y + area.height);
}

test('begins at the hot part, readable, no wider than the window', async () => {
  const path = chainAndStar();
  for (const [width, height] of [
    [390, 844],
    [1280, 800],
    [1920, 1080],
  ] as const)
    for (const [profile, at, hot] of [
      [path, 'graph', 'hot; '],
      [path, 'graph&fn=hub', 'hub; '],
      [path, 'graph&graph.most=400', 'hot; '],
      ['callgrind/python-instr-jumps.out', 'graph&fn=_PyEval_EvalFrameDefault', '_PyEval_EvalFrameDefault; '],
    ] as const) {
      const phone = width === 390 ? { hasTouch: true, isMobile: true } : {};
      const opened = await openPage(profile, { at, viewport: { width, height }, ...phone });
      const { page } = opened;
      await page.waitForSelector(nodes);
      await settle(page);
      expect(await leastText(page), `${at} ${width}`).toBeGreaterThanOrEqual(10.99);
      await expectInside(page, hot);
      if (profile === path) expect(await widthOfBoxes(page)).toBeLessThanOrEqual(width);
      expectQuiet(opened);
    }
});

test('text is 11 pixels at least however small the boxes are, in files of its usual size', async () => {
  const { page } = await openPage(chainAndStar(), { at: 'graph' });
  await page.waitForSelector(nodes);
  await page.locator('.graph-area').focus();
  for (let times = 0; times < 8; times++) {
    await page.keyboard.press('-');
    const least = await leastText(page);
    expect(least).toBeGreaterThanOrEqual(10.99); // infinite: there is no text
  }
  const { texts } = await readSvg(page, (await saved(page, 'Picture (SVG)')).bytes.toString());
  expect(texts.some(text => text.includes('self 50'))).toBe(true);
  expect(await page.locator('.graph-svg.small').count()).toBe(1);
});

test('chains of single calls are one box, which opens and folds', async () => {
  const opened = await openPage(chainAndStar(), { at: 'graph' });
  const { page } = opened;
  await page.waitForSelector(nodes);
  const chain = box(page, 'chain of 9 functions');
  const count = await page.locator(nodes).count();
  expect(await chain.textContent()).toContain('start_0 … start_8');
  expect(await page.locator('.graph-sum').innerText()).toContain('(9 folded)');
  expect(await page.getByRole('option', { name: /chain of 9 functions: start_0, start_1/ }).count()).toBe(1);
  // What is found in it marks it.
  await page.keyboard.press('\\');
  await page.keyboard.type('start_4');
  await expect.poll(() => chain.evaluate(one => one.classList.contains('found'))).toBe(true);
  await page.keyboard.press('Escape');
  expect(await accessibility(page)).toEqual([]);
  const dot = (await saved(page, 'This graph (DOT)')).bytes.toString();
  expect(dot).toContain('start_0 … start_8');
  expect(dot.match(/^ {2}n\d+ \[/gm)).toHaveLength(count);

  await chain.locator('.graph-box').click();
  await expect.poll(() => page.locator(nodes).count()).toBe(count + 8);
  expect(page.url()).toContain('graph.open=');
  expect(await box(page, 'start_4; ').count()).toBe(1);
  await page.locator('.graph-fold').click();
  await expect.poll(() => page.locator(nodes).count()).toBe(count);
  expect(page.url()).not.toContain('graph.open=');

  // By keys, and by its menu.
  await page.locator('.graph-area').focus();
  await page.keyboard.press('End');
  for (let up = 0; up < 12; up++) await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator(nodes).count()).toBe(count + 8);
  await page.keyboard.press('c');
  await expect.poll(() => page.locator(nodes).count()).toBe(count);
  await chain.locator('.graph-box').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Open the chain of 9 functions' }).click();
  await expect.poll(() => page.locator(nodes).count()).toBe(count + 8);
  await page.reload();
  await page.waitForSelector(nodes);
  expect(await page.locator(nodes).count()).toBe(count + 8);
  await page.getByRole('button', { name: 'Fold chains' }).click();
  await expect.poll(() => page.url()).toContain('graph.fold=no');
  await page.getByRole('button', { name: 'Fold chains' }).click();
  await expect.poll(() => page.locator(nodes).count()).toBe(count);
  expectQuiet(opened);
});

test('by touch: a box opens, another touch on a selected one opens its menu, two fingers zoom', async () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const opened = await openPage(chainAndStar(), { at: 'graph&fn=hub', ...phone });
  const { page } = opened;
  await page.waitForSelector(nodes);
  await box(page, 'hub; ').locator('.graph-box').tap();
  await page.getByRole('menuitem', { name: 'Center' }).waitFor();
  await page.keyboard.press('Escape');
  const place = () => page.locator('.graph-svg > g').getAttribute('transform');
  const before = await place();
  const touch = await page.context().newCDPSession(page);
  const fingers = (a: number, b: number) => [
    { x: 195, y: a, id: 1 },
    { x: 195, y: b, id: 2 },
  ];
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: fingers(450, 550) });
  for (const far of [20, 40, 60, 80])
    await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: fingers(450 - far, 550 + far) });
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  const scale = (text: string | null) => Number(/scale\((.+)\)/.exec(text ?? '')?.[1]);
  await expect.poll(async () => scale(await place()) / scale(before)).toBeGreaterThan(1.5);
  expectQuiet(opened);
});

test('is laid out again when the window has another size', async () => {
  const { page } = await openPage(chainAndStar(), { at: 'graph&graph.most=400' });
  await page.waitForSelector(nodes);
  expect(await widthOfBoxes(page)).toBeGreaterThan(900);
  await page.setViewportSize({ width: 700, height: 800 });
  await expect.poll(() => widthOfBoxes(page)).toBeLessThan(700);
});

test('is saved as SVG, PNG and DOT', async () => {
  const opened = await openPage('callgrind/default.out', { at });
  const { page } = opened;
  await page.waitForSelector(nodes);
  const svg = await saved(page, 'Picture (SVG)');
  expect(svg.name).toBe('call-graph.svg');
  const read = await readSvg(page, svg.bytes.toString());
  expectHarmless(read);
  expect(read.texts.some(text => text.includes('fib(int)'))).toBe(true);
  expectPng((await saved(page, 'Picture (PNG)')).bytes);
  const dot = (await saved(page, 'This graph (DOT)')).bytes.toString();
  const graph = await around(opened, 'fib(int)');
  expect(dot.match(/^ {2}n\d+ \[/gm)).toHaveLength(graph.nodes.length);
  expect(dot.match(/^ {2}n\d+ -> n\d+/gm)).toHaveLength(graph.arcs.length);
  expectQuiet(opened);
});

test('large cycles are drawn in bounded time', async () => {
  const opened = await openPage('callgrind/python-instr-jumps.out', { at: 'graph&fn=_PyEval_EvalFrameDefault' });
  const { page } = opened;
  await page.waitForSelector(nodes, { timeout: 30_000 });
  expect(await page.locator('.graph-node[data-title*="in cycle"]').count()).toBeGreaterThan(0);
  expectQuiet(opened);
});

test('two profiles: changes have signs', async () => {
  const opened = await openPage('callgrind/default.out', { at: 'graph&fn=main', before: 'callgrind/jumps.out' });
  await opened.page.waitForSelector(nodes);
  const labels = await opened.page.locator(nodes).evaluateAll(all => all.map(one => one.getAttribute('data-title')));
  expect(labels.join('\n')).toMatch(/as before|[▲▼]/);
  expectQuiet(opened);
});

test('accessible in light and dark', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page } = await openPage('callgrind/default.out', { at, colorScheme });
    await page.waitForSelector(nodes);
    await page.locator('.graph-area').focus();
    await page.getByRole('button', { name: 'Limits' }).click();
    await settle(page);
    expect(await accessibility(page), colorScheme).toEqual([]);
  }
});

test('all of it fits in the window on request, and the buttons cover nothing', async () => {
  const opened = await openPage(chainAndStar(), { at: 'graph&graph.most=400' });
  const { page } = opened;
  await page.waitForSelector(nodes);
  await page.getByRole('button', { name: 'Fit all' }).click();
  await settle(page);
  const area = (await page.locator('.graph-area').boundingBox())!;
  const whole = (await page.locator('.graph-svg > g').boundingBox())!;
  expect(whole.x).toBeGreaterThanOrEqual(area.x - 1);
  expect(whole.y).toBeGreaterThanOrEqual(area.y - 1);
  expect(whole.x + whole.width).toBeLessThanOrEqual(area.x + area.width + 1);
  expect(whole.y + whole.height).toBeLessThanOrEqual(area.y + area.height + 1);
  for (const button of await page.locator('.graph-zoom button').all()) {
    const box = (await button.boundingBox())!;
    expect(box.x + box.width).toBeLessThanOrEqual(area.x);
  }
  expectQuiet(opened);
});

test('callers that are not drawn are a stub, which leads to them', async () => {
  const callers = Array.from({ length: 12 }, (_, at) => `fn=caller_${at}\n1 1\ncfn=shared\ncalls=1 5\n1 1000`);
  const path = join(mkdtempSync(join(tmpdir(), 'graph-stub-')), 'callgrind.out');
  const top = 'fn=main\n1 1\ncfn=shared\ncalls=1 5\n1 500000';
  writeFileSync(path, `events: Ir\nfl=x.c\n${top}\n${callers.join('\n')}\nfn=shared\n5 512000\n`);
  const opened = await openPage(path, { at: 'graph' });
  const { page, served } = opened;
  await page.waitForSelector(nodes);
  const graph = (await served.ask({ ask: 'graph', ...usual })) as GraphAnswer;
  const shared = graph.nodes.findIndex(node => node.name === 'shared');
  const drawn = new Set(graph.arcs.filter(arc => arc.to === shared).map(arc => arc.from)).size;
  expect(graph.hidden_callers[shared]! + drawn).toBe(13);
  const stub = box(page, 'shared; ').locator('.graph-stub');
  expect(await stub.textContent()).toBe('↑ 12 callers');
  expect(await box(page, 'shared; ').getAttribute('data-title')).toContain('12 callers not drawn');
  expect(await page.locator('.graph-node[data-title^="main; "] .graph-stub').count()).toBe(0);
  await stub.click();
  await expect.poll(() => page.locator('.graph-node.middle').getAttribute('data-title')).toContain('shared');
  expectQuiet(opened);
});
