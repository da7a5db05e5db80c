import { describe, expect, it } from 'vitest';
import { dotOf, dotText } from '../../../src/model/dot';
import { arrowHead, curve, graphOf, type LayoutInput, lineWidth, nextNode } from '../../../src/model/graph';
import { cutGraph } from '../../../src/model/graph_cut';
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
  const nodes = graph.nodes.map(({ inclusive }) => ({ ...size, priority: Number(inclusive[0]) }));
  return layoutGraph({ nodes, arcs, layout, window: { width: 800, height: 600 } });
}

// A function that calls so many others, each of which calls the last one, with other calls in between.
function starInput(count: number, layout: LayoutInput['layout'], window: { width: number; height: number }) {
  const label = { width: 60, height: 15 };
  const last = count + 1;
  const each = Array.from({ length: count }, (_, at) => at + 1);
  return {
    layout,
    window,
    nodes: Array.from({ length: count + 2 }, (_, at) => ({ ...size, priority: 1000 - at })),
    arcs: each.flatMap(at => [
      { from: 0, to: at, weight: 1, label },
      { from: at, to: last, weight: 1, label },
      ...(at % 3 === 0 ? [{ from: at, to: (at % count) + 1, weight: 2, label }] : []),
    ]),
  };
}
const edges = ({ x, y, width, height }: { x: number; y: number; width: number; height: number }) => ({
  left: x - width / 2,
  right: x + width / 2,
  top: y - height / 2,
  bottom: y + height / 2,
});
function overlap(a: Parameters<typeof edges>[0], b: Parameters<typeof edges>[0]) {
  const [one, other] = [edges(a), edges(b)];
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
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
    expect(nextNode(graph, down, 0, 'down')).toBe(1);
    expect(nextNode(graph, down, 3, 'up')).toBe(1);
    expect(nextNode(graph, down, 3, 'down')).toBe(3);
    expect(nextNode(graph, down, 0, 'up')).toBe(0);
    const sides = [nextNode(graph, down, 1, 'left'), nextNode(graph, down, 1, 'right')].sort();
    expect(sides).toEqual([1, 2]);
    expect(nextNode(graph, placed('right'), 0, 'right')).toBe(1);
  });
  it('wraps rows that are wider than the window', () => {
    for (const [width, count] of [
      [390, 12],
      [1280, 40],
      [1920, 70],
    ] as const) {
      const { nodes, ...picture } = layoutGraph(starInput(count, 'down', { width, height: 700 }));
      expect(picture.width).toBeLessThanOrEqual(width);
      const rows = new Set(nodes.map(({ y }) => y));
      expect(rows.size).toBeGreaterThan(3);
      for (const [at, one] of nodes.entries())
        for (const other of nodes.slice(at + 1)) expect(overlap(one, other)).toBe(false);
    }
  });
  it('has the most important functions of a wide row first', () => {
    const { nodes } = layoutGraph(starInput(30, 'down', { width: 800, height: 600 }));
    expect(nodes[2]!.y).toBeLessThan(nodes[29]!.y);
  });
  it('has lines beside boxes and labels beside both', () => {
    for (const layout of ['down', 'right'] as const) {
      const input = starInput(20, layout, { width: 800, height: 600 });
      const { nodes, arcs } = layoutGraph(input);
      const labels = arcs.flatMap(({ label }) => (label ? [{ ...label, width: 60, height: 15 }] : []));
      expect(labels.length).toBeGreaterThan(arcs.length / 2);
      for (const [at, one] of labels.entries())
        for (const other of [...nodes, ...labels.slice(at + 1)]) expect(overlap(one, other)).toBe(false);
      for (const [index, { points }] of arcs.entries())
        for (const [node, box] of nodes.entries()) {
          if (node === input.arcs[index]!.from || node === input.arcs[index]!.to) continue;
          expect(points.some(at => overlap({ ...at, width: 0.1, height: 0.1 }, box))).toBe(false);
        }
    }
  });
  it('goes down or to the right, whichever fits better', () => {
    const chain = (count: number) => ({
      nodes: Array.from({ length: count }, () => ({ ...size, priority: 1 })),
      arcs: Array.from({ length: count - 1 }, (_, at) => ({ from: at, to: at + 1, weight: 1, label: null })),
    });
    expect(layoutGraph({ ...chain(8), layout: 'auto', window: { width: 1900, height: 400 } }).layout).toBe('right');
    expect(layoutGraph({ ...chain(8), layout: 'auto', window: { width: 390, height: 700 } }).layout).toBe('down');
  });
  it('draws all calls of a cycle', () => {
    const ring = [0, 1, 2].map(from => ({ from, to: (from + 1) % 3, weight: 1, back: from === 2, label: null }));
    const nodes = ring.map(() => ({ ...size, priority: 1 }));
    const { arcs, ...picture } = layoutGraph({
      nodes,
      arcs: ring,
      layout: 'down',
      window: { width: 400, height: 400 },
    });
    expect(picture.nodes.map(({ y }) => y)).toEqual([...picture.nodes.map(({ y }) => y)].sort((a, b) => a - b));
    // The last one goes up: from the third to the first.
    expect(arcs[2]!.points[0]!.y).toBeGreaterThan(arcs[2]!.points.at(-1)!.y);
  });
  it('is cut to the functions with most self cost and the way to them', () => {
    const names = (one: { nodes: GraphNode[] }) => one.nodes.map(({ name }) => name);
    const self = (cost: number) => ({ self: [cost] });
    const deep = graphOf({
      nodes: [
        node('main', 100),
        { ...node('idle', 90), ...self(0) },
        { ...node('hot', 80), ...self(80) },
        { ...node('cold', 5), ...self(2) },
        { ...node('way', 81), ...self(0) },
      ],
      arcs: [arc(0, 1, 90), arc(0, 4, 81), arc(4, 2, 80), arc(0, 3, 5)],
    });
    expect(names(cutGraph(deep, 3, -1))).toEqual(['main', 'hot', 'way']);
    expect(names(cutGraph(deep, 4, -1))).toEqual(['main', 'hot', 'cold', 'way']);
    expect(names(cutGraph(deep, 1, 3))).toEqual(['cold']);
    expect(names(cutGraph(deep, 4, 2))).toContain('way');
    expect(cutGraph(deep, 5, 0)).toBe(deep);
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
