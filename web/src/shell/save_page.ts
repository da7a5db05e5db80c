// This page with its profile in it, as one file that needs nothing else.

import type { Engine } from '../engine/engine';
import { gzip, isGzip, type Manifest, manifestId, pageWithBlocks, type Shared } from '../opening/blocks';
import type { Input } from '../opening/opening';

const blockType = 'application/octet-stream;base64';

async function packed(data: Blob): Promise<string> {
  const bytes = (await isGzip(data)) ? data : await gzip(data);
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve((reader.result as string).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(bytes);
  });
}

// In JSON that stands in a script element, nothing may look like markup.
function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(/</g, '\\u003c');
}

const mostCharacters = 32_000_000; // of source text

interface Sources {
  files: NonNullable<Manifest['sources']>;
  texts: string[]; // of the same rows
  leftOut: number; // for their size
}

// The files that the engine finds, most expensive first.
async function sourcesOf(engine: Engine, compare: boolean): Promise<Sources> {
  const found: Sources = { files: [], texts: [], leftOut: 0 };
  let room = mostCharacters;
  const { rows } = await engine.ask({ ask: 'files', limit: 5000, compare });
  for (const { id } of rows) {
    const { file, path, text, ...marks } = await engine.ask({ ask: 'source', file: id, compare });
    if (text === null) continue;
    room -= text.length;
    if (room < 0) {
      found.leftOut++; // and all cheaper ones
      continue;
    }
    found.files.push({
      name: file.name,
      path,
      is_newer: marks.is_newer,
      is_guess: marks.is_guess,
      block: `s${found.texts.length}`,
    });
    found.texts.push(text);
  }
  return found;
}

export interface SavedPage {
  html: string;
  leftOut: number; // source files
}

// What goes into it besides the profile.
export interface Wanted {
  sources: boolean;
  code: boolean; // machine code
  shared: Shared;
}

export async function pageOf(engine: Engine, inputs: Input[], wanted: Wanted): Promise<SavedPage> {
  const compare = inputs.some(input => input.side === 'before');
  const sources = wanted.sources ? await sourcesOf(engine, compare) : { files: [], texts: [], leftOut: 0 };
  const codes = await Promise.all(
    inputs.map(input => (wanted.code ? input.code?.().catch(() => undefined) : undefined)),
  );
  const profiles = inputs.map(({ name, side, origin, imported, stacks, inlined }, at) => ({
    name,
    side,
    block: `p${at}`,
    ...(stacks && { stacks: `k${at}` }),
    ...(codes[at] && { code: `c${at}` }),
    ...(inlined && { inlined: `i${at}` }),
    ...(imported && { imported }),
    ...origin,
  }));
  const manifest: Manifest = { profiles, sources: sources.files, shared: wanted.shared };
  const blocks = [`<script type="application/json" id="${manifestId}">${scriptJson(manifest)}</script>`];
  const add = async (id: string, data: Blob) => {
    blocks.push(`<script type="${blockType}" id="${id}">${await packed(data)}</script>`);
  };
  for (const [at, input] of inputs.entries()) {
    await add(`p${at}`, await input.data());
    if (input.stacks) await add(`k${at}`, new Blob([await input.stacks()]));
    if (codes[at]) await add(`c${at}`, new Blob([codes[at]]));
    if (input.inlined) await add(`i${at}`, new Blob([await input.inlined()]));
  }
  for (const [at, text] of sources.texts.entries()) await add(`s${at}`, new Blob([text]));
  return { html: pageWithBlocks(blocks.join('\n')), leftOut: sources.leftOut };
}
