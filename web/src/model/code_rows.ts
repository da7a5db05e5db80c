// The rows of a listing of machine code: instructions, what lies between them, and calls and jumps below.
// A removed instruction has a fractional number between those of its neighbours.

import { type Cost, compare, magnitude, subtract } from '../protocol/cost';
import type {
  InstructionRow,
  InstructionsAnswer,
  Jump,
  LineCall,
  RemovedInstruction,
  SourceLine,
} from '../protocol/protocol';
import type { Weight } from './heat';
import type { JumpArrow } from './jump_lanes';

export type CodeEntry =
  | { is: 'instruction'; index: number }
  | { is: 'removed'; index: number; row: RemovedInstruction }
  | { is: 'gap' };

export type CodeRow =
  | { is: 'gap'; entry: number }
  | { is: 'removed'; entry: number; index: number; row: RemovedInstruction }
  | { is: 'instruction'; entry: number; index: number; row: InstructionRow; open?: boolean }
  | { is: 'call'; entry: number; index: number; row: InstructionRow; call: LineCall }
  | { is: 'jump'; entry: number; index: number; row: InstructionRow; jump: Jump };

export interface Code {
  entries: CodeEntry[];
  entryOf(index: number): number;
  indexOf(address: string): number; // of an instruction; -1: it is not of this function
  arrows: JumpArrow[]; // between entries
}

export function belowInstruction(row: InstructionRow): number {
  return row.calls.length + row.jumps.length;
}

export function codeOf({ rows, removed = [] }: Pick<InstructionsAnswer, 'rows' | 'removed'>): Code {
  const entries: CodeEntry[] = [];
  const entryOf: number[] = [];
  const removedEntryOf = new Map<number, number>();
  const byAddress = new Map<string, number>();
  const addGone = (at: number) => {
    for (let row = removed[removedEntryOf.size]; row && row.row <= at; row = removed[removedEntryOf.size]) {
      const index = at - 1 + (removedEntryOf.size + 1) / (removed.length + 1);
      removedEntryOf.set(index, entries.length);
      entries.push({ is: 'removed', index, row });
    }
  };
  for (const [index, row] of rows.entries()) {
    addGone(index);
    if (row.gap) entries.push({ is: 'gap' });
    entryOf.push(entries.length);
    entries.push({ is: 'instruction', index });
    byAddress.set(row.address, index);
  }
  addGone(rows.length);
  const arrows: JumpArrow[] = [];
  for (const [index, row] of rows.entries()) {
    for (const jump of row.jumps) {
      const target = byAddress.get(jump.to);
      if (target === undefined) continue;
      arrows.push({ from: entryOf[index]!, to: entryOf[target]!, conditional: jump.conditional });
    }
  }
  return {
    entries,
    entryOf: index => entryOf[index] ?? removedEntryOf.get(index) ?? 0,
    indexOf: address => byAddress.get(address) ?? -1,
    arrows,
  };
}

// Whether the source position differs from that of the previous instruction: only then it is shown.
export function isNewPlace(rows: readonly InstructionRow[], index: number): boolean {
  const [before, row] = [rows[index - 1], rows[index]];
  return !before || !row || row.gap === true || before.file !== row.file || before.line !== row.line;
}

// The weight of each row, by number.
export function weightsOf(code: Code, rows: readonly InstructionRow[], comparing: boolean): Weight[] {
  return code.entries.flatMap((entry): Weight[] => {
    if (entry.is === 'gap') return [];
    const cost = entry.is === 'removed' ? (entry.row.self_before[0] ?? 0) : weightOf(rows[entry.index]!, comparing);
    return [{ at: entry.index, cost }];
  });
}

// The weight of an instruction or line: its cost, or the size of its change.
export function weightOf(row: Pick<SourceLine | InstructionRow, 'self' | 'self_before'>, comparing: boolean): Cost {
  const self = row.self[0] ?? 0;
  const before = row.self_before?.[0];
  return comparing && before !== undefined && before !== null ? magnitude(subtract(self, before)) : self;
}

// The initial instruction: the heaviest; if nothing changed, the most expensive.
export function hottestInstruction(code: Code, rows: readonly InstructionRow[], comparing: boolean): number {
  const heaviest = (weights: readonly Weight[]) =>
    weights.reduce<Weight>((best, one) => (compare(one.cost, best.cost) > 0 ? one : best), { at: 0, cost: 0 });
  const changed = heaviest(weightsOf(code, rows, comparing));
  return changed.cost > 0 ? changed.at : heaviest(weightsOf(code, rows, false)).at;
}

// The instructions of a source line.
export function instructionsOfLine(rows: readonly InstructionRow[], file: string, line: number): number[] {
  return rows.flatMap((row, index) => (row.line === line && row.file === file ? [index] : []));
}

// The longest text of a column, in characters, within bounds.
export function longest(
  rows: readonly InstructionRow[],
  text: (row: InstructionRow) => string | undefined,
  least: number,
  most: number,
): number {
  const length = rows.reduce((longest, row) => Math.max(longest, text(row)?.length ?? 0), least);
  return Math.min(most, length);
}

// The file that most of a function's instructions are of.
export function mainFile(rows: readonly InstructionRow[]): string {
  const counts = new Map<string, number>();
  for (const { file } of rows) if (file) counts.set(file, (counts.get(file) ?? 0) + 1);
  let best = '';
  for (const [file, count] of counts) if (count > (counts.get(best) ?? 0)) best = file;
  return best;
}

// A hint of the engine: text, or a command to be run.
export function hintParts(hint: string): { text: string; command: string } {
  const match = /^(.*?\bwith): (\S.*)$/.exec(hint);
  return match ? { text: match[1]!, command: match[2]! } : { text: hint, command: '' };
}
