import { expect, test } from 'vitest';
import type { InstructionRow, InstructionsAnswer } from '../../src/engine/protocol';
import { code_of, hottest_instruction, instructions_of_line, is_new_place, main_file } from '../../src/model/code_rows';
import { flow_of, lines_of_block } from '../../src/model/control_flow';
import { next_node } from '../../src/model/graph';
import { layout_graph } from '../../src/model/graph_layout';
import { gutter_piece, gutter_width } from '../../src/model/gutter';
import { jump_lanes } from '../../src/model/jump_lanes';

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
  const code = code_of({ rows });
  expect(code.entries.map(entry => (entry.is === 'gap' ? 'gap' : entry.index))).toEqual([0, 1, 2, 3, 'gap', 4]);
  expect(code.arrows).toEqual([{ from: 1, to: 5, conditional: true }]);
  expect(code.index_of('0x20')).toBe(4);
  expect(code.index_of('0x999')).toBe(-1);
});

test('what is gone stands before what it was before', () => {
  const gone = (row: number, address_before: string) => {
    return { row, address_before, file: 'a.c', line: 1, self_before: [4] };
  };
  const code = code_of({ rows, gone: [gone(0, '0x1'), gone(4, '0x2'), gone(4, '0x3'), gone(5, '0x4')] });
  const words = code.entries.map(entry => (entry.is === 'gone' ? entry.row.address_before : entry.is));
  const of_all = 'instruction';
  expect(words).toEqual(['0x1', of_all, of_all, of_all, of_all, '0x2', '0x3', 'gap', of_all, '0x4']);
  const numbers = code.entries.flatMap(entry => (entry.is === 'gap' ? [] : [entry.index]));
  expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
  expect(new Set(numbers).size).toBe(numbers.length);
  for (const [at, entry] of code.entries.entries()) if (entry.is !== 'gap') expect(code.entry_of(entry.index)).toBe(at);
  expect(code.arrows).toEqual([{ from: 2, to: 8, conditional: true }]);
});

test('compared, what changed most is where to begin', () => {
  const changed = [row('1', 1, 9, { self_before: [9] }), row('2', 1, 3, { self_before: [8] })];
  const code = code_of({ rows: changed });
  expect(hottest_instruction(code, changed, true)).toBe(1);
  expect(hottest_instruction(code, changed, false)).toBe(0);
  const same = [row('1', 1, 2, { self_before: [2] }), row('2', 1, 3, { self_before: [3] })];
  expect(hottest_instruction(code_of({ rows: same }), same, true)).toBe(1);
  expect(hottest_instruction(code_of({ rows: [] }), [], true)).toBe(0);
  const gone = [{ row: 1, address_before: '0x9', file: '', line: 0, self_before: [7] }];
  const with_gone = code_of({ rows: changed, gone });
  expect(with_gone.entry_of(hottest_instruction(with_gone, changed, true))).toBe(1);
});

test('a source position is written where it changes', () => {
  expect(rows.map((_, index) => is_new_place(rows, index))).toEqual([true, true, false, true, true]);
  expect(instructions_of_line(rows, 'a.c', 2)).toEqual([1, 2]);
  expect(main_file([row('1', 1, 0, { file: 'b.c' }), ...rows])).toBe('a.c');
});

test('the pieces of an arrow join from row to row, and pass what is unfolded', () => {
  const lanes = jump_lanes(code_of({ rows }).arrows);
  const bundle = lanes.bundles[0]!;
  const pieces = [1, 2, 5].map(at => gutter_piece(bundle, at, false, lanes.lanes));
  expect(pieces[0]!.line).toMatch(/V20.*H/);
  expect(pieces[1]!.line).toMatch(/^M[\d.]+ 0V20$/);
  expect(pieces[2]!.line).toMatch(/ 0V10.*H/);
  expect(pieces.map(({ head }) => head !== '')).toEqual([false, false, true]);
  expect(gutter_piece(bundle, 1, true, lanes.lanes).line).toMatch(/^M[\d.]+ 0V20$/);
  expect(gutter_piece(bundle, 5, true, lanes.lanes).line).toBe('');
  expect(gutter_width(lanes.lanes)).toBeGreaterThan(10);
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
  const usual = flow_of(flow, 0, 100);
  expect(usual.blocks.map(({ index }) => index)).toEqual([0, 1, 2]);
  expect(usual.hidden).toEqual({ blocks: 1, self: 0, cold: 1 });
  expect(flow_of(flow, -1, 100).blocks.length).toBe(4);
  const heavy = flow_of(flow, 0.3, 100);
  expect(heavy.blocks.map(({ index }) => index)).toEqual([0, 1]);
  expect(heavy.arcs).toEqual([{ from: 0, to: 1, kind: 'not_taken', count: 3 }]);
  expect(heavy.hidden.self).toBe(2);
  expect(flow_of(flow, 0, 1).blocks.map(({ index }) => index)).toEqual([0]);
  expect(flow_of({ blocks: [], edges: [] }, 0, 10).blocks).toEqual([]);
});

test('a function that has no cost by this event type is shown nevertheless', () => {
  const free = { ...flow, blocks: flow.blocks.map(block => ({ ...block, self: [0] })) };
  expect(flow_of(free, 0, 100).blocks.map(({ index }) => index)).toEqual([0, 1, 2]);
  expect(flow_of(free, 0.05, 100).blocks.length).toBe(1);
});

test('one walks along the way that was gone most', () => {
  const graph = flow_of(flow, 0, 100);
  const placed = layout_graph({
    layout: 'down',
    nodes: graph.blocks.map(() => ({ width: 80, height: 30 })),
    arcs: graph.arcs.map(({ from, to }) => ({ from, to, weight: 1, label: null })),
  });
  expect(next_node(graph, placed, 0, 'down', 'down')).toBe(1);
  expect(next_node(graph, placed, 2, 'up', 'down')).toBe(0);
});

test('a way from a block to itself is a loop at its side', () => {
  const placed = layout_graph({
    layout: 'down',
    nodes: [{ width: 100, height: 40 }],
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
  expect(lines_of_block(rows, block(0, 2), 'a.c')).toBe('line 1–2');
  expect(lines_of_block(rows, block(0, 4), 'a.c')).toBe('line 1–3, 9');
  expect(lines_of_block(rows, block(4, 4), 'b.c')).toBe('a.c:9');
  expect(lines_of_block([row('1', 0, 1)], block(0, 0), 'a.c')).toBe('');
});
