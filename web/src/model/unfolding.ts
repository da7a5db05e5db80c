// A list whose rows can be expanded into child rows: maps row numbers.

export interface Place {
  row: number; // of the folded list
  sub: number; // 0: the row itself, from 1: what is below it
}

export interface Unfolding {
  count: number; // of all rows, those below included
  at(index: number): Place;
  indexOf(row: number, sub?: number): number;
  isOpen(row: number): boolean;
}

// `below(row)`: how many rows are below it if it is unfolded.
export function unfolding(count: number, open: Iterable<number>, below: (row: number) => number): Unfolding {
  const rows = [...open].filter(row => row >= 0 && row < count && below(row) > 0).sort((a, b) => a - b);
  const opened = new Set(rows);
  const before: number[] = []; // of all unfolded rows, how many are above what is below this one
  let sum = 0;
  for (const row of rows) {
    before.push(sum);
    sum += below(row);
  }
  // The last unfolded row at or above that for which `isAbove` holds; -1: none.
  function last(isAbove: (at: number) => boolean): number {
    let low = 0;
    let high = rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isAbove(middle)) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
  return {
    count: count + sum,
    at(index) {
      const at = last(one => rows[one]! + before[one]! <= index);
      if (at < 0) return { row: index, sub: 0 };
      const behind = index - rows[at]! - before[at]!;
      const size = below(rows[at]!);
      return behind <= size ? { row: rows[at]!, sub: behind } : { row: index - before[at]! - size, sub: 0 };
    },
    indexOf(row, sub = 0) {
      const at = last(one => rows[one]! < row);
      return row + (at < 0 ? 0 : before[at]! + below(rows[at]!)) + sub;
    },
    isOpen: row => opened.has(row),
  };
}
