// Opens profiles from the page itself, a server, or files of the user.

import { createEngine, type Engine } from '../engine/engine';
import { entryOf, httpTransport } from '../engine/http';
import { inWorker } from '../engine/wasm';
import type { Imported, ImportNotes } from '../package/importer';
import type { OpenProgress } from '../package/transport';
import type { Side, SourceFile } from '../package/wasm_engine';
import type { ExportFormat, Facts, ProfileAnswer } from '../protocol/protocol';
import {
  blockBytes,
  blockData,
  blockPacked,
  bytesOfBase64,
  engineId,
  hasBlock,
  importerId,
  type Origin,
  readManifest,
  type Shared,
} from './blocks';

export interface Input {
  name: string;
  side: Side;
  origin?: Origin; // else it is an origin itself
  imported?: ImportNotes; // it was in another format
  data(): Blob | Promise<Blob>;
  stacks?(): Promise<Uint8Array<ArrayBuffer>>; // recorded beside it
  code?(): Promise<Uint8Array<ArrayBuffer>>; // machine code of its functions
  inlined?(): Promise<Uint8Array<ArrayBuffer>>; // which of it is inlined code
  sources?(): Promise<SourceFile[]>; // that belong to it
}

export interface Opened {
  engine: Engine;
  kind: 'server' | 'page';
  profile: ProfileAnswer;
  inputs: Input[]; // to open them again, with others
  imported?: ImportNotes[]; // what the profile was, in other formats
  hasStore?: boolean; // of profiles, that this one is in or beside
  shared?: Shared; // the page was saved so
}

export const manifest = readManifest();

// Whether the page's address is that of the store, not of a profile in it or beside it.
export function showsStore(): boolean {
  const { history } = manifest;
  if (!history || entryOf(location.href)) return false;
  return history === 'first' || new URLSearchParams(location.search).has('history');
}

export function serverEngine(): Engine {
  return createEngine(httpTransport(location.href));
}

export function hasEngine(): boolean {
  return hasBlock(engineId);
}

async function opened(engine: Engine, kind: Opened['kind'], inputs: Input[]): Promise<Opened> {
  return { engine, kind, profile: await engine.ask({ ask: 'profile' }), inputs };
}

export async function openInputs(inputs: Input[], progress: OpenProgress): Promise<Opened> {
  if (!hasEngine()) throw new Error('This page was built without an engine. Open profiles with: callcost view FILE');
  const transport = inWorker(blockPacked(engineId), async () =>
    hasBlock(importerId) ? blockPacked(importerId) : null,
  );
  try {
    const files = inputs.map(async ({ name, side, data, stacks, code, inlined }) => ({
      name,
      side,
      data: await data(),
      ...(stacks && { stacks: await stacks() }),
      ...(code && !manifest.server && { code: await code() }), // a server takes long for it
      ...(inlined && { inlined: await inlined() }),
    }));
    const sources = [...new Set(inputs.map(input => input.sources))].map(find => find?.() ?? []);
    const imported = await transport.open(await Promise.all(files), (await Promise.all(sources)).flat(), progress);
    const read = inputs.map((input, at) => (imported[at] ? { ...input, ...asInput(imported[at]) } : input));
    const now = await opened(createEngine(transport), 'page', read);
    for (const { side, origin } of read) {
      const facts = side === 'after' ? now.profile : now.profile.before;
      if (facts && origin) Object.assign(facts, origin);
    }
    now.imported = read.flatMap(({ side, imported }) => (imported && side === 'after' ? [imported] : []));
    return now;
  } catch (reason) {
    transport.close();
    throw reason;
  }
}

// What is opened and saved from now on.
const asInput = ({ notes, data, stacks }: Imported): Partial<Input> => ({
  imported: notes,
  data: () => data,
  ...(stacks && { stacks: async () => stacks }),
});

// A profile that a server has, as a file: to compare another one with it in the page, or to save it.
function exported(engine: Engine, { title, files, diagnostics, has }: Facts, side: Side): Input {
  const ofBefore = side === 'before';
  const bytes = async (format: ExportFormat) => {
    const { base64 } = await engine.ask({ ask: 'export', format, of_before: ofBefore, compare: ofBefore });
    return bytesOfBase64(base64);
  };
  return {
    name: files[0]?.name ?? title,
    side,
    origin: { files, diagnostics },
    data: async () => new Blob([await bytes('callgrind')]),
    ...(has.stacks && { stacks: () => bytes('stacks') }),
    ...(has.machine_code && { code: () => bytes('code') }), // rejects if there is none
    ...(has.inlined && { inlined: () => bytes('inlined') }),
  };
}

async function ownSources(): Promise<SourceFile[]> {
  const files = (manifest.sources ?? []).map(async ({ block, name, path, is_newer: isNewer, is_guess: isGuess }) => ({
    name,
    path: path ?? name,
    isNewer,
    isGuess,
    text: await blockBytes(block),
  }));
  return Promise.all(files);
}

const pause = (milliseconds: number) => new Promise<boolean>(resolve => setTimeout(resolve, milliseconds, false));

// The server answers when it has read the profile; until then it tells how far it is.
async function openServed(progress: OpenProgress): Promise<Opened> {
  const engine = serverEngine();
  const asked = opened(engine, 'server', []);
  const isThere = asked.then(
    () => true,
    () => true,
  );
  while (!(await Promise.race([isThere, pause(150)]))) {
    const status = await engine.ask({ ask: 'status' }).catch(() => undefined);
    const { reading, live } = status ?? {};
    if (reading) progress(reading.file, reading.bytes, reading.bytes_total ?? 0);
    else if (live) progress(`the first part of ${live.program}`, 0, 0);
  }
  const server = await asked;
  const { before } = server.profile;
  const inputs = [exported(engine, server.profile, 'after')];
  if (before && !before.problem) inputs.push(exported(engine, before, 'before'));
  return { ...server, inputs, hasStore: manifest.history !== undefined };
}

// What belongs to the page itself; null: nothing.
export async function openOwn(progress: OpenProgress): Promise<Opened | null> {
  if (manifest.server) return openServed(progress);
  const profiles = manifest.profiles ?? [];
  if (profiles.length === 0) return null;
  const inputs = profiles.map(({ name, side, block, stacks, code, inlined, imported, files, diagnostics }): Input => {
    const origin = files && diagnostics && { files, diagnostics };
    return {
      name,
      side,
      ...(origin && { origin }),
      ...(imported && { imported }),
      data: () => blockData(block),
      ...(stacks && { stacks: () => blockBytes(stacks) }),
      ...(code && { code: () => blockBytes(code) }),
      ...(inlined && { inlined: () => blockBytes(inlined) }),
      sources: ownSources,
    };
  });
  const own = await openInputs(inputs, progress);
  if (manifest.shared) own.shared = manifest.shared;
  if (manifest.inlined_problem) own.profile.inlined_problem = manifest.inlined_problem;
  return own;
}

export function inputOf(file: File, side: Side): Input {
  return { name: file.name, side, data: () => file };
}
