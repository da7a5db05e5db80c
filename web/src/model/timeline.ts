// When the parts of a profile were measured, as bars; a lane per process and thread.

export interface TimedPart {
  index: number;
  part?: number | string;
  thread?: number | string;
  pid?: number | string;
  timerange?: string;
}

export interface Bar {
  index: number;
  begin: number; // 0 to 1
  end: number;
}

export interface TimelineLane {
  pid: string; // '': unknown
  thread: string;
  bars: Bar[];
}

export interface Timeline {
  measured: boolean; // the bars are where the parts say they were; else they stand in their order
  from: number; // in what the parts count (basic blocks); 0 if not measured
  to: number;
  lanes: TimelineLane[];
}

// "Basic block 0 - 260329"
function rangeOf(text: string | undefined): { begin: number; end: number } | null {
  const match = /(\d{1,19})\s*-\s*(\d{1,19})\s*$/.exec(text ?? '');
  if (!match) return null;
  const [begin, end] = [Number(match[1]), Number(match[2])];
  return begin <= end ? { begin, end } : null;
}

function order(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}

export function timeline(parts: readonly TimedPart[]): Timeline {
  const ranges = parts.map(part => rangeOf(part.timerange));
  const known = ranges.filter(range => range !== null);
  const from = known.reduce((least, { begin }) => Math.min(least, begin), Number.MAX_VALUE);
  const to = known.reduce((most, { end }) => Math.max(most, end), 0);
  const measured = parts.length > 0 && known.length === parts.length && to > from;

  // Without times, parts of the same number were written together.
  const numbers = parts.map(part => String(part.part ?? ''));
  const slots = numbers.every(number => number !== '') ? [...new Set(numbers)].sort(order) : null;
  const slotOf = new Map(slots?.map((number, at) => [number, at]));
  const bar = (index: number): Bar => {
    const range = ranges[index];
    if (measured && range)
      return {
        index: parts[index]!.index,
        begin: (range.begin - from) / (to - from),
        end: (range.end - from) / (to - from),
      };
    const count = slots?.length ?? parts.length;
    const at = slots ? (slotOf.get(numbers[index]!) ?? 0) : index;
    return { index: parts[index]!.index, begin: at / count, end: (at + 1) / count };
  };

  const lanes = new Map<string, TimelineLane>();
  for (const [at, part] of parts.entries()) {
    const [pid, thread] = [String(part.pid ?? ''), String(part.thread ?? '')];
    const key = JSON.stringify([pid, thread]);
    const lane = lanes.get(key) ?? { pid, thread, bars: [] };
    lane.bars.push(bar(at));
    lanes.set(key, lane);
  }
  const all = [...lanes.values()].sort((a, b) => order(a.pid, b.pid) || order(a.thread, b.thread));
  return { measured, from: measured ? from : 0, to: measured ? to : 0, lanes: all };
}

// The selected rows after one is toggled. An empty selection means all rows; the last one cannot be deselected.
export function withOrWithout(chosen: readonly number[], index: number, all: readonly number[]): number[] {
  const now = chosen.length === 0 ? all : chosen;
  const next = now.includes(index) ? now.filter(one => one !== index) : [...now, index].sort((a, b) => a - b);
  return next.length === 0 ? [...chosen] : next.length === all.length ? [] : next;
}
