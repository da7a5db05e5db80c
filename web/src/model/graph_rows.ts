// Layout of a graph, first half: which row every node is in, and the order of each row.

import type { LayoutInput } from './graph';

export const lineRoom = 16; // beside a line that passes a row

// A line from a node down to one of a later row.
export interface Line {
  top: number; // nodes
  bottom: number;
  weight: number;
  arc: number; // index in the input
}

// A node, or the place where lines pass a row. Lines from one node, or to one node, share it.
export interface Item {
  node: number; // -1: lines pass
  row: number;
  size: number; // along the row
  up: Link[];
  down: Link[];
}
interface Link {
  item: number;
  weight: number;
}

export interface Rows {
  lines: Line[];
  paths: number[][]; // of each line: the items that it goes through
  items: Item[]; // nodes first
  rows: number[][]; // items, in order
}

// Arcs that would close a cycle are turned round: preferably those that are marked, then those with little weight.
function linesOf(input: LayoutInput): Line[] {
  const below: number[][] = input.nodes.map(() => []);
  const reaches = (from: number, to: number) => {
    const seen = new Uint8Array(input.nodes.length);
    const open = [from];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (node === to) return true;
      if (seen[node]) continue;
      seen[node] = 1;
      open.push(...below[node]!);
    }
    return false;
  };
  const lines = input.arcs.map(({ from, to, weight }, arc): Line => ({ top: from, bottom: to, weight, arc }));
  const isBack = (line: Line) => Number(input.arcs[line.arc]!.back ?? false);
  return lines
    .filter(line => line.top !== line.bottom)
    .sort((a, b) => isBack(a) - isBack(b) || b.weight - a.weight || a.arc - b.arc)
    .map(line => {
      const turned = reaches(line.bottom, line.top);
      const done = turned ? { ...line, top: line.bottom, bottom: line.top } : line;
      below[done.top]!.push(done.bottom);
      return done;
    })
    .sort((a, b) => a.arc - b.arc);
}

// Rows from the top (Coffman and Graham): of the nodes whose callers are placed, those with the highest priority for
// which there is room. The others wait for the next row, so wide rows wrap.
function rowsOf(input: LayoutInput, lines: readonly Line[], sizes: readonly number[], room: number, gap: number) {
  const row = new Int32Array(sizes.length).fill(-1);
  const above: number[][] = sizes.map(() => []);
  const below: number[][] = sizes.map(() => []);
  for (const { top, bottom } of lines) {
    above[bottom]!.push(top);
    below[top]!.push(bottom);
  }
  const waited = new Float64Array(sizes.length).fill(1);
  const isLoose = (node: number) => Number(above[node]!.length + below[node]!.length === 0);
  let ready = sizes.map((_, node) => node).filter(node => above[node]!.length === 0);
  const used: number[] = [];
  for (let now = 0; ready.length > 0; now++) {
    const priority = (node: number) => input.nodes[node]!.priority * waited[node]!;
    ready.sort((a, b) => isLoose(a) - isLoose(b) || priority(b) - priority(a) || a - b);
    // Lines from one node pass together, and so do lines to one.
    const open = lines.filter(({ top, bottom }) => row[top]! >= 0 && row[bottom]! < 0);
    const passing = Math.min(new Set(open.map(({ top }) => top)).size, new Set(open.map(({ bottom }) => bottom)).size);
    let taken = Math.max(0, passing - 1) * lineRoom;
    let count = 0;
    const later: number[] = [];
    for (const node of ready) {
      if (count > 0 && taken + sizes[node]! > room) {
        waited[node]! *= 2;
        later.push(node);
        continue;
      }
      row[node] = now;
      taken += sizes[node]! + gap;
      count++;
    }
    used[now] = taken;
    const isPlaced = (node: number) => row[node]! >= 0 && row[node]! <= now;
    const opened = sizes
      .map((_, node) => node)
      .filter(node => row[node]! < 0 && above[node]!.length > 0 && above[node]!.every(isPlaced));
    ready = [...new Set([...later, ...opened])];
  }
  // What begins a line far above its first callee moves down to it.
  const order = sizes.map((_, node) => node).sort((a, b) => row[b]! - row[a]! || a - b);
  for (const node of order) {
    if (above[node]!.length > 0 || below[node]!.length === 0) continue;
    const last = Math.min(...below[node]!.map(other => row[other]!)) - 1;
    for (let to = last; to > row[node]!; to--) {
      if ((used[to] ?? 0) + sizes[node]! > room) continue;
      used[row[node]!]! -= sizes[node]! + gap;
      used[to] = (used[to] ?? 0) + sizes[node]! + gap;
      row[node] = to;
      break;
    }
  }
  const filled = [...new Set(row)].sort((a, b) => a - b);
  return Array.from(row, at => filled.indexOf(at));
}

function itemsOf(sizes: readonly number[], row: readonly number[], lines: Line[]): Rows {
  const items = sizes.map((size, node): Item => ({ node, row: row[node]!, size, up: [], down: [] }));
  const isLong = ({ top, bottom }: Line) => row[bottom]! - row[top]! > 1;
  const outs = new Int32Array(sizes.length);
  const ins = new Int32Array(sizes.length);
  for (const line of lines.filter(isLong)) {
    outs[line.top]!++;
    ins[line.bottom]!++;
  }
  const passed = new Map<string, number>();
  const links = new Map<string, { up: Link; down: Link }>();
  function join(a: number, b: number, weight: number) {
    const known = links.get(`${a} ${b}`);
    if (known) {
      known.up.weight += weight;
      known.down.weight += weight;
      return;
    }
    const link = { up: { item: a, weight }, down: { item: b, weight } };
    links.set(`${a} ${b}`, link);
    items[a]!.down.push(link.down);
    items[b]!.up.push(link.up);
  }
  const paths = lines.map(({ top, bottom, weight }) => {
    const trunk = outs[top]! >= ins[bottom]! ? `from ${top}` : `to ${bottom}`;
    const path = [top];
    for (let at = row[top]! + 1; at < row[bottom]!; at++) {
      const key = `${trunk} ${at}`;
      let item = passed.get(key);
      if (item === undefined) {
        item = items.push({ node: -1, row: at, size: 0, up: [], down: [] }) - 1;
        passed.set(key, item);
      }
      path.push(item);
    }
    path.push(bottom);
    for (let at = 1; at < path.length; at++) join(path[at - 1]!, path[at]!, weight);
    return path;
  });
  const rows: number[][] = [];
  items.forEach((item, index) => {
    rows[item.row] ??= [];
    rows[item.row]!.push(index);
  });
  return { lines, paths, items, rows };
}

// Fewer crossings: rows in the order of the middle of their neighbours, then neighbours of a row swapped.
function order({ items, rows }: Rows) {
  const place = new Float64Array(items.length);
  const settle = (row: number[]) => {
    row.forEach((item, at) => {
      place[item] = at;
    });
  };
  rows.forEach(settle);
  const crossings = (left: readonly Link[], right: readonly Link[]) => {
    let sum = 0;
    for (const a of left) for (const b of right) if (place[a.item]! > place[b.item]!) sum += a.weight * b.weight;
    return sum;
  };
  // Weights of lines that came before and end further along, by a binary indexed tree.
  function crossingsAbove(row: readonly number[], above: readonly number[]) {
    const tree = new Float64Array(above.length + 1);
    let all = 0;
    let sum = 0;
    for (const item of row) {
      const { up } = items[item]!;
      for (const { item: other, weight } of up) {
        let before = 0;
        for (let at = place[other]! + 1; at > 0; at -= at & -at) before += tree[at]!;
        sum += weight * (all - before);
      }
      for (const { item: other, weight } of up) {
        all += weight;
        for (let at = place[other]! + 1; at < tree.length; at += at & -at) tree[at]! += weight;
      }
    }
    return sum;
  }
  const cost = () => rows.reduce((sum, row, at) => sum + (at > 0 ? crossingsAbove(row, rows[at - 1]!) : 0), 0);
  function sortRow(row: number[], side: 'up' | 'down') {
    const middle = (item: number) => {
      const links = items[item]![side];
      if (links.length === 0) return place[item]!;
      const length = Math.max(1, rows[items[links[0]!.item]!.row]!.length);
      const weights = links.reduce((sum, { weight }) => sum + weight, 0);
      const mean = links.reduce((sum, link) => sum + link.weight * (place[link.item]! + 0.5), 0) / weights;
      return (mean / length) * row.length - 0.5;
    };
    const middles = new Map(row.map(item => [item, middle(item)]));
    row.sort((a, b) => middles.get(a)! - middles.get(b)! || place[a]! - place[b]!);
    settle(row);
  }
  function swap(row: number[]): boolean {
    let isBetter = false;
    for (let at = 1; at < row.length; at++) {
      const [a, b] = [items[row[at - 1]!]!, items[row[at]!]!];
      const now = crossings(a.up, b.up) + crossings(a.down, b.down);
      if (now === 0 || crossings(b.up, a.up) + crossings(b.down, a.down) >= now) continue;
      [row[at - 1], row[at]] = [row[at]!, row[at - 1]!];
      place[row[at - 1]!] = at - 1;
      place[row[at]!] = at;
      isBetter = true;
    }
    return isBetter;
  }
  let best = rows.map(row => [...row]);
  let least = Number.POSITIVE_INFINITY;
  const sweeps = items.length > 1500 ? 4 : 12;
  for (let sweep = 0; sweep < sweeps && least > 0; sweep++) {
    if (sweep % 2 === 0) for (const row of rows) sortRow(row, 'up');
    else for (const row of [...rows].reverse()) sortRow(row, 'down');
    for (let again = 0; again < 3 && rows.filter(swap).length > 0; again++);
    const now = cost();
    if (now >= least) continue;
    least = now;
    best = rows.map(row => [...row]);
  }
  best.forEach((row, at) => {
    rows[at] = row;
  });
}

export function graphRows(input: LayoutInput, sizes: readonly number[], room: number, gap: number): Rows {
  const lines = linesOf(input);
  const rows = itemsOf(sizes, rowsOf(input, lines, sizes, room, gap), lines);
  order(rows);
  return rows;
}
