// From what is in the page, what a server has, or what the reader gives, to an engine with a profile in it.

import { inflate, read_block, read_manifest } from './blocks';
import { create_engine, type Engine } from './engine/engine';
import { http_transport } from './engine/http';
import type { ProfileAnswer } from './engine/protocol';
import type { Side } from './engine/wasm_engine';
import { worker_transport } from './engine/worker';

// A file whose bytes can be had again and again: those that are given to the engine are gone.
export interface Input {
  name: string;
  side: Side;
  read(): Promise<Uint8Array<ArrayBuffer>>;
}

export interface Opened {
  engine: Engine;
  kind: 'server' | 'page';
  profile: ProfileAnswer;
  inputs: Input[];
}

export const manifest = read_manifest();

const engine_block = manifest.engine ?? 'engine';
let compiled: Promise<WebAssembly.Module | null> | undefined;

function engine_module(): Promise<WebAssembly.Module | null> {
  compiled ??= read_block(engine_block).then(bytes => (bytes ? WebAssembly.compile(bytes) : null));
  return compiled;
}

export function has_engine(): boolean {
  return document.getElementById(engine_block) !== null;
}

async function opened(engine: Engine, kind: Opened['kind'], inputs: Input[]): Promise<Opened> {
  return { engine, kind, profile: await engine.ask({ ask: 'profile' }), inputs };
}

export async function open_inputs(inputs: Input[], sources: { name: string; text: string }[] = []): Promise<Opened> {
  const module = await engine_module();
  if (!module) throw new Error('This page was built without an engine. Open profiles with: callcost view FILE');
  const files = await Promise.all(
    inputs.map(async input => ({ name: input.name, side: input.side, bytes: await input.read() })),
  );
  const transport = worker_transport(module);
  try {
    await transport.open(files);
    for (const source of sources) transport.add_source(source.name, source.text);
    return await opened(create_engine(transport), 'page', inputs);
  } catch (reason) {
    transport.close();
    throw reason;
  }
}

async function block(id: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await read_block(id);
  if (!bytes) throw new Error(`This page is damaged: its block ${id} is missing.`);
  return bytes;
}

// The profile that a server has, as a file: to compare another one with it in the page.
function exported(engine: Engine, name: string): Input {
  return {
    name,
    side: 'after',
    async read() {
      const { base64 } = await engine.ask({ ask: 'export', format: 'callgrind' });
      return Uint8Array.from(atob(base64), character => character.charCodeAt(0));
    },
  };
}

// What belongs to the page itself; null: nothing.
export async function open_own(): Promise<Opened | null> {
  if (manifest.server) {
    const engine = create_engine(http_transport(location.href));
    const { profile } = await opened(engine, 'server', []);
    return { engine, kind: 'server', profile, inputs: [exported(engine, profile.files[0]?.name ?? profile.title)] };
  }
  const profiles = manifest.profiles ?? [];
  if (profiles.length === 0) return null;
  const decoder = new TextDecoder();
  const sources = (manifest.sources ?? []).map(async source => ({
    name: source.name,
    text: decoder.decode(await block(source.block)),
  }));
  const inputs = profiles.map(({ name, side, block: id }): Input => ({ name, side, read: () => block(id) }));
  return open_inputs(inputs, await Promise.all(sources));
}

export function input_of(file: File, side: Side): Input {
  return {
    name: file.name,
    side,
    async read() {
      const bytes = new Uint8Array(await file.arrayBuffer());
      return bytes[0] === 0x1f && bytes[1] === 0x8b ? inflate(bytes) : bytes;
    },
  };
}
