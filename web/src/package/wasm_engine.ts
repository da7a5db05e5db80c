// The engine in WebAssembly, as the worker sees it; wasm_instance.ts makes one of the compiled module.

export type Side = 'after' | 'before';

// Fills the front of the array, and says with how many bytes; 0: no more. Throws a BrokenInput.
export type Read = (to: Uint8Array<ArrayBuffer>) => number;

export class BrokenInput extends Error {
  constructor(
    readonly what: 'compression' | 'reading',
    message = '',
  ) {
    super(message);
  }
}

export interface SourceFile {
  name: string; // as the profile has it
  path: string; // where it was
  isNewer?: boolean; // than the profile
  isGuess?: boolean; // found by the end of its name
  text: Uint8Array;
}

export type Progress = (done: number, total: number) => void;

// One profile, or two to compare: first source files, then the profiles, then open, then questions. What cannot be done
// is told as an answer that is an error; everything else answers '' unless it is asked.
export interface WasmEngine {
  addSource(source: SourceFile): string;
  // `size` in bytes, for progress; 0: not known.
  read(side: Side, name: string, size: number, read: Read, progress?: Progress): string;
  addStacks(side: Side, json: Uint8Array): string;
  addCode(side: Side, json: Uint8Array): string;
  addInlined(side: Side, json: Uint8Array): string;
  open(): string;
  ask(question: string): string;
}

export function errorAnswer(
  id: string,
  message: string,
  hint?: string,
  more?: { file?: string; line?: number },
): string {
  return JSON.stringify({ error: { id, message, hint, ...more } });
}
