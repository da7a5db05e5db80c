// What tests of pictures have in common.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Download, Page } from 'playwright-core';
import { afterAll, expect } from 'vitest';
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

const folder = mkdtempSync(join(tmpdir(), 'callcost-pictures-'));
afterAll(() => rmSync(folder, { recursive: true }));

// A profile that only a test needs.
export function written(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

// Functions as [name, self cost, the names of what it calls once]; callees come before their callers.
export function callgrindOf(functions: readonly (readonly [string, number, readonly string[]])[]): string {
  const inclusive = new Map<string, number>();
  const blocks = functions.map(([name, self, callees]) => {
    const calls = callees.map(callee => `cfn=${callee}\ncalls=1 1\n2 ${inclusive.get(callee)}`);
    inclusive.set(
      name,
      callees.reduce((sum, callee) => sum + inclusive.get(callee)!, self),
    );
    return [`fn=${name}`, `1 ${self}`, ...calls, ''].join('\n');
  });
  return `# callgrind format\nversion: 1\ncreator: test\npositions: line\nevents: Ir\n\n${blocks.join('\n')}`;
}

// main calls 300 modules, each of which calls 299 functions of its own; a few have most of the cost.
export function manyFunctions(): string {
  const modules = Array.from({ length: 300 }, (_, module) => module);
  const names = (module: number) => Array.from({ length: 299 }, (_, at) => `m${module}_f${at}`);
  const cost = (module: number, at: number) => 1 + Math.floor(1e6 / ((module + 1) * (at + 1)));
  return callgrindOf([
    ...modules.flatMap(module => names(module).map((name, at) => [name, cost(module, at), []] as const)),
    ...modules.map(module => [`module${module}`, 5, names(module)] as const),
    ['main', 10, modules.map(module => `module${module}`)],
  ]);
}
