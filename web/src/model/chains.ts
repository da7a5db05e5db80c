// Chains of single calls: functions that do little but call one other, drawn as one box.

import type { Frames } from '../protocol/protocol';
import { children, isFunction, type Sizes, sumOf, type Tree, withFrames } from './tree';

const nearlyAll = 0.97; // of a function's cost is in the one it calls
const leastOfHead = 0.9; // and of the first of the chain

export interface ChainOptions {
  least: number; // shorter chains are not folded
  alone(row: number): boolean; // is in no chain
  isOpen(row: number): boolean; // the chain that begins here is not folded
}

// Boxes stand for the first function of their chain. What others of it call, too, is below the box.
export function foldChains(tree: Tree, sizes: Sizes, options: ChainOptions): Tree {
  const { count } = tree;
  const only = (row: number): number => {
    if (!isFunction(tree, row) || options.alone(row)) return -1;
    const least = nearlyAll * sizes.of[row]!;
    const next = children(tree, row).find(child => isFunction(tree, child) && sizes.of[child]! >= least);
    return least > 0 ? (next ?? -1) : -1;
  };
  const headOf = new Int32Array(count).fill(-1); // of rows behind the first
  const seen = new Uint8Array(count);
  const chains = new Map<number, number[]>();
  for (let head = 0; head < count; head++) {
    const members: number[] = [];
    let at = seen[head] ? -1 : head;
    for (let next = at; at >= 0 && sizes.of[at]! >= leastOfHead * sizes.of[head]!; at = next) {
      next = only(at);
      if (next >= 0) members.push(at);
    }
    if (members.length < options.least) continue;
    for (const row of members) seen[row] = 1;
    if (options.isOpen(head)) continue;
    chains.set(head, members);
    for (const row of members.slice(1)) headOf[row] = head;
  }
  return chains.size === 0 ? tree : folded(tree, chains, headOf);
}

function folded(tree: Tree, chains: Map<number, number[]>, headOf: Int32Array): Tree {
  const { frames, count } = tree;
  const kept: number[] = [];
  const boxes = new Int32Array(count); // rows of the new tree
  for (let row = 0; row < count; row++) {
    if (headOf[row]! < 0) kept.push(row);
    boxes[row] = headOf[row]! < 0 ? kept.length - 1 : boxes[headOf[row]!]!;
  }
  const costs = Object.entries(frames).flatMap(([name, all]) => {
    if (!/^(inclusive|self)/.test(name)) return [];
    const own = (row: number) => (name.startsWith('self') && chains.has(row) ? sumOf(all, chains.get(row)!) : all[row]);
    return [[name, kept.map(own)]];
  });
  const parent = kept.map(row => boxes[frames.parent[row]!] ?? -1);
  const level: number[] = [];
  for (const above of parent) level.push(above < 0 ? 1 : level[above]! + 1);
  const columns = {
    ...Object.fromEntries(costs),
    kind: kept.map(row => frames.kind[row]!),
    function: kept.map(row => frames.function[row]!),
    parent,
    level,
    partly_paid: frames.partly_paid.map(row => boxes[row]!),
    inlined: frames.inlined.filter(row => headOf[row]! < 0 && !chains.has(row)).map(row => boxes[row]!),
  } as Frames;
  return {
    ...withFrames(
      tree.answer,
      columns,
      kept.map(row => tree.keys[row]!),
    ),
    rest: tree.rest,
    chains: new Map([...chains].map(([head, rows]) => [boxes[head]!, rows.map(row => frames.function[row]!)])),
    unfolded: { keys: tree.keys, boxes },
  };
}
