// The call tree as far as it is unfolded, as rows of a table.

import { type Cost, share } from '../protocol/cost';
import type { CallTreeLevel, CallTreeRow, Func } from '../protocol/protocol';
import { percent } from './format';
import { keyOfText } from './tree';

// By pathText.
export type Levels = ReadonlyMap<string, CallTreeLevel>;

export const pathText = (path: readonly number[]) => path.join(' ');

interface Place {
  path: number[]; // ids, with that of the row itself
  key: string; // the same path has the same key in every tree
  level: number; // from 1
}

export type TreeRow = Place & { parent: Cost | null } & (
    | { is: 'path'; of: CallTreeRow; open: boolean }
    | { is: 'more'; rows: number; cost: Cost; before: Cost | undefined }
  );

export function funcOfRow(row: TreeRow | undefined): Func | undefined {
  return row?.is === 'path' && row.of.kind === 0 ? (row.of as Func) : undefined;
}

export const keyBelow = (key: string, { name, context, file, object }: Partial<Func>) =>
  keyOfText([key, name, context ?? '', file, object].join('\0'));

// Rows in the order of the table. `wanted`: paths that are open, but not there yet.
export function rowsOfTree(levels: Levels, isOpen: (key: string) => boolean): { rows: TreeRow[]; wanted: number[][] } {
  const rows: TreeRow[] = [];
  const wanted: number[][] = [];
  const waiting: { at: Place; level: CallTreeLevel; next: number; parent: Cost | null }[] = [];
  const open = (at: Place, parent: Cost | null) => {
    const level = levels.get(pathText(at.path));
    if (level) waiting.push({ at, level, next: 0, parent });
    else wanted.push(at.path);
  };
  open({ path: [], key: '', level: 0 }, null);
  while (waiting.length > 0) {
    const now = waiting[waiting.length - 1]!;
    const { at, level, parent } = now;
    const of = level.rows[now.next++];
    if (!of) {
      waiting.pop();
      const { omitted_rows: count, omitted_cost: cost, omitted_cost_before: before } = level;
      if (count > 0) rows.push({ ...at, level: at.level + 1, parent, is: 'more', rows: count, cost, before });
      continue;
    }
    const place: Place = {
      path: of.kind === 0 ? [...at.path, of.id!] : at.path,
      key: of.kind === 0 ? keyBelow(at.key, of) : `${at.key}.${of.kind}`,
      level: at.level + 1,
    };
    const isUnfolded = of.kind === 0 && of.leads_on && isOpen(place.key);
    rows.push({ ...place, parent, is: 'path', of, open: isUnfolded });
    if (isUnfolded) open(place, of.inclusive);
  }
  return { rows, wanted };
}

// The keys of the paths that there are levels of.
export function openKeys(levels: readonly CallTreeLevel[]): string[] {
  const known = new Map(levels.map(level => [pathText(level.path), level]));
  return levels.flatMap(({ path }) => {
    let key = '';
    for (let at = 0; at < path.length; at++) {
      const row = known.get(pathText(path.slice(0, at)))?.rows.find(one => one.kind === 0 && one.id === path[at]);
      if (!row) return [];
      key = keyBelow(key, row);
    }
    return key === '' ? [] : [key];
  });
}

// "10.1-12.0 %", as the command has it.
export function boundsText(bounds: readonly Cost[] | undefined, base: Cost): string {
  if (!bounds) return 'exact';
  const [least, most] = bounds.map(cost => percent(share(cost, base)).replace(/\s*%$/, ''));
  return `${least}–${most}\u202f%`;
}

// Columns of texts, the last one on the left.
export function textTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, at) => rows.reduce((most, row) => Math.max(most, row[at]!.length), 0));
  const last = widths.length - 1;
  return rows
    .map(row => row.map((cell, at) => (at === last ? cell : cell.padStart(widths[at]!))).join('  '))
    .join('\n');
}
