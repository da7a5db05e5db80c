// What the worker needs of the engine in WebAssembly; wasm_instance.ts makes one of the module's bytes.

export type Side = 'after' | 'before';

export interface ProfileFile {
  name: string;
  bytes: Uint8Array;
  side: Side;
}

export interface WasmEngine {
  // Throws an Error with words for the reader if they cannot be read.
  open(files: ProfileFile[]): void;
  ask(question: string): string;
  // The text of a source file, by the name the profile has for it.
  addSource(name: string, text: string): void;
}
