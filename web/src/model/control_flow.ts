// The basic blocks of a function and the edges between them.

import { add, type Cost, compare, share } from '../protocol/cost';
import type { InstructionRow, InstructionsAnswer } from '../protocol/protocol';
import type { Ways } from './graph';
import { baseName } from './names';

export type EdgeKind = InstructionsAnswer['edges'][number]['kind'];

export const edgeLabels: Record<EdgeKind, string> = {
  taken: 'jump taken',
  not_taken: 'jump not taken',
  jump: 'jump',
  next: 'falls through',
  indirect: 'indirect jump',
};

export interface Block {
  index: number; // in the answer
  first: number; // rows of the answer
  last: number;
  self: Cost;
  selfBefore?: Cost; // of its matched instructions, if compared
  share: number; // of the function's self cost
  executed: boolean;
  folded?: readonly Block[]; // cold ones that this one stands for
}

export interface FlowEdge {
  from: number; // blocks that are shown
  to: number;
  kind: EdgeKind;
  count?: Cost;
}

export interface Flow extends Ways {
  blocks: Block[];
  arcs: FlowEdge[];
  self: Cost; // of all blocks
  hidden: { blocks: number; self: Cost; cold: number }; // cold: those never executed
}

function adjacent(blocks: number, arcs: FlowEdge[]): Pick<Flow, 'arcs' | 'callers' | 'callees'> {
  const lists = () => Array.from({ length: blocks }, (): number[] => []);
  const [callers, callees] = [lists(), lists()];
  const order = arcs.map((_, index) => index);
  order.sort((a, b) => compare(arcs[b]!.count ?? 0, arcs[a]!.count ?? 0) || a - b);
  for (const index of order) {
    callees[arcs[index]!.from]!.push(index);
    callers[arcs[index]!.to]!.push(index);
  }
  return { arcs, callers, callees };
}

// Blocks with at least this share of the function's self cost; at most `most`, the most expensive.
export function flowOf(answer: Pick<InstructionsAnswer, 'blocks' | 'edges'>, least: number, most: number): Flow {
  const self = answer.blocks.reduce<Cost>((sum, block) => add(sum, block.self[0] ?? 0), 0);
  const all = answer.blocks.map((block, index): Block => {
    const cost = block.self[0] ?? 0;
    return {
      index,
      first: block.first,
      last: block.last,
      executed: block.executed,
      self: cost,
      selfBefore: block.self_before?.[0] ?? undefined,
      share: share(cost, self) ?? 0,
    };
  });
  let shown = all.filter(block => (least <= 0 ? block.executed || least < 0 : block.share >= least));
  if (shown.length === 0 && all.length > 0) shown = [...all].sort((a, b) => compare(b.self, a.self)).slice(0, 1);
  if (shown.length > most) {
    const best = [...shown].sort((a, b) => compare(b.self, a.self) || a.index - b.index).slice(0, most);
    shown = best.sort((a, b) => a.index - b.index);
  }
  const place = new Map(shown.map(({ index }, at) => [index, at]));
  const arcs = answer.edges.flatMap((edge): FlowEdge[] => {
    const from = place.get(edge.from);
    const to = place.get(edge.to);
    return from === undefined || to === undefined ? [] : [{ ...edge, from, to }];
  });
  const hidden = all.filter(({ index }) => !place.has(index));
  return {
    blocks: shown,
    ...adjacent(shown.length, arcs),
    self,
    hidden: {
      blocks: hidden.length,
      self: hidden.reduce<Cost>((sum, block) => add(sum, block.self), 0),
      cold: hidden.filter(({ executed }) => !executed).length,
    },
  };
}

// The innermost loop around a block: what leads back to its head without passing that. Empty: there is none.
export function loopAround({ arcs, callers }: Flow, block: number): number[] {
  let smallest: Set<number> | null = null;
  for (const { from, to } of arcs) {
    if (to > from || to > block) continue;
    const loop = new Set([to, from]);
    const open = from === to ? [] : [from];
    for (let at = open.pop(); at !== undefined; at = open.pop())
      for (const arc of callers[at]!) {
        const above = arcs[arc]!.from;
        if (loop.has(above)) continue;
        loop.add(above);
        open.push(above);
      }
    if (loop.has(block) && (!smallest || loop.size < smallest.size)) smallest = loop;
  }
  return [...(smallest ?? [])].sort((a, b) => a - b);
}

const little = 0.05; // of the function's self cost, of all cold blocks together
const few = 8; // so many blocks are read as they are

export const blocksIn = (flow: Flow): number => flow.blocks.reduce((sum, { folded }) => sum + (folded?.length ?? 1), 0);

// One box for each run of two or more cold blocks: the cheapest ones, which together cost little.
export function foldCold(flow: Flow, isOpened: (block: Block) => boolean): Flow {
  if (flow.blocks.length <= few) return flow;
  const weight = (block: Block) => Math.max(block.share, share(block.selfBefore ?? 0, flow.self) ?? 0);
  const cold = new Set<Block>();
  let sum = 0;
  for (const block of [...flow.blocks].sort((a, b) => weight(a) - weight(b) || a.index - b.index)) {
    sum += weight(block);
    if (sum > little) break;
    cold.add(block);
  }
  const isCold = (block: Block) => cold.has(block) && !isOpened(block);
  const blocks: Block[] = [];
  const place = flow.blocks.map((block, at) => {
    const above = at > 0 && isCold(block) && isCold(flow.blocks[at - 1]!) ? blocks.at(-1) : undefined;
    if (!above) return blocks.push(block) - 1;
    blocks[blocks.length - 1] = {
      ...above,
      last: block.last,
      self: add(above.self, block.self),
      ...(above.selfBefore !== undefined && { selfBefore: add(above.selfBefore, block.selfBefore ?? 0) }),
      share: above.share + block.share,
      executed: above.executed || block.executed,
      folded: [...(above.folded ?? [above]), block],
    };
    return blocks.length - 1;
  });
  const arcs = new Map<string, FlowEdge>();
  for (const edge of flow.arcs) {
    const [from, to] = [place[edge.from]!, place[edge.to]!];
    if (from === to && blocks[from]!.folded) continue;
    const key = `${from} ${to} ${edge.kind}`;
    const { count, ...same } = { ...edge, from, to };
    const other = arcs.get(key);
    const isKnown = count !== undefined && (!other || other.count !== undefined);
    arcs.set(key, isKnown ? { ...same, count: add(count, other?.count ?? 0) } : same);
  }
  return { ...flow, blocks, ...adjacent(blocks.length, [...arcs.values()]) };
}

// "12", "12–15", "12, 40–42"; of more places the first two.
function rangesOf(lines: readonly number[]): string {
  const sorted = [...new Set(lines)].sort((a, b) => a - b);
  const ranges: string[] = [];
  for (let at = 0; at < sorted.length; at++) {
    const first = at;
    while (at + 1 < sorted.length && sorted[at + 1]! - sorted[at]! <= 2) at++;
    ranges.push(first === at ? String(sorted[at]) : `${sorted[first]}–${sorted[at]}`);
  }
  return ranges.length > 2 ? `${ranges.slice(0, 2).join(', ')}, …` : ranges.join(', ');
}

// Which source lines a block is of: "line 12–15", "list.h:8".
export function linesOfBlock(rows: readonly InstructionRow[], block: Block, ownFile: string): string {
  const own: number[] = [];
  const other = new Map<string, number[]>();
  for (let at = block.first; at <= block.last; at++) {
    const row = rows[at];
    if (!row || row.line === 0) continue;
    if (row.file === ownFile || !row.file) own.push(row.line);
    else {
      const name = baseName(row.file);
      other.set(name, [...(other.get(name) ?? []), row.line]);
    }
  }
  const parts = [
    ...(own.length > 0 ? [`line ${rangesOf(own)}`] : []),
    ...[...other].map(([name, lines]) => `${name}:${rangesOf(lines)}`),
  ];
  return parts.length > 2 ? `${parts.slice(0, 2).join(', ')}, …` : parts.join(', ');
}
