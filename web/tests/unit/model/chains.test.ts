import { describe, expect, it } from 'vitest';
import { type ChainOptions, foldChains } from '../../../src/model/chains';
import { flameLayout } from '../../../src/model/flame_layout';
import { functionsOf, rowOfKey, sizesOf, type Tree, withFrames } from '../../../src/model/tree';
import { treeOfRows } from './tree_of_rows';

// start > libc > main > run > work (> a, b); libc also calls exit.
const tree = treeOfRows([
  [1, 1000, 'start'],
  [2, 999, 'libc'],
  [3, 990, 'main'],
  [4, 985, 'run'],
  [5, 985, 'work'],
  [6, 500, 'a'],
  [6, 300, 'b'],
  [3, 5, 'exit'],
]);
const usual: ChainOptions = { least: 3, alone: () => false, isOpen: () => false };
const fold = (options: Partial<ChainOptions> = {}, of = tree) =>
  foldChains(of, sizesOf(of, 'estimate'), { ...usual, ...options });
const name = (of: Tree, index: number) => of.answer.functions[index]!.name;
const names = (of: Tree, row: number) => functionsOf(of, row).map(index => name(of, index));
const all = (of: Tree) => Array.from({ length: of.count }, (_, row) => names(of, row).join(' '));

describe('chains of single calls', () => {
  const folded = fold();
  it('are one box, but the last function with its own costs and calls', () => {
    expect(all(folded)).toEqual(['start libc main run', 'work', 'a', 'b', 'exit']);
    expect(folded.frames.parent).toEqual([-1, 0, 1, 1, 0]);
    expect(folded.frames.level).toEqual([1, 2, 3, 3, 2]);
    expect(folded.levels).toBe(3);
  });
  it('keep every cost: inclusive of the first, self of all', () => {
    expect(folded.frames.inclusive).toEqual([1000, 985, 500, 300, 5]);
    expect(folded.frames.self).toEqual([1 + 4 + 5 + 0, 185, 500, 300, 5]);
    const layout = flameLayout(folded, sizesOf(folded, 'estimate'));
    expect([layout.begin[1], layout.end[1]]).toEqual([0, 0.985]);
    expect(layout.begin[4]).toBeCloseTo(0.985);
  });
  it('are found by the keys of all of their functions', () => {
    expect([0, 1, 2, 3, 4, 5, 7].map(row => rowOfKey(folded, tree.keys[row]!))).toEqual([0, 0, 0, 0, 1, 2, 4]);
    expect(rowOfKey(folded, 'none')).toBe(-1);
    expect(folded.keys[1]).toBe(tree.keys[4]);
  });
  it('are not marked as inlined; other frames keep the mark', () => {
    const marked = withFrames(tree.answer, { ...tree.frames, inlined: [2, 5] }, tree.keys);
    expect([...fold({}, marked).inlined]).toEqual([2]);
  });
  it('of fewer functions stay as they are', () => {
    expect(fold({ least: 5 })).toBe(tree);
  });
  it('are left out where a function is to be seen', () => {
    const isMain = (row: number) => tree.frames.function[row] === 2;
    expect(fold({ alone: isMain })).toBe(tree);
    expect(all(fold({ alone: isMain, least: 2 }))).toEqual(['start libc', 'main', 'run', 'work', 'a', 'b', 'exit']);
  });
  it('that are open are not folded in part, either', () => {
    expect(fold({ isOpen: row => row === 0 })).toBe(tree);
  });
  it('end before they have lost a tenth of what they began with', () => {
    const losing = Array.from({ length: 12 }, (_, row) => [row + 1, 1000 * 0.975 ** row, `f${row}`] as const);
    const chains = [...fold({}, treeOfRows(losing)).chains.values()];
    expect(chains.map(one => one.length)).toEqual([5, 5]);
  });
  it('are found at once in a deep tree', () => {
    const deep = treeOfRows(Array.from({ length: 20_000 }, (_, row) => [row + 1, 7, `f${row % 9}`] as const));
    const begin = performance.now();
    expect(fold({}, deep).count).toBe(2);
    expect(performance.now() - begin).toBeLessThan(2000);
  });
});
