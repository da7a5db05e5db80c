import { expect, test } from 'vitest';
import { exact } from '../../src/model/format';
import type { GraphAnswer } from '../../src/protocol/protocol';
import { accessibility, expectQuiet, type Opened, openPage, settle } from './chromium';
import { expectHarmless, expectPng, readSvg, saved } from './pictures';

const nodes = '.graph-node';
const at = 'graph&fn=fib(int)';
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
  const opened = await openPage('callgrind/default.out', { at: 'graph&fn=main' });
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
