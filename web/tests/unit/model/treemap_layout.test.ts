import { describe, expect, it } from 'vitest';
import { sizesOf, treeOf } from '../../../src/model/tree';
import { cellAt, type TreemapOptions, treemapLayout } from '../../../src/model/treemap_layout';
import type { TreeAnswer } from '../../../src/protocol/protocol';

function answer(parent: number[], inclusive: number[], self: number[], kind = parent.map(() => 0)): TreeAnswer {
  const level: number[] = [];
  parent.forEach((above, row) => {
    level[row] = above < 0 ? 1 : level[above]! + 1;
  });
  return {
    estimated: true,
    whole: 100,
    certain: 100,
    not_expanded: 0,
    unbalanced: 0,
    unrecorded_callees: 0,
    unattributed: 0,
    partly_paid: 0,
    negative: 0,
    certainty: 1,
    functions: parent.map((_, id) => ({ id, name: `f${id}`, file: '', object: '' })),
    frames: {
      kind,
      function: parent.map((_, row) => (kind[row] === 0 ? row : -1)),
      parent,
      level,
      inclusive,
      inclusive_least: inclusive,
      inclusive_most: inclusive,
      self,
      self_least: self,
      self_most: self,
      partly_paid: [],
      inlined: [],
    },
  };
}

const options: TreemapOptions = {
  width: 400,
  height: 200,
  root: -1,
  group: null,
  tiling: 'squares',
  levels: 99,
  leastArea: 0,
  heads: false,
};
// f0 = 20 self + f1 (50 = 10 self + f2 40) + f3 (30)
const tree = treeOf(answer([-1, 0, 1, 0], [100, 50, 40, 30], [20, 10, 40, 30]));
const sizes = sizesOf(tree, 'estimate');

describe('a treemap', () => {
  it.each(['squares', 'halves', 'slices'] as const)('of %s has areas by cost, one inside the other', tiling => {
    const { cells } = treemapLayout(tree, sizes, { ...options, tiling });
    expect(cells.map(cell => cell.row).sort()).toEqual([0, 1, 2, 3]);
    const of = (row: number) => cells.find(cell => cell.row === row)!;
    const area = (cell: { width: number; height: number }) => cell.width * cell.height;
    const inside = 398 * 198;
    expect(area(of(1)) / inside).toBeCloseTo(0.5, 5);
    expect(area(of(3)) / inside).toBeCloseTo(0.3, 5);
    expect(area(of(0).own!) / inside).toBeCloseTo(0.2, 5);
    for (const [inner, outer] of [
      [2, 1],
      [1, 0],
      [3, 0],
    ] as const) {
      const [a, b] = [of(inner), of(outer)];
      expect(a.x >= b.x && a.y >= b.y).toBe(true);
      expect(a.x + a.width <= b.x + b.width + 1e-9 && a.y + a.height <= b.y + b.height + 1e-9).toBe(true);
    }
  });
  it('finds the innermost box at a place', () => {
    const map = treemapLayout(tree, sizes, options);
    for (const cell of map.cells) {
      const own = cell.own ?? cell;
      const at = cellAt(map, own.x + own.width / 2, own.y + own.height / 2);
      expect(map.cells[at]!.row).toBe(cell.row);
    }
    expect(cellAt(map, -1, 5)).toBe(-1);
  });
  it('begins at a box, and goes so deep only', () => {
    expect(treemapLayout(tree, sizes, { ...options, root: 1 }).cells.map(cell => cell.row)).toEqual([1, 2]);
    expect(treemapLayout(tree, sizes, { ...options, levels: 1 }).cells.map(cell => cell.row)).toEqual([0, 1, 3]);
    expect(treemapLayout(tree, sizes, { ...options, leastArea: 1e9 }).cells.map(cell => cell.row)).toEqual([0]);
  });
  it('leaves room for names, but not for those of chains', () => {
    const { cells } = treemapLayout(tree, sizes, { ...options, heads: true });
    expect(cells.find(cell => cell.row === 0)!.head).toBeGreaterThan(0);
    const chain = treeOf(answer([-1, 0, 1, 2], [100, 99, 99, 99], [1, 0, 0, 99]));
    const heads = treemapLayout(chain, sizesOf(chain, 'estimate'), { ...options, heads: true }).cells;
    expect(heads.map(cell => cell.head > 0)).toEqual([true, false, false, false]);
  });
  it('has one box for those that are too small, and shows them alone', () => {
    // 1000 = 600 + 380 + 400 times 0.05: of 400 x 200 pixels 4 each, less the border.
    const costs = [1000, 600, 380, ...Array.from({ length: 400 }, () => 0.05)];
    const parent = costs.map((_, row) => (row === 0 ? -1 : 0));
    const self = costs.map((cost, row) => (row === 0 ? 0 : cost));
    const small = treeOf(answer(parent, costs, self));
    const smallSizes = sizesOf(small, 'estimate');
    const map = treemapLayout(small, smallSizes, options);
    const merged = map.cells.find(cell => cell.merged)!;
    expect(map.cells.filter(cell => !cell.merged).map(cell => cell.row)).toEqual([0, 1, 2]);
    expect(merged.merged).toEqual(Array.from({ length: 400 }, (_, at) => at + 3));
    expect((merged.width * merged.height) / (398 * 198)).toBeCloseTo(20 / 1000, 5);
    expect(map.place.get(170)).toBe(map.cells.indexOf(merged));
    const alone = treemapLayout(small, smallSizes, { ...options, group: merged.merged });
    expect(alone.cells).toHaveLength(400);
    expect(alone.cells[0]!.width * alone.cells[0]!.height).toBeCloseTo((400 * 200) / 400, 5);
  });
  it('of tens of thousands of boxes lays out those that can be seen', () => {
    const count = 60_000;
    const parent = Array.from({ length: count }, (_, row) => (row === 0 ? -1 : 0));
    const costs = parent.map((_, row) => (row === 0 ? 3_000_000 : 1 + (row % 100)));
    const wide = treeOf(
      answer(
        parent,
        costs,
        costs.map(() => 0),
      ),
    );
    const begin = performance.now();
    const { cells } = treemapLayout(wide, sizesOf(wide, 'estimate'), options);
    expect(cells.length).toBeLessThan(80_000);
    expect(performance.now() - begin).toBeLessThan(1000);
  });
});
