import type { WasmEngine } from './wasm_engine';

// Makes an engine of a compiled module. To be filled by the wasm/ room.
export async function instantiate(_module: WebAssembly.Module): Promise<WasmEngine> {
  throw new Error('This page was built without an engine: open profiles with "callcost view FILE".');
}
