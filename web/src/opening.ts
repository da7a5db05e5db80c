// From what is in the page, what a server has, or what was dropped, to an engine with a profile in it.

import { read_block, read_manifest } from './blocks';
import { create_engine, type Engine } from './engine/engine';
import { http_transport } from './engine/http';
import type { ProfileAnswer } from './engine/protocol';
import type { ProfileFile } from './engine/wasm_engine';
import { worker_transport } from './engine/worker';

export interface Opened {
  engine: Engine;
  kind: 'server' | 'page';
  profile: ProfileAnswer;
}

export const manifest = read_manifest();

let compiled: Promise<WebAssembly.Module | null> | undefined;

export function engine_module(): Promise<WebAssembly.Module | null> {
  compiled ??= read_block(manifest.engine ?? 'engine').then(bytes => (bytes ? WebAssembly.compile(bytes) : null));
  return compiled;
}

export function has_engine(): boolean {
  return document.getElementById(manifest.engine ?? 'engine') !== null;
}

async function opened(engine: Engine, kind: Opened['kind']): Promise<Opened> {
  return { engine, kind, profile: await engine.ask({ ask: 'profile' }) };
}

export async function open_server(): Promise<Opened> {
  return opened(create_engine(http_transport(location.href)), 'server');
}

export async function open_files(
  files: ProfileFile[],
  sources: { name: string; text: string }[] = [],
): Promise<Opened> {
  const module = await engine_module();
  if (!module) throw new Error('This page was built without an engine. Open the profile with: callcost view FILE');
  const transport = worker_transport(module);
  try {
    await transport.open(files);
  } catch (reason) {
    transport.close();
    throw reason;
  }
  for (const source of sources) transport.add_source(source.name, source.text);
  return opened(create_engine(transport), 'page');
}

// What the page holds itself; null: nothing.
export async function open_blocks(): Promise<Opened | null> {
  const files: ProfileFile[] = [];
  for (const { name, side, block } of manifest.profiles ?? []) {
    const bytes = await read_block(block);
    if (bytes) files.push({ name, side, bytes });
  }
  if (files.length === 0) return null;
  const decoder = new TextDecoder();
  const sources: { name: string; text: string }[] = [];
  for (const { name, block } of manifest.sources ?? []) {
    const bytes = await read_block(block);
    if (bytes) sources.push({ name, text: decoder.decode(bytes) });
  }
  return open_files(files, sources);
}
