import { describe, expect, it } from 'vitest';
import { boxAt, boxBeside, boxOfRow, flameBoxes, widestBelow } from '../../../src/model/flame_boxes';
import { flameLayout } from '../../../src/model/flame_layout';
import { sizesOf } from '../../../src/model/tree';
import { type Row, treeOfRows } from './tree_of_rows';

// 1000 = 600 (= 594 + 3 + 3 (= 3)) + 300 + 40 × 2 (= 2 each) + 20
const rows: Row[] = [
  [1, 1000],
  [2, 600],
  [3, 594],
  [3, 3],
  [3, 3],
  [4, 3],
  [2, 300],
  ...Array.from({ length: 40 }, (): Row[] => [
    [2, 2],
    [3, 2],
  ]).flat(),
  [2, 20],
];
const tree = treeOfRows(rows);
const layout = flameLayout(tree, sizesOf(tree, 'estimate'));
const all = { zoom: -1, from: 0, to: 1, least: 0.005, most: 0.051 };

describe('boxes of a flame graph', () => {
  const boxes = flameBoxes(tree, layout, all);
  it('are one by one where they are wide enough, and together where not', () => {
    expect(boxes[1]!.map(box => box.row)).toEqual([0]);
    expect(boxes[2]!.map(box => [box.row, box.count])).toEqual([
      [1, 1],
      [6, 1],
      [7, 25],
      [57, 15],
      [87, 1],
    ]);
    expect(boxes[3]!.map(box => [box.row, box.count, box.last])).toEqual([
      [2, 1, 3],
      [3, 2, 6],
    ]);
    expect(boxes[4], 'nothing is drawn below boxes that are together').toBeUndefined();
  });
  it('leave nothing out', () => {
    const sum = boxes[2]!.reduce((total, box) => total + box.end - box.begin, 0);
    expect(sum).toBeCloseTo(1);
    expect(boxes[2]!.reduce((total, box) => total + box.count, 0)).toBe(43);
  });
  it('are opened by magnifying', () => {
    const { begin, end } = boxes[2]![2]!;
    const part = { ...all, from: begin, to: end, least: 0.005 * (end - begin), most: 0.051 * (end - begin) };
    const magnified = flameBoxes(tree, layout, part);
    expect(magnified[2]!.map(box => box.count)).toEqual(Array.from({ length: 25 }, () => 1));
    expect(magnified[3]).toHaveLength(25);
  });
  it('are outermost as one, however wide, where they have no room for a name', () => {
    const flat = treeOfRows([[1, 300], ...Array.from({ length: 70 }, (): Row => [1, 10])]);
    const flatLayout = flameLayout(flat, sizesOf(flat, 'estimate'));
    const drawn = flameBoxes(flat, flatLayout, { ...all, leastFirst: 0.03, most: 1 });
    expect(drawn[1]!.map(box => [box.row, box.count])).toEqual([
      [0, 1],
      [1, 70],
    ]);
    expect(drawn[1]![1]!.end - drawn[1]![1]!.begin).toBeCloseTo(0.7);
  });
  it('are found by row, even by one that is drawn with others or below them', () => {
    expect(boxOfRow(boxes, tree, 1)?.row).toBe(1);
    expect(boxOfRow(boxes, tree, 9)?.row).toBe(7);
    expect(boxOfRow(boxes, tree, 10)?.row).toBe(7);
    expect(boxOfRow(boxes, tree, 5)?.row).toBe(3);
    expect(boxOfRow(flameBoxes(tree, layout, { ...all, zoom: 6 }), tree, 1)).toBeUndefined();
  });
  it('are found by place, the narrow ones a little beside them', () => {
    expect(boxAt(boxes, 2, 0.1, 0)?.row).toBe(1);
    expect(boxAt(boxes, 2, 0.93, 0)?.row).toBe(7);
    expect(boxAt(boxes, 3, 0.7, 0)).toBeUndefined();
    expect(boxAt(boxes, 3, 0.601, 0)).toBeUndefined();
    expect(boxAt(boxes, 3, 0.601, 0.01)?.row).toBe(3);
    expect(boxAt(boxes, 9, 0.5, 0)).toBeUndefined();
  });
  it('have neighbours, and boxes below', () => {
    expect(boxBeside(boxes, tree, 6, 1)?.row).toBe(7);
    expect(boxBeside(boxes, tree, 7, 1)?.row).toBe(57);
    expect(boxBeside(boxes, tree, 1, -1)).toBeUndefined();
    expect(widestBelow(boxes, tree, 1)?.row).toBe(2);
    expect(widestBelow(boxes, tree, 7)).toBeUndefined();
  });
  it('are few, however many functions there are', () => {
    const wide = treeOfRows([[1, 90_000], ...Array.from({ length: 90_000 }, (): Row => [2, 1])]);
    const begin = performance.now();
    const drawn = flameBoxes(wide, flameLayout(wide, sizesOf(wide, 'estimate')), all);
    expect(performance.now() - begin).toBeLessThan(2000);
    expect(drawn[2]!.length).toBeLessThan(25);
    expect(drawn[2]!.reduce((total, box) => total + box.count, 0)).toBe(90_000);
  });
});
