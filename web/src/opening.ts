// From what is in the page, what a server has, or what the reader gives, to an engine with a profile in it.

import { block_bytes, block_data, bytes_of_base64, engine_id, has_block, read_manifest } from './blocks';
import { create_engine, type Engine } from './engine/engine';
import { http_transport } from './engine/http';
import type { ProfileAnswer } from './engine/protocol';
import type { Side } from './engine/wasm_engine';
import type { SourceFile } from './engine/wasm_worker';
import { type OpenProgress, worker_transport } from './engine/worker';

export interface Input {
  name: string;
  side: Side;
  data(): Blob | Promise<Blob>;
}

export interface Opened {
  engine: Engine;
  kind: 'server' | 'page';
  profile: ProfileAnswer;
  inputs: Input[]; // to open them again, with others
}

export const manifest = read_manifest();

let compiled: Promise<WebAssembly.Module> | undefined;

function engine_module(): Promise<WebAssembly.Module> {
  compiled ??= block_bytes(engine_id).then(bytes => WebAssembly.compile(bytes));
  return compiled;
}

export function has_engine(): boolean {
  return has_block(engine_id);
}

async function opened(engine: Engine, kind: Opened['kind'], inputs: Input[]): Promise<Opened> {
  return { engine, kind, profile: await engine.ask({ ask: 'profile' }), inputs };
}

export async function open_inputs(
  inputs: Input[],
  progress: OpenProgress,
  sources: SourceFile[] = [],
): Promise<Opened> {
  if (!has_engine()) throw new Error('This page was built without an engine. Open profiles with: callcost view FILE');
  const transport = worker_transport(await engine_module());
  try {
    const files = inputs.map(async ({ name, side, data }) => ({ name, side, data: await data() }));
    await transport.open(await Promise.all(files), sources, progress);
    return await opened(create_engine(transport), 'page', inputs);
  } catch (reason) {
    transport.close();
    throw reason;
  }
}

// The profile that a server has, as a file: to compare another one with it in the page.
function exported(engine: Engine, name: string): Input {
  return {
    name,
    side: 'after',
    async data() {
      const { base64 } = await engine.ask({ ask: 'export', format: 'callgrind' });
      return new Blob([bytes_of_base64(base64)]);
    },
  };
}

async function own_source({ name, path, block }: { name: string; path?: string; block: string }): Promise<SourceFile> {
  return { name, path: path ?? name, text: await block_bytes(block) };
}

// What belongs to the page itself; null: nothing.
export async function open_own(progress: OpenProgress): Promise<Opened | null> {
  if (manifest.server) {
    const engine = create_engine(http_transport(location.href));
    const server = await opened(engine, 'server', []);
    return { ...server, inputs: [exported(engine, server.profile.files[0]?.name ?? server.profile.title)] };
  }
  const profiles = manifest.profiles ?? [];
  if (profiles.length === 0) return null;
  const sources = await Promise.all((manifest.sources ?? []).map(own_source));
  const inputs = profiles.map(({ name, side, block }): Input => ({ name, side, data: () => block_data(block) }));
  return open_inputs(inputs, progress, sources);
}

export function input_of(file: File, side: Side): Input {
  return { name: file.name, side, data: () => file };
}
