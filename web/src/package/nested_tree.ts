// The answer to `tree` as nested frames.

import type { TreeAnswer } from '../protocol/protocol';
import type { Tree, TreeNode } from './api';

const kinds = ['function', 'not expanded', 'unbalanced', 'unrecorded callees', 'unattributed'] as const;

export function nestedTree({ frames, functions, ...tree }: TreeAnswer): Tree {
  const roots: TreeNode[] = [];
  const inlined = new Set(frames.inlined);
  // In preorder: a frame's parent is before it.
  const nodes = frames.kind.map(
    (kind, row): TreeNode => ({
      kind: kinds[kind]!,
      function: functions[frames.function[row]!] ?? null,
      inclusive: frames.inclusive[row]!,
      self: frames.self[row]!,
      inclusiveBounds: { least: frames.inclusive_least[row]!, most: frames.inclusive_most[row]! },
      selfBounds: { least: frames.self_least[row]!, most: frames.self_most[row]! },
      ...(inlined.has(row) && { inlined: true }),
      children: [],
    }),
  );
  for (const [row, node] of nodes.entries()) (nodes[frames.parent[row]!]?.children ?? roots).push(node);
  return { ...tree, roots };
}
