// The rows of a listing of machine code: instructions, what lies between them, and calls and jumps below.

import type { InstructionRow, Jump, LineCall } from '../engine/protocol';
import type { JumpArrow } from './jump_lanes';

export type CodeEntry = { is: 'instruction'; index: number } | { is: 'gap' };

export type CodeRow =
  | { is: 'gap'; entry: number }
  | { is: 'instruction'; entry: number; index: number; row: InstructionRow; open?: boolean }
  | { is: 'call'; entry: number; index: number; row: InstructionRow; call: LineCall }
  | { is: 'jump'; entry: number; index: number; row: InstructionRow; jump: Jump };

export interface Code {
  entries: CodeEntry[];
  entry_of: number[]; // by instruction
  index_of(address: string): number; // of an instruction; -1: it is not of this function
  arrows: JumpArrow[]; // between entries
}

export function below_instruction(row: InstructionRow): number {
  return row.calls.length + row.jumps.length;
}

export function code_of(rows: readonly InstructionRow[]): Code {
  const entries: CodeEntry[] = [];
  const entry_of: number[] = [];
  const by_address = new Map<string, number>();
  for (const [index, row] of rows.entries()) {
    if (row.gap) entries.push({ is: 'gap' });
    entry_of.push(entries.length);
    entries.push({ is: 'instruction', index });
    by_address.set(row.address, index);
  }
  const arrows: JumpArrow[] = [];
  for (const [index, row] of rows.entries()) {
    for (const jump of row.jumps) {
      const target = by_address.get(jump.to);
      if (target === undefined) continue;
      arrows.push({ from: entry_of[index]!, to: entry_of[target]!, conditional: jump.conditional });
    }
  }
  return { entries, entry_of, index_of: address => by_address.get(address) ?? -1, arrows };
}

// Whether the source position is another one than that of the instruction before: only then it is written.
export function is_new_place(rows: readonly InstructionRow[], index: number): boolean {
  const [before, row] = [rows[index - 1], rows[index]];
  return !before || !row || row.gap === true || before.file !== row.file || before.line !== row.line;
}

export function hottest_instruction(rows: readonly InstructionRow[]): number {
  let best = 0;
  for (const [index, row] of rows.entries()) if ((row.self[0] ?? 0) > (rows[best]?.self[0] ?? 0)) best = index;
  return best;
}

// The instructions of a source line.
export function instructions_of_line(rows: readonly InstructionRow[], file: string, line: number): number[] {
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
export function main_file(rows: readonly InstructionRow[]): string {
  const counts = new Map<string, number>();
  for (const { file } of rows) if (file) counts.set(file, (counts.get(file) ?? 0) + 1);
  let best = '';
  for (const [file, count] of counts) if (count > (counts.get(best) ?? 0)) best = file;
  return best;
}

// A hint of the engine: words, or a command to be run.
export function hint_parts(hint: string): { words: string; command: string } {
  const match = /^(.*?\bwith): (\S.*)$/.exec(hint);
  return match ? { words: match[1]!, command: match[2]! } : { words: hint, command: '' };
}
