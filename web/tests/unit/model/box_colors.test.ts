import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hues } from '../../../src/model/color';
import { boxFill, shadesOf, toned, tones, tonesOf } from '../../../src/model/picture_style';
import { blend, contrast, rgbOf } from '../../../src/model/shades';
import { treeOf } from '../../../src/model/tree';
import type { TreeAnswer } from '../../../src/protocol/protocol';

// The variables of a theme, as style/tokens.css has them.
function theme(dark: boolean) {
  const css = readFileSync(new URL('../../../src/style/tokens.css', import.meta.url), 'utf8');
  const block = css.split(dark ? '[data-theme="dark"]' : '[data-theme="light"]')[1]!.split('}')[0]!;
  const read = (name: string) => new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(block)![1]!;
  const all = Array.from({ length: hues }, (_, hue) => boxFill(read(`hue-${hue}`), read(`swatch-${hue}`), dark));
  const color = { text: read('text'), muted: read('muted'), surface: read('surface'), match: read('match') };
  return { ...color, hues: all, more: read('more'), less: read('less'), accent: read('accent') };
}

// Oklab: equal distances look equally different; 0.02 is what an eye just tells apart.
function oklab(color: string): number[] {
  const [r, g, b] = rgbOf(color).map(value => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}
const distance = (one: string, other: string) => Math.hypot(...oklab(one).map((value, i) => value - oklab(other)[i]!));

describe.each([false, true])('boxes (dark: %s)', dark => {
  const colors = theme(dark);
  const shades = shadesOf(colors);
  const variants = (fill: string) => Array.from({ length: tones }, (_, tone) => toned(fill, tone, colors));
  const fills = [...colors.hues, ...shades.heat, ...shades.more, ...shades.less].flatMap(variants);
  it('have readable text on every fill', () => {
    for (const fill of fills) expect(contrast(colors.text, fill), fill).toBeGreaterThanOrEqual(4.5);
    expect(contrast(colors.text, colors.match)).toBeGreaterThanOrEqual(4.5);
  });
  it('have readable text when a search dims them', () => {
    for (const fill of fills)
      expect(contrast(colors.muted, blend(fill, colors.surface, 0.7)), fill).toBeGreaterThanOrEqual(4.5);
  });
  it('differ by tone and by hue', () => {
    for (const fill of [...colors.hues, ...shades.heat]) {
      const [first, second, third] = variants(fill) as [string, string, string];
      expect(Math.min(distance(first, second), distance(second, third), distance(first, third))).toBeGreaterThan(0.03);
    }
    colors.hues.forEach((one, at) => {
      for (const other of colors.hues.slice(0, at)) expect(distance(one, other)).toBeGreaterThan(0.03);
    });
  });
  it('show how much self cost: little is far from much', () => {
    expect(distance(shades.heat[0]!, shades.heat.at(-1)!)).toBeGreaterThan(0.1);
  });
});

describe('tones', () => {
  // A wide and deep tree, each function of which calls some of 7.
  const parent = [-1];
  for (let row = 1; row < 400; row++) parent.push(row % 3 === 0 ? row - 1 : Math.max(0, row - 1 - (row % 3)));
  const below = parent.map((_, row) => parent.flatMap((above, child) => (above === row ? [child] : [])));
  const order: number[] = [];
  const walk = (row: number) => {
    order.push(row);
    for (const child of below[row]!) walk(child);
  };
  walk(0);
  const place = new Map(order.map((row, at) => [row, at]));
  const parents = order.map(row => (row === 0 ? -1 : place.get(parent[row]!)!));
  const level: number[] = [];
  for (const above of parents) level.push(above < 0 ? 1 : level[above]! + 1);
  const tree = treeOf({
    functions: Array.from({ length: 7 }, (_, id) => ({ id, name: `f${id}`, file: '', object: '' })),
    frames: {
      kind: parents.map(() => 0),
      function: parents.map((_, row) => row % 7),
      parent: parents,
      level,
      partly_paid: [],
      inlined: [],
    },
  } as unknown as TreeAnswer);
  it('differ between a box and the one above it, and between neighbours, of one hue', () => {
    const chosen = tonesOf(tree, () => 0);
    const last: number[] = [];
    for (let row = 0; row < tree.count; row++) {
      const around = [tree.frames.parent[row]!, last[level[row]!] ?? -1].filter(one => one >= 0);
      for (const one of around) expect(chosen[one]).not.toBe(chosen[row]);
      last[level[row]!] = row;
    }
  });
  it('are those of the function where hues differ', () => {
    const chosen = tonesOf(tree, row => row);
    const of = (index: number) => new Set([...chosen].filter((_, row) => tree.frames.function[row] === index));
    for (let index = 0; index < 7; index++) expect(of(index).size).toBe(1);
  });
});
