import { type Tree, treeOf } from '../../../src/model/tree';
import type { TreeAnswer } from '../../../src/protocol/protocol';

export type Row = readonly [level: number, cost: number, name?: string];

// Rows in preorder; what is not below them is self cost. Costs are exact but for the rows in `estimated`: at least half.
export function treeOfRows(rows: readonly Row[], estimated: readonly number[] = []): Tree {
  const path: number[] = [];
  const parent = rows.map(([level], row) => {
    path[level] = row;
    return level > 1 ? path[level - 1]! : -1;
  });
  const names = [...new Set(rows.map(([, , name]) => name ?? 'f'))];
  const inclusive = rows.map(([, cost]) => cost);
  const self = [...inclusive];
  parent.forEach((above, row) => {
    if (above >= 0) self[above] = self[above]! - inclusive[row]!;
  });
  return treeOf({
    functions: names.map((name, id) => ({ id, name, file: '', object: '' })),
    frames: {
      parent,
      level: rows.map(([level]) => level),
      kind: rows.map(() => 0),
      function: rows.map(([, , name]) => names.indexOf(name ?? 'f')),
      self,
      self_least: self,
      self_most: self,
      inclusive,
      inclusive_least: inclusive.map((cost, row) => (estimated.includes(row) ? cost / 2 : cost)),
      inclusive_most: inclusive,
      partly_paid: [],
      inlined: [],
    },
  } as unknown as TreeAnswer);
}
