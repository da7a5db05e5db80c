// Layout of a graph in rows no wider than the window, callers above callees (or columns no higher, callers on the left).
// Slow for large graphs: runs in a worker.

import type { Layout, LayoutInput, Placed, PlacedNode, Point, Size } from './graph';
import { graphRows, type Item, lineRoom, type Rows } from './graph_rows';

const margin = 14;
const loopSize = 30;
const betweenRows = 70; // about
const mostWindows = 5;
const cell = 64;
const straight = 12; // how far lines go straight on beside boxes

const turn = ({ x, y }: Point): Point => ({ x: y, y: x });

export function layoutGraph(input: LayoutInput): Placed {
  if (input.layout !== 'auto') return layoutIn(input, input.layout);
  const [down, right] = [layoutIn(input, 'down'), layoutIn(input, 'right')];
  const fits = ({ width, height }: Placed) => Math.min(1, input.window.width / width, input.window.height / height);
  return fits(right) > 1.2 * fits(down) ? right : down;
}

// As if it went down: for "right" all is turned before and after.
function layoutIn(input: LayoutInput, layout: Layout): Placed {
  const isDown = layout === 'down';
  // With the loop of what calls itself, beside the node.
  const loops = input.nodes.map(() => 0);
  for (const { from, to, label } of input.arcs) {
    if (from === to) loops[from] = loopSize + (label ? (isDown ? label.width : label.height) + 4 : 0);
  }
  const sizes = input.nodes.map(({ width, height }, node) => (isDown ? width : height) + loops[node]!);
  const heights = input.nodes.map(({ width, height }) => (isDown ? height : width));
  const gap = isDown ? 20 : 14;
  const [wide, high] = isDown ? [input.window.width, input.window.height] : [input.window.height, input.window.width];
  // A picture of many windows is wider, too.
  const area = sizes.reduce((sum, size, node) => sum + (size + gap) * (heights[node]! + betweenRows), 0);
  const room = Math.max(wide, area / (mostWindows * high)) - 2 * margin;
  const rows = graphRows(input, sizes, room, gap);
  const x = placeAlong(rows, room, gap);
  const { bands, height } = placeRows(rows, input, heights, isDown, x);
  const end = rows.items.reduce((most, { size }, item) => Math.max(most, x[item]! + size / 2), 0);

  const middles = sizes.map((_, node): Point => {
    const { top, bottom } = bands[rows.items[node]!.row]!;
    return { x: x[node]! - loops[node]! / 2, y: (top + bottom) / 2 };
  });
  const nodes = middles.map((at, node): PlacedNode => {
    const { width, height } = input.nodes[node]!;
    return { ...(isDown ? at : turn(at)), width, height };
  });
  const arcs: Placed['arcs'] = input.arcs.map(({ from, to, label }) =>
    from === to ? loop(nodes[from]!, label, isDown) : { points: [], label: null },
  );
  const port = portsOf(rows, middles, sizes, loops, x);
  for (const [index, { arc, top }] of rows.lines.entries()) {
    const path = rows.paths[index]!;
    const points: Point[] = [];
    path.forEach((item, at) => {
      const { row, node } = rows.items[item]!;
      const band = bands[row]!;
      const half = node >= 0 ? heights[node]! / 2 : (band.bottom - band.top) / 2;
      const middle = (band.top + band.bottom) / 2;
      if (at > 0) {
        const side = port(item, path[at - 1]!, 'up');
        points.push({ x: side, y: middle - half - straight }, { x: side, y: middle - half });
      }
      if (at < path.length - 1) {
        const side = port(item, path[at + 1]!, 'down');
        points.push({ x: side, y: middle + half }, { x: side, y: middle + half + straight });
      }
    });
    const way = isDown ? points : points.map(turn);
    arcs[arc]!.points = top === input.arcs[arc]!.from ? way : way.reverse();
  }
  const size = { width: end + margin, height: height + margin };
  const placed = { layout, ...(isDown ? size : { width: size.height, height: size.width }), nodes, arcs };
  placeLabels(placed, input, rows);
  return placed;
}

// How far along its row every item is: near its neighbours, without overlaps, within the room if that is enough.
function placeAlong({ items, rows }: Rows, room: number, gap: number): Float64Array {
  const x = new Float64Array(items.length);
  const between = (a: Item, b: Item) => [gap, lineRoom * 0.8, lineRoom][Number(a.node < 0) + Number(b.node < 0)]!;
  // Rows that are too wide are packed more tightly.
  const packed = rows.map(row => {
    const sizes = row.reduce((sum, item) => sum + items[item]!.size, 0);
    const gaps = row.reduce((sum, item, at) => sum + (at > 0 ? between(items[row[at - 1]!]!, items[item]!) : 0), 0);
    return Math.max(0.4, Math.min(1, (room - sizes) / Math.max(1, gaps)));
  });
  const apart = (a: Item, b: Item) => (a.size + b.size) / 2 + between(a, b) * packed[a.row]!;
  function settle(row: number[], wanted: (item: number) => number, weight: (item: number) => number) {
    // Least squares under the order: neighbours that would overlap are moved together.
    const offsets: number[] = [];
    const blocks: { at: number; weight: number; count: number }[] = [];
    row.forEach((item, index) => {
      const before = row[index - 1];
      offsets.push(before === undefined ? 0 : offsets[index - 1]! + apart(items[before]!, items[item]!));
      let block = { at: wanted(item) - offsets[index]!, weight: weight(item), count: 1 };
      for (let last = blocks.at(-1); last && last.at > block.at; last = blocks.at(-1)) {
        blocks.pop();
        const sum = last.weight + block.weight;
        block = {
          at: (last.at * last.weight + block.at * block.weight) / sum,
          weight: sum,
          count: last.count + block.count,
        };
      }
      blocks.push(block);
    });
    const first = items[row[0]!]!.size / 2;
    const last = room - offsets.at(-1)! - items[row.at(-1)!]!.size / 2;
    let index = 0;
    for (const { at, count } of blocks)
      for (let end = index + count; index < end; index++)
        x[row[index]!] = margin + Math.max(first, Math.min(at - margin, last)) + offsets[index]!;
  }
  const mean = (item: number, sides: readonly ('up' | 'down')[]) => {
    let sum = 0;
    let weights = 0;
    for (const side of sides)
      for (const link of items[item]![side]) {
        // Lines that pass rows are to be straight; what they begin at is to be above its other callees.
        const passing = Number(items[item]!.node < 0) + Number(items[link.item]!.node < 0);
        const weight = [link.weight, 1, 8][passing]!;
        sum += weight * x[link.item]!;
        weights += weight;
      }
    return { at: weights > 0 ? sum / weights : x[item]!, weight: weights || 0.1 };
  };
  for (const row of rows)
    settle(
      row,
      () => margin + room / 2,
      () => 1,
    );
  const both = ['up', 'down'] as const;
  for (let pass = 0; pass < 12; pass++) {
    const sides = pass < 2 ? ([both[pass % 2]!] as const) : both;
    for (const row of pass % 2 === 0 ? rows : [...rows].reverse())
      settle(
        row,
        item => mean(item, sides).at,
        item => mean(item, sides).weight,
      );
  }
  const least = items.reduce((least, { size }, item) => Math.min(least, x[item]! - size / 2), Number.POSITIVE_INFINITY);
  return x.map(at => at - least + margin);
}

// Where rows begin and end. Lines that go far along need more between them, and so do labels.
function placeRows(
  { items, rows, lines, paths }: Rows,
  input: LayoutInput,
  heights: readonly number[],
  isDown: boolean,
  x: Float64Array,
) {
  const widths = rows.map(() => 0);
  const labels = rows.map(() => 0);
  const reach = rows.map(() => 0);
  rows.forEach((row, at) => {
    widths[at] = row.reduce((sum, item) => sum + items[item]!.size, 1);
    for (const item of row)
      for (const { item: other } of items[item]!.down) reach[at] = Math.max(reach[at]!, Math.abs(x[other]! - x[item]!));
  });
  let across = 0;
  lines.forEach(({ arc }, index) => {
    const label = input.arcs[arc]!.label;
    if (!label) return;
    across = Math.max(across, isDown ? label.height : label.width);
    labels[items[paths[index]!.at(-1)!]!.row - 1]! += isDown ? label.width : label.height;
  });
  let y = margin;
  const bands = rows.map((row, at) => {
    const top = y;
    const bottom = top + row.reduce((most, item) => Math.max(most, heights[items[item]!.node] ?? 0), 0);
    const layers = isDown ? Math.min(3, Math.ceil(labels[at]! / Math.max(widths[at]!, widths[at + 1] ?? 1))) : 1;
    y = bottom + 2 * straight + layers * across + Math.min(44, 10 + reach[at]! / 14);
    return { top, bottom };
  });
  return { bands, height: bands.at(-1)?.bottom ?? 0 };
}

// Where lines leave a node: beside each other, in the order of where they go.
function portsOf(
  { items }: Rows,
  middles: readonly Point[],
  sizes: readonly number[],
  loops: readonly number[],
  x: Float64Array,
) {
  const ports = new Map<string, number>();
  items.forEach((item, index) => {
    if (item.node < 0) return;
    for (const side of ['up', 'down'] as const) {
      const links = [...item[side]].sort((a, b) => x[a.item]! - x[b.item]!);
      const step = Math.min(14, ((sizes[index]! - loops[index]!) * 0.7) / Math.max(1, links.length - 1));
      links.forEach((link, at) => {
        ports.set(`${index} ${link.item} ${side}`, middles[index]!.x + (at - (links.length - 1) / 2) * step);
      });
    }
  });
  return (item: number, other: number, side: 'up' | 'down') => ports.get(`${item} ${other} ${side}`) ?? x[item]!;
}

// Labels of the most expensive arcs first, where they cover neither boxes nor other labels; the rest have none.
function placeLabels(placed: Placed, input: LayoutInput, { lines, paths, items }: Rows) {
  const cells = new Map<string, PlacedNode[]>(); // what is drawn there, or near
  const cellsOf = ({ x, y, width, height }: PlacedNode) => {
    const found: string[] = [];
    for (let column = Math.floor((x - width / 2) / cell); column * cell <= x + width / 2; column++)
      for (let row = Math.floor((y - height / 2) / cell); row * cell <= y + height / 2; row++)
        found.push(`${column} ${row}`);
    return found;
  };
  function take(box: PlacedNode) {
    for (const key of cellsOf(box)) cells.set(key, [...(cells.get(key) ?? []), box]);
  }
  placed.nodes.forEach(take);
  for (const [arc, { label }] of placed.arcs.entries()) if (label) take({ ...label, ...input.arcs[arc]!.label! });
  const isFree = (at: Point, { width, height }: Size) =>
    at.x - width / 2 >= 0 &&
    at.x + width / 2 <= placed.width &&
    !cellsOf({ ...at, width, height }).some(key =>
      cells
        .get(key)
        ?.some(
          one => Math.abs(one.x - at.x) < (one.width + width) / 2 && Math.abs(one.y - at.y) < (one.height + height) / 2,
        ),
    );
  const order = lines.map((_, index) => index);
  for (const index of order.sort((a, b) => lines[b]!.weight - lines[a]!.weight || a - b)) {
    const { arc, top } = lines[index]!;
    const size = input.arcs[arc]!.label;
    if (!size) continue;
    const points = placed.arcs[arc]!.points;
    const way = top === input.arcs[arc]!.from ? points : [...points].reverse();
    // On its own piece of a line that is shared: the last one, or the first.
    const path = paths[index]!;
    const isOwnFirst = path.length > 2 && items[path[1]!]!.up.length > 1;
    const [a, b] = isOwnFirst ? [way[1]!, way[2]!] : [way.at(-3)!, way.at(-2)!];
    const at = [0.5, 0.7, 0.3, 0.9, 0.1]
      .map((part): Point => ({ x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part }))
      .find(place => isFree(place, size));
    if (!at) continue;
    placed.arcs[arc]!.label = at;
    take({ ...at, ...size });
  }
}

// From a node to itself.
function loop(node: PlacedNode, label: Size | null, isDown: boolean): Placed['arcs'][number] {
  const out = (out: number, along: number): Point =>
    isDown
      ? { x: node.x + node.width / 2 + out, y: node.y + along }
      : { x: node.x + along, y: node.y + node.height / 2 + out };
  const points = [out(0, -9), out(22, -17), out(28, 0), out(22, 17), out(0, 9)];
  const place = isDown ? out(loopSize + (label?.width ?? 0) / 2, 0) : out(loopSize + 6, 0);
  return { points, label: label && place };
}
