import { describe, expect, it } from 'vitest';
import { eachBetween, flameLayout } from '../../../src/model/flame_layout';
import {
  children,
  estimatedPart,
  isBelow,
  outermost,
  pathOf,
  rowOfKey,
  shareFound,
  sizesOf,
  treeOf,
} from '../../../src/model/tree';
import type { Frames, TreeAnswer } from '../../../src/protocol/protocol';

// main(100) > a(60 of which 50 certain) > b(20), c(20); main > d(30) > b(30); main > not expanded(4)
const names = ['main', 'a', 'b', 'c', 'd'];

function answer(frames: Partial<Frames> = {}): TreeAnswer {
  const inclusive = [100, 60, 20, 20, 30, 30, 4];
  const self = [6, 20, 20, 20, 0, 30, 4];
  return {
    estimated: true,
    whole: 100,
    certain: 90,
    not_expanded: 4,
    unbalanced: 0,
    unrecorded_callees: 0,
    unattributed: 0,
    partly_paid: 0,
    negative: 0,
    certainty: 0.9,
    functions: names.map((name, id) => ({ id, name, file: 'f.c', object: 'o' })),
    frames: {
      kind: [0, 0, 0, 0, 0, 0, 1],
      function: [0, 1, 2, 3, 4, 2, -1],
      parent: [-1, 0, 1, 1, 0, 4, 0],
      level: [1, 2, 3, 3, 2, 3, 2],
      inclusive,
      inclusive_least: [100, 50, 10, 20, 30, 30, 4],
      inclusive_most: [100, 70, 30, 20, 30, 30, 4],
      self,
      self_least: self,
      self_most: self,
      partly_paid: [],
      inlined: [],
      ...frames,
    },
  };
}

describe('a tree of paths', () => {
  const tree = treeOf(answer());
  it('knows what is below what', () => {
    expect(children(tree, -1)).toEqual([0]);
    expect(children(tree, 0)).toEqual([1, 4, 6]);
    expect(children(tree, 1)).toEqual([2, 3]);
    expect(pathOf(tree, 5)).toEqual([0, 4, 5]);
    expect([isBelow(tree, 3, 1), isBelow(tree, 4, 1), isBelow(tree, 4, -1)]).toEqual([true, false, true]);
  });
  it('gives each path a key of its own, the same in another tree', () => {
    expect(new Set(tree.keys).size).toBe(7);
    const other = treeOf(answer({ function: [0, 1, 2, 4, 4, 3, -1] }));
    expect(rowOfKey(other, tree.keys[2]!)).toBe(2);
    expect(rowOfKey(other, tree.keys[3]!)).toBe(-1);
    expect(rowOfKey(tree, '')).toBe(-1);
  });
  it('says which part of a box is estimated', () => {
    const sizes = sizesOf(tree, 'estimate');
    expect(estimatedPart(tree, [0], sizes)).toBe(0);
    expect(estimatedPart(tree, [1], sizes)).toBeCloseTo(10 / 60);
    expect(estimatedPart(tree, [2], sizes)).toBe(0.5);
    expect(estimatedPart(tree, [2, 3], sizes)).toBe(0.25);
  });
  it('says it by the bounds of the profile that its size is of', () => {
    const both = treeOf(
      answer({
        inclusive_before: [100, 80, 10, 20, 30, 30, 4],
        inclusive_before_least: [100, 20, 10, 20, 30, 30, 4],
      }),
    );
    expect(estimatedPart(both, [1], sizesOf(both, 'before'))).toBeCloseTo(60 / 80);
    expect(estimatedPart(both, [1], sizesOf(both, 'larger'))).toBeCloseTo(60 / 80);
    expect(estimatedPart(both, [2], sizesOf(both, 'larger'))).toBe(0.5);
    expect(estimatedPart(both, [2], sizesOf(both, 'before'))).toBe(0);
  });
  it('counts what a search found once', () => {
    const sizes = sizesOf(tree, 'estimate');
    const is = (name: string) => (row: number) => names[tree.frames.function[row]!] === name;
    expect(outermost(tree, is('b'))).toEqual([2, 5]);
    expect(shareFound(tree, sizes, is('b')).share).toBeCloseTo(0.5);
    expect(shareFound(tree, sizes, row => is('b')(row) || is('d')(row)).share).toBeCloseTo(0.5);
    expect(shareFound(tree, sizes, row => is('main')(row) || is('b')(row)).share).toBe(1);
    expect(shareFound(tree, sizes, () => false)).toEqual({ share: 0, isEstimated: false });
    expect(shareFound(tree, sizes, is('b')).isEstimated).toBe(true);
    expect(shareFound(tree, sizes, is('d')).isEstimated).toBe(false);
    expect(shareFound(tree, sizesOf(tree, 'least'), is('b')).isEstimated).toBe(false);
  });
  it('has room for what is gone and what is new', () => {
    const compared = treeOf(
      answer({
        inclusive: [100, 60, 0, 60, 30, 30, null],
        self: [10, 0, 0, 60, 0, 30, null],
        inclusive_before: [100, 60, 60, 0, 30, null, 4],
        self_before: [6, 0, 60, 0, 0, null, 4],
      }),
    );
    const sizes = sizesOf(compared, 'larger');
    expect([...sizes.of]).toEqual([10 + 120 + 30 + 4, 120, 60, 60, 30, 30, 4]);
    expect([...sizesOf(compared, 'before').of]).toEqual([100, 60, 60, 0, 30, 0, 4]);
  });
  it('of hostile numbers stays within bounds', () => {
    const huge = 2n ** 63n - 1n;
    const odd = treeOf(answer({ inclusive: [huge, huge, huge, huge, -5, null, 0] }));
    for (const by of ['estimate', 'least', 'larger'] as const) {
      const layout = flameLayout(odd, sizesOf(odd, by));
      for (let row = 0; row < odd.count; row++) {
        const parent = odd.frames.parent[row]!;
        expect(layout.begin[row]).toBeGreaterThanOrEqual(parent < 0 ? 0 : layout.begin[parent]!);
        expect(layout.end[row]).toBeGreaterThanOrEqual(layout.begin[row]!);
        expect(layout.end[row]).toBeLessThanOrEqual((parent < 0 ? 1 : layout.end[parent]!) + 1e-12);
      }
    }
  });
});

describe('a flame graph', () => {
  const tree = treeOf(answer());
  const layout = flameLayout(tree, sizesOf(tree, 'estimate'));
  const between = (level: number, from: number, to: number) => {
    const rows: number[] = [];
    eachBetween(layout, level, from, to, row => rows.push(row));
    return rows;
  };
  it('puts boxes below the one they are part of, from left to right', () => {
    expect(layout.begin[4]).toBeCloseTo(0.6);
    expect(layout.end[4]).toBeCloseTo(0.9);
    expect(between(2, 0, 1)).toEqual([1, 4, 6]);
    expect(between(3, 0, 1)).toEqual([2, 3, 5]);
  });
  it('finds what is in sight', () => {
    expect(between(3, 0.25, 0.5)).toEqual([3]);
    expect(between(3, 0.45, 0.55)).toEqual([]);
  });
  it('is there at once', () => {
    const frames = 20_000;
    const parent = Array.from({ length: frames }, (_, row) => (row === 0 ? -1 : row - 1));
    const level = parent.map((_, row) => row + 1);
    const costs = parent.map((_, row) => frames - row);
    const zeros = parent.map(() => 0);
    const deep = treeOf(
      answer({
        kind: zeros,
        function: zeros,
        parent,
        level,
        inclusive: costs,
        inclusive_least: costs,
        inclusive_most: costs,
        self: zeros,
      }),
    );
    const begin = performance.now();
    const wide = flameLayout(deep, sizesOf(deep, 'estimate'));
    expect(wide.rows[wide.first[19_999]!]).toBe(19_999);
    expect(performance.now() - begin).toBeLessThan(200);
  });
});
