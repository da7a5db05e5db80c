// Lanes of jump arrows beside a listing: short ones inside, those with the same target share a lane.

export interface JumpArrow {
  from: number; // rows
  to: number;
  conditional: boolean;
}

export interface Bundle {
  to: number;
  conditional: boolean;
  from: number[]; // ascending
  first: number; // rows that the arrow spans
  last: number;
  lane: number; // from 0, the nearest to the text; -1: there is no room, so only its ends are drawn
}

export interface Lanes {
  bundles: Bundle[];
  lanes: number; // used
  at(row: number): Bundle[]; // that cross the row or end there
}

export const mostLanes = 8;

// Intervals of one lane, which never overlap, by begin.
class Lane {
  private begins: number[] = [];
  private ends: number[] = [];

  take(first: number, last: number): boolean {
    let low = 0;
    let high = this.begins.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.begins[middle]! < first) low = middle + 1;
      else high = middle;
    }
    if (low > 0 && this.ends[low - 1]! >= first) return false;
    if (low < this.begins.length && this.begins[low]! <= last) return false;
    this.begins.splice(low, 0, first);
    this.ends.splice(low, 0, last);
    return true;
  }
}

function bundlesOf(arrows: readonly JumpArrow[]): Bundle[] {
  const bundles = new Map<string, Bundle>();
  const seen = new Set<string>();
  for (const { from, to, conditional } of arrows) {
    if (seen.has(`${from} ${to} ${conditional}`)) continue;
    seen.add(`${from} ${to} ${conditional}`);
    // Forward and backward jumps have separate lanes: a visible arrow comes from one side.
    const key = `${to} ${conditional} ${from < to}`;
    const known = bundles.get(key);
    if (!known) {
      const bundle = { to, conditional, from: [from], first: Math.min(from, to), last: Math.max(from, to), lane: -1 };
      bundles.set(key, bundle);
    } else {
      known.from.push(from);
      known.first = Math.min(known.first, from);
      known.last = Math.max(known.last, from);
    }
  }
  return [...bundles.values()];
}

export function jumpLanes(arrows: readonly JumpArrow[], most = mostLanes): Lanes {
  const bundles = bundlesOf(arrows);
  bundles.sort((a, b) => a.last - a.first - (b.last - b.first) || a.first - b.first || a.to - b.to);
  const lanes: Lane[] = [];
  for (const bundle of bundles) {
    bundle.from.sort((a, b) => a - b);
    for (let lane = 0; lane < most && bundle.lane < 0; lane++) {
      const place = lanes[lane] ?? new Lane();
      lanes[lane] = place;
      if (place.take(bundle.first, bundle.last)) bundle.lane = lane;
    }
  }
  // Arrows that cross a row, indexed by blocks of rows, so that long arrows are not stored per row.
  const size = 64;
  const blocks = new Map<number, Bundle[]>();
  for (const bundle of bundles) {
    const ends = bundle.lane >= 0 ? null : new Set([bundle.to, ...bundle.from].map(row => Math.floor(row / size)));
    const first = Math.floor(bundle.first / size);
    const last = Math.floor(bundle.last / size);
    for (const block of ends ?? Array.from({ length: last - first + 1 }, (_, i) => first + i)) {
      const list = blocks.get(block);
      if (list) list.push(bundle);
      else blocks.set(block, [bundle]);
    }
  }
  return {
    bundles,
    lanes: lanes.length,
    at(row) {
      const near = blocks.get(Math.floor(row / size)) ?? [];
      return near.filter(({ lane, first, last, to, from }) =>
        lane >= 0 ? row >= first && row <= last : row === to || from.includes(row),
      );
    },
  };
}
