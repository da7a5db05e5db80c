import { describe, expect, it } from 'vitest';
import { dotOf, dotText } from '../../../src/model/dot';
import { arrowHead, curve, cutGraph, graphOf, lineWidth, nextNode } from '../../../src/model/graph';
import { layoutGraph } from '../../../src/model/graph_layout';
import type { GraphArc, GraphNode } from '../../../src/protocol/protocol';

function node(name: string, inclusive: number): GraphNode {
  return { id: inclusive, name, file: '', object: '', self: [1], inclusive: [inclusive], called: 1, per_call: null };
}
function arc(from: number, to: number, cost: number): GraphArc {
  return { from, to, count: 1, cost: [cost], recursive: false };
}
// main calls a (60) and b (30), both call c, c calls itself
const graph = graphOf({
  nodes: [node('main', 100), node('a', 60), node('b', 30), node('c', 50)],
  arcs: [arc(0, 2, 30), arc(0, 1, 60), arc(1, 3, 40), arc(2, 3, 10), arc(3, 3, 5)],
});
const size = { width: 100, height: 40 };

function placed(layout: 'down' | 'right') {
  const arcs = graph.arcs.map(({ from, to }) => ({ from, to, weight: 1, label: { width: 40, height: 12 } }));
  return layoutGraph({ nodes: graph.nodes.map(() => size), arcs, layout });
}

describe('a call graph', () => {
  it('puts callers before callees, and nothing over something else', () => {
    for (const layout of ['down', 'right'] as const) {
      const { nodes, width, height, arcs } = placed(layout);
      const along = (index: number) => (layout === 'down' ? nodes[index]!.y : nodes[index]!.x);
      expect(along(0)).toBeLessThan(along(1));
      expect(along(1)).toBeLessThan(along(3));
      expect(Math.abs(along(1) - along(2))).toBeLessThan(1);
      for (const [a, one] of nodes.entries()) {
        expect(one.x - 50 >= 0 && one.x + 50 <= width && one.y - 20 >= 0 && one.y + 20 <= height).toBe(true);
        for (const other of nodes.slice(a + 1))
          expect(Math.abs(one.x - other.x) >= 100 || Math.abs(one.y - other.y) >= 40).toBe(true);
      }
      for (const { points, label } of arcs) {
        expect(points.length).toBeGreaterThan(1);
        expect(label).not.toBeNull();
      }
    }
  });
  it('draws a loop for what calls itself, beside it', () => {
    for (const layout of ['down', 'right'] as const) {
      const { nodes, arcs } = placed(layout);
      const { points, label } = arcs[4]!;
      const node = nodes[3]!;
      const inside = ({ x, y }: { x: number; y: number }) => Math.abs(x - node.x) < 50 && Math.abs(y - node.y) < 20;
      expect(points.some(inside) || inside(label!)).toBe(false);
      expect(Math.hypot(points[0]!.x - points[4]!.x, points[0]!.y - points[4]!.y)).toBe(18);
    }
  });
  it('is walked along the costliest calls', () => {
    const down = placed('down');
    expect(nextNode(graph, down, 0, 'down', 'down')).toBe(1);
    expect(nextNode(graph, down, 3, 'up', 'down')).toBe(1);
    expect(nextNode(graph, down, 3, 'down', 'down')).toBe(3);
    expect(nextNode(graph, down, 0, 'up', 'down')).toBe(0);
    const sides = [nextNode(graph, down, 1, 'left', 'down'), nextNode(graph, down, 1, 'right', 'down')].sort();
    expect(sides).toEqual([1, 2]);
    expect(nextNode(graph, placed('right'), 0, 'right', 'right')).toBe(1);
  });
  it('can be cut to the costliest functions', () => {
    const cut = cutGraph(graph, 2, 2);
    expect(cut.nodes.map(one => one.name)).toEqual(['main', 'b']);
    expect(cut.arcs.map(({ from, to }) => [from, to])).toEqual([[0, 1]]);
    expect(cutGraph(graph, 4, 0)).toBe(graph);
  });
  it('has lines that end in arrows', () => {
    const points = [
      { x: 0, y: 0 },
      { x: 0, y: 50 },
      { x: 0, y: 100 },
    ];
    expect(curve(points, 10)).toMatch(/^M0 0L.*L0 90$/);
    expect(arrowHead(points, 10)).toBe('M0 100L-4.2 90L4.2 90Z');
    expect([lineWidth(null), lineWidth(0), lineWidth(1), lineWidth(7)]).toEqual([1, 1, 7, 7]);
    expect([curve([], 1), arrowHead([], 1)]).toEqual(['', '']);
  });
});

describe('DOT files', () => {
  it('hold names as text', () => {
    for (const name of ['a"];evil[label="b', 'back\\slash\\', 'a\nb\u0000c', '<b>&lt;', '\\N \\G', '\ud800']) {
      const file = dotOf(
        [{ lines: [name, 'second'], tooltip: name, fill: '#ffffff' }],
        [{ from: 0, to: 0, label: name, width: 1, dashed: true }],
        'down',
      );
      const strings = file.match(/"(?:[^"\\]|\\[\s\S])*"/g) ?? [];
      const rest = strings.reduce((text, one) => text.replace(one, ''), file);
      expect(rest).not.toContain('"');
      expect(rest).not.toContain('evil');
      expect(file.split('\n')).toHaveLength(8);
    }
    expect(dotText('a\\n"b"\n&amp;')).toBe('a\\\\n\\"b\\" &amp;amp;');
  });
});
