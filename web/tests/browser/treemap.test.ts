import { expect, test } from 'vitest';
import { exact } from '../../src/model/format';
import type { TreeAnswer } from '../../src/protocol/protocol';
import { expectQuiet, openPage, settle } from './chromium';
import { expectHarmless, expectPng, nameOf, readSvg, saved } from './pictures';

const area = '.picture-area';
const items = `${area} [role=treeitem]`;

test('every box tells its numbers and what it is in', async () => {
  const opened = await openPage('callgrind/default.out', { at: 'treemap' });
  const { page, served } = opened;
  await page.waitForSelector(items);
  const tree = (await served.ask({ ask: 'tree' })) as TreeAnswer;
  const box = (await page.locator(area).boundingBox())!;
  let boxes = 0;
  for (let x = 30; x < box.width; x += 160)
    for (let y = 30; y < box.height; y += 110) {
      await page.mouse.move(box.x + x, box.y + y);
      const name = await page.locator('.tooltip .name-tip').innerText();
      const text = await page.locator('.tooltip').innerText();
      const rows = tree.frames.kind
        .map((_, row) => row)
        .filter(row => (nameOf(tree, row) || '… not expanded') === name);
      expect(rows.length, name).toBeGreaterThan(0);
      const said = rows.some(row => {
        const least = tree.frames.inclusive_least[row]!;
        const isCertain = least === tree.frames.inclusive_most[row];
        return isCertain ? text.includes(`exactly ${exact(least)} Ir`) : text.includes('(estimated; between');
      });
      expect(said, text).toBe(true);
      boxes++;
    }
  expect(boxes).toBeGreaterThan(20);
  expectQuiet(opened);
});

test('is walked with keys: into, out, beside', async () => {
  const opened = await openPage('callgrind/default.out', { at: 'treemap' });
  const { page, served } = opened;
  await page.waitForSelector(items);
  const tree = (await served.ask({ ask: 'tree' })) as TreeAnswer;
  const active = async () => {
    const id = await page.locator(area).getAttribute('aria-activedescendant');
    return (await page.locator(`[id="${id}"]`).textContent()) ?? '';
  };
  await page.locator(area).focus();
  await page.keyboard.press('Home');
  expect(await active()).toContain(nameOf(tree, 0));
  await page.keyboard.press('ArrowDown');
  expect(await active()).toContain(nameOf(tree, 1));
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowRight');
  const roots = tree.frames.parent.flatMap((parent, row) => (parent < 0 ? [row] : []));
  expect(await active()).toContain(nameOf(tree, roots[1]!));
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('.breadcrumbs [aria-current]').innerText()).toContain(nameOf(tree, 1));
  await page.keyboard.press('Escape');
  await expect.poll(() => page.locator('.breadcrumbs [aria-current]').innerText()).toBe('All');
  expectQuiet(opened);
});

test('of callers, of a function, cut in other ways', async () => {
  const opened = await openPage('callgrind/default.out', {
    at: 'treemap&treemap.root=malloc&treemap.direction=callers',
  });
  const { page, served } = opened;
  await page.waitForSelector(items);
  const { id } = (await served.ask({ ask: 'find', name: 'malloc' })) as { id: number };
  const tree = (await served.ask({ ask: 'tree', direction: 'callers', root: id })) as TreeAnswer;
  expect(await page.locator(items).first().textContent()).toContain(exact(tree.frames.inclusive[0]!));
  for (const name of ['Binary', 'Slice and dice', '3']) {
    await page.getByRole('button', { name: /^View/ }).click();
    await page.getByRole('menuitemradio', { name, exact: true }).first().click();
    await settle(page);
  }
  expect(page.url()).toContain('treemap.tiling=slices');
  expect(page.url()).toContain('treemap.levels=3');
  const levels = () => page.locator(items).evaluateAll(all => all.map(one => Number(one.ariaLevel)));
  await expect.poll(async () => Math.max(...(await levels()))).toBe(4);
  expectQuiet(opened);
});

test('is saved as SVG and PNG', async () => {
  const opened = await openPage('callgrind/default.out', { at: 'treemap' });
  const { page } = opened;
  await page.waitForSelector(items);
  const svg = await saved(page, 'Picture (SVG)');
  expect(svg.name).toBe('callee-map.svg');
  const read = await readSvg(page, svg.bytes.toString());
  expectHarmless(read);
  expect(read.texts.some(text => text.includes('_dl_relocate_object'))).toBe(true);
  expectPng((await saved(page, 'Picture (PNG)')).bytes);
  expectQuiet(opened);
});

test('two profiles', async () => {
  const opened = await openPage('callgrind/default.out', { at: 'treemap', before: 'callgrind/jumps.out' });
  await opened.page.waitForSelector(items);
  expect((await opened.page.locator(items).allTextContents()).join('\n')).toContain('before:');
  expectQuiet(opened);
});
