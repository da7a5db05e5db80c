// What tests of pictures have in common.

import { readFileSync } from 'node:fs';
import type { Download, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { TreeAnswer } from '../../src/protocol/protocol';

// What the view's own menu saves under this label.
export async function saved(page: Page, label: string): Promise<{ name: string; bytes: Buffer }> {
  await page.getByRole('button', { name: 'Save this picture' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download') as Promise<Download>,
    page.getByRole('menuitem', { name: label }).click(),
  ]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

// The elements and texts of an SVG file, as the browser reads it.
export async function readSvg(
  page: Page,
  text: string,
): Promise<{ elements: string[]; attributes: string[]; texts: string[] }> {
  return page.evaluate(source => {
    const parsed = new DOMParser().parseFromString(source, 'image/svg+xml');
    const all = [...parsed.querySelectorAll('*')];
    return {
      elements: [...new Set(all.map(element => element.nodeName))].sort(),
      attributes: [...new Set(all.flatMap(element => element.getAttributeNames()))],
      texts: all.filter(element => element.childElementCount === 0).map(element => element.textContent ?? ''),
    };
  }, text);
}

export function expectHarmless(svg: { elements: string[]; attributes: string[] }) {
  const harmless = ['defs', 'g', 'path', 'pattern', 'rect', 'svg', 'text', 'title'];
  expect(svg.elements.filter(element => !harmless.includes(element))).toEqual([]);
  expect(svg.attributes.filter(name => /^on|href|style/.test(name))).toEqual([]);
}

export function expectPng(bytes: Buffer) {
  expect(bytes.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
  expect(bytes.length).toBeGreaterThan(2000);
}

// Nothing in the page came out of a name.
export async function expectNoMarkupOfNames(page: Page) {
  expect(
    await page.evaluate(() => document.querySelectorAll('img, iframe, object, a[href^="javascript"], b').length),
  ).toBe(0);
  // The page's own; the others hold data.
  expect(await page.evaluate(() => document.querySelectorAll('script:not([type^="application/"])').length)).toBe(1);
}

export function nameOf(tree: TreeAnswer, row: number): string {
  return tree.functions[tree.frames.function[row]!]?.name ?? '';
}

// Where boxes of a flame graph begin and end, between 0 and 1, counted by the test itself.
export function places(tree: TreeAnswer): { begin: number; end: number }[] {
  const all: { begin: number; end: number }[] = [];
  const next: number[] = [];
  let root = 0;
  tree.frames.parent.forEach((parent, row) => {
    const begin = parent < 0 ? root : next[parent]!;
    const end = begin + Number(tree.frames.inclusive[row]) / Number(tree.whole);
    if (parent < 0) root = end;
    else next[parent] = end;
    next[row] = begin;
    all.push({ begin, end });
  });
  return all;
}
