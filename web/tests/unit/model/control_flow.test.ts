import { expect, test } from 'vitest';
import { codeOf, hottestInstruction, instructionsOfLine, isNewPlace, mainFile } from '../../../src/model/code_rows';
import { blocksIn, flowOf, foldCold, linesOfBlock, loopAround } from '../../../src/model/control_flow';
import { nextNode } from '../../../src/model/graph';
import { layoutGraph } from '../../../src/model/graph_layout';
import { gutterPiece, gutterWidth } from '../../../src/model/gutter';
import { jumpLanes } from '../../../src/model/jump_lanes';
import type { InstructionRow, InstructionsAnswer } from '../../../src/protocol/protocol';

function row(address: string, line: number, self: number, more: Partial<InstructionRow> = {}): InstructionRow {
  return { address, file: 'a.c', line, self: [self], calls: [], jumps: [], ...more };
}

const rows = [
  row('0x10', 1, 5),
  row('0x12', 2, 5, { jumps: [{ to: '0x20', executed: 5, followed: 2, conditional: true }] }),
  row('0x14', 2, 3),
  row('0x16', 3, 3, { jumps: [{ to: '0x999', executed: 3, followed: 3, conditional: false }] }),
  row('0x20', 9, 2, { gap: true }),
];

test('gaps are rows of their own; jumps that leave the function have no arrow', () => {
  const code = codeOf({ rows });
  expect(code.entries.map(entry => (entry.is === 'gap' ? 'gap' : entry.index))).toEqual([0, 1, 2, 3, 'gap', 4]);
  expect(code.arrows).toEqual([{ from: 1, to: 5, conditional: true }]);
  expect(code.indexOf('0x20')).toBe(4);
  expect(code.indexOf('0x999')).toBe(-1);
});

test('what is removed stands before what it was before', () => {
  const removed = (row: number, addressBefore: string) => {
    return { row, address_before: addressBefore, file: 'a.c', line: 1, self_before: [4] };
  };
  const code = codeOf({ rows, removed: [removed(0, '0x1'), removed(4, '0x2'), removed(4, '0x3'), removed(5, '0x4')] });
  const words = code.entries.map(entry => (entry.is === 'removed' ? entry.row.address_before : entry.is));
  const ofAll = 'instruction';
  expect(words).toEqual(['0x1', ofAll, ofAll, ofAll, ofAll, '0x2', '0x3', 'gap', ofAll, '0x4']);
  const numbers = code.entries.flatMap(entry => (entry.is === 'gap' ? [] : [entry.index]));
  expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
  expect(new Set(numbers).size).toBe(numbers.length);
  for (const [at, entry] of code.entries.entries()) if (entry.is !== 'gap') expect(code.entryOf(entry.index)).toBe(at);
  expect(code.arrows).toEqual([{ from: 2, to: 8, conditional: true }]);
});

test('compared, what changed most is where to begin', () => {
  const changed = [row('1', 1, 9, { self_before: [9] }), row('2', 1, 3, { self_before: [8] })];
  const code = codeOf({ rows: changed });
  expect(hottestInstruction(code, changed, true)).toBe(1);
  expect(hottestInstruction(code, changed, false)).toBe(0);
  const same = [row('1', 1, 2, { self_before: [2] }), row('2', 1, 3, { self_before: [3] })];
  expect(hottestInstruction(codeOf({ rows: same }), same, true)).toBe(1);
  expect(hottestInstruction(codeOf({ rows: [] }), [], true)).toBe(0);
  const removed = [{ row: 1, address_before: '0x9', file: '', line: 0, self_before: [7] }];
  const withGone = codeOf({ rows: changed, removed });
  expect(withGone.entryOf(hottestInstruction(withGone, changed, true))).toBe(1);
});

test('a source position is written where it changes', () => {
  expect(rows.map((_, index) => isNewPlace(rows, index))).toEqual([true, true, false, true, true]);
  expect(instructionsOfLine(rows, 'a.c', 2)).toEqual([1, 2]);
  expect(mainFile([row('1', 1, 0, { file: 'b.c' }), ...rows])).toBe('a.c');
});

test('the pieces of an arrow join from row to row, and pass what is unfolded', () => {
  const lanes = jumpLanes(codeOf({ rows }).arrows);
  const bundle = lanes.bundles[0]!;
  const pieces = [1, 2, 5].map(at => gutterPiece(bundle, at, false, lanes.lanes));
  expect(pieces[0]!.line).toMatch(/V20.*H/);
  expect(pieces[1]!.line).toMatch(/^M[\d.]+ 0V20$/);
  expect(pieces[2]!.line).toMatch(/ 0V10.*H/);
  expect(pieces.map(({ head }) => head !== '')).toEqual([false, false, true]);
  expect(gutterPiece(bundle, 1, true, lanes.lanes).line).toMatch(/^M[\d.]+ 0V20$/);
  expect(gutterPiece(bundle, 5, true, lanes.lanes).line).toBe('');
  expect(gutterWidth(lanes.lanes)).toBeGreaterThan(10);
});

const flow: Pick<InstructionsAnswer, 'blocks' | 'edges'> = {
  blocks: [
    { first: 0, last: 1, executed: true, self: [10] },
    { first: 2, last: 3, executed: true, self: [6] },
    { first: 4, last: 4, executed: true, self: [2] },
    { first: 5, last: 6, executed: false, self: [0] },
  ],
  edges: [
    { from: 0, to: 1, kind: 'not_taken', count: 3 },
    { from: 0, to: 2, kind: 'taken', count: 2 },
    { from: 1, to: 2, kind: 'jump' },
    { from: 2, to: 3, kind: 'not_taken', count: 0 },
  ],
};

test('blocks that were never executed are left out, or all that cost little', () => {
  const usual = flowOf(flow, 0, 100);
  expect(usual.blocks.map(({ index }) => index)).toEqual([0, 1, 2]);
  expect(usual.hidden).toEqual({ blocks: 1, self: 0, cold: 1 });
  expect(flowOf(flow, -1, 100).blocks.length).toBe(4);
  const heavy = flowOf(flow, 0.3, 100);
  expect(heavy.blocks.map(({ index }) => index)).toEqual([0, 1]);
  expect(heavy.arcs).toEqual([{ from: 0, to: 1, kind: 'not_taken', count: 3 }]);
  expect(heavy.hidden.self).toBe(2);
  expect(flowOf(flow, 0, 1).blocks.map(({ index }) => index)).toEqual([0]);
  expect(flowOf({ blocks: [], edges: [] }, 0, 10).blocks).toEqual([]);
});

test('a function that has no cost by this event type is shown nevertheless', () => {
  const free = { ...flow, blocks: flow.blocks.map(block => ({ ...block, self: [0] })) };
  expect(flowOf(free, 0, 100).blocks.map(({ index }) => index)).toEqual([0, 1, 2]);
  expect(flowOf(free, 0.05, 100).blocks.length).toBe(1);
});

test('one walks along the way that was removed most', () => {
  const graph = flowOf(flow, 0, 100);
  const placed = layoutGraph({
    layout: 'down',
    window: { width: 800, height: 600 },
    nodes: graph.blocks.map((_, block) => ({ width: 80, height: 30, priority: 9 - block })),
    arcs: graph.arcs.map(({ from, to }) => ({ from, to, weight: 1, label: null })),
  });
  expect(nextNode(graph, placed, 0, 'down')).toBe(1);
  expect(nextNode(graph, placed, 2, 'up')).toBe(0);
});

test('a way from a block to itself is a loop at its side', () => {
  const placed = layoutGraph({
    layout: 'down',
    window: { width: 800, height: 600 },
    nodes: [{ width: 100, height: 40, priority: 1 }],
    arcs: [{ from: 0, to: 0, weight: 1, label: { width: 20, height: 14 } }],
  });
  const { points } = placed.arcs[0]!;
  const node = placed.nodes[0]!;
  expect(points[0]!.x).toBe(node.x + 50);
  expect(points.at(-1)!.x).toBe(node.x + 50);
  expect(points.every(({ x }) => x >= node.x + 50 && x <= placed.width)).toBe(true);
});

test('the lines of a block are named in few words', () => {
  const block = (first: number, last: number) => ({ index: 0, first, last, executed: true, self: 0, share: 0 });
  expect(linesOfBlock(rows, block(0, 2), 'a.c')).toBe('line 1–2');
  expect(linesOfBlock(rows, block(0, 4), 'a.c')).toBe('line 1–3, 9');
  expect(linesOfBlock(rows, block(4, 4), 'b.c')).toBe('a.c:9');
  expect(linesOfBlock([row('1', 0, 1)], block(0, 0), 'a.c')).toBe('');
});

// Blocks by their self costs, and edges between them.
function flowWith(costs: readonly number[], edges: readonly [from: number, to: number, count?: number][]) {
  return flowOf(
    {
      blocks: costs.map((self, at) => ({ first: at, last: at, self: [self], executed: true })),
      edges: edges.map(([from, to, count]) => ({
        from,
        to,
        kind: 'jump' as const,
        ...(count !== undefined && { count }),
      })),
    } as unknown as InstructionsAnswer,
    0,
    100,
  );
}

test('the loop around a block is the innermost one', () => {
  const edges: [number, number][] = [
    [0, 1],
    [1, 2],
    [2, 3],
    [3, 2], // inner
    [3, 4],
    [4, 1], // outer
    [4, 5],
  ];
  const flow = flowWith([1, 1, 50, 40, 1, 1], edges);
  expect(loopAround(flow, 2)).toEqual([2, 3]);
  expect(loopAround(flow, 4)).toEqual([1, 2, 3, 4]);
  expect(loopAround(flow, 0)).toEqual([]);
  expect(loopAround(flowWith([9, 1], [[0, 0]]), 0)).toEqual([0]);
});

test('runs of cold blocks are one box with the cost of all, and open', () => {
  const costs = [1, 1, 1, 900, 950, 1, 800, 2, 3, 4];
  const flow = flowWith(costs, [
    [0, 1, 5],
    [1, 2, 5],
    [2, 3, 5],
    [3, 4, 100],
    [4, 3, 95],
    [4, 5, 5],
    [4, 7, 2],
    [4, 8, 3],
    [7, 8],
    [5, 6, 5],
    [9, 6, 1],
  ]);
  const folded = foldCold(flow, () => false);
  expect(folded.blocks.map(block => block.folded?.length ?? 1)).toEqual([3, 1, 1, 1, 1, 3]);
  expect(folded.blocks.map(block => block.self)).toEqual([3, 900, 950, 1, 800, 9]);
  expect(blocksIn(folded)).toBe(costs.length);
  expect(folded.arcs).toContainEqual({ from: 2, to: 5, kind: 'jump', count: 5 });
  expect(folded.arcs.filter(({ from, to }) => from === to)).toEqual([]);
  expect(folded.callers[5]!.map(arc => folded.arcs[arc]!.from)).toEqual([2]);
  const opened = foldCold(flow, block => block.first >= 7);
  expect(opened.blocks.map(block => block.folded?.length ?? 1)).toEqual([3, 1, 1, 1, 1, 1, 1, 1]);
  expect(foldCold(flowWith([1, 1, 998], []), () => false).blocks).toHaveLength(3); // too few to be folded
});
