import { describe, expect, it } from 'vitest';
import { type Graph, graphOf } from '../../../src/model/graph';
import { boxOf, chainKey, foldChains, functionsIn } from '../../../src/model/graph_folds';
import type { GraphArc, GraphNode } from '../../../src/protocol/protocol';

function node(name: string, self: number, more: Partial<GraphNode> = {}): GraphNode {
  const id = name.charCodeAt(0);
  return { id, name, file: '', object: '', self: [self], inclusive: [1000], called: 1, per_call: null, ...more };
}
const arc = (from: number, to: number): GraphArc => ({ from, to, count: 1, cost: [1000], recursive: false });
const never = () => false;
// a > b > c > d, which calls e and f
const nodes = [node('a', 1), node('b', 2), node('c', 3), node('d', 4), node('e', 900), node('f', 90)];
const arcs = [arc(0, 1), arc(1, 2), arc(2, 3), arc(3, 4), arc(3, 5)];
const graph = graphOf({ nodes, arcs });
const names = (of: Graph) => of.nodes.map(({ name, folded }) => (folded ?? [{ name }]).map(one => one.name).join(''));

describe('chains of single calls', () => {
  it('are folded to one box with the self cost of all', () => {
    const folded = foldChains(graph, -1, never);
    expect(names(folded)).toEqual(['abcd', 'e', 'f']);
    expect(folded.nodes[0]).toMatchObject({ name: 'a', self: [10], inclusive: [1000] });
    expect(folded.arcs.map(({ from, to }) => [from, to])).toEqual([
      [0, 1],
      [0, 2],
    ]);
    expect(functionsIn(folded).map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    expect([97, 100, 101, 1, undefined].map(id => boxOf(folded, id))).toEqual([0, 0, 1, -1, -1]);
  });
  it('end before the central function, and at what costs something itself', () => {
    expect(names(foldChains(graph, 3, never))).toEqual(['abc', 'd', 'e', 'f']);
    expect(names(foldChains(graph, 2, never))).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    const hot = nodes.map((one, at) => (at === 1 ? node('b', 10) : one));
    expect(names(foldChains(graphOf({ nodes: hot, arcs }), -1, never))).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    const cheaper = nodes.map((one, at) => (at === 3 ? { ...one, self_before: [500] } : one));
    expect(names(foldChains(graphOf({ nodes: cheaper, arcs }), -1, never))).toEqual(['abc', 'd', 'e', 'f']);
  });
  it('have no functions of cycles, none that call themselves, and none that others call', () => {
    const cycle = nodes.map((one, at) => (at === 0 ? { ...one, cycle: 1 } : one));
    expect(names(foldChains(graphOf({ nodes: cycle, arcs }), -1, never))[0]).toBe('a');
    const others = [arc(2, 2), arc(0, 2), arc(4, 2)];
    for (const other of others)
      expect(names(foldChains(graphOf({ nodes, arcs: [...arcs, other] }), -1, never))).not.toContain('abcd');
    const ring = graphOf({ nodes: nodes.slice(0, 3), arcs: [arc(0, 1), arc(1, 2), arc(2, 0)] });
    expect(names(foldChains(ring, -1, never))).toEqual(['a', 'b', 'c']);
  });
  it('are opened one by one, and know that they are', () => {
    const key = chainKey(nodes[1]!);
    expect(key).toMatch(/^[0-9a-z]+$/);
    const opened = foldChains(graph, -1, one => one === key);
    expect(names(opened)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(opened.nodes.map(({ chain }) => chain?.length)).toEqual([4, 4, 4, 4, undefined, undefined]);
    expect(opened.arcs).toHaveLength(arcs.length);
  });
  it('add up costs that a number cannot hold, and know what is not known', () => {
    const large = nodes.slice(0, 3).map(one => ({ ...one, self: [2n ** 60n, null], inclusive: [2n ** 70n, null] }));
    const folded = foldChains(graphOf({ nodes: large, arcs: arcs.slice(0, 2) }), -1, never);
    expect(folded.nodes.map(({ self }) => self)).toEqual([[3n * 2n ** 60n, null]]);
  });
});
