// This page with its profile in it, as one file that needs nothing else.

import { gzip, is_gzip, type Manifest, manifest_id, page_with_blocks } from '../blocks';
import type { Engine } from '../engine/engine';
import type { Input } from '../opening';

const block_type = 'application/octet-stream;base64';

async function packed(data: Blob): Promise<string> {
  const bytes = (await is_gzip(data)) ? data : await gzip(data);
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve((reader.result as string).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(bytes);
  });
}

// In JSON that stands in a script element, nothing may look like markup.
function script_json(value: unknown): string {
  return JSON.stringify(value).replace(/</g, '\\u003c');
}

const most_characters = 32_000_000; // of source text

interface Sources {
  files: NonNullable<Manifest['sources']>;
  texts: string[]; // of the same rows
  left_out: number; // for their size
}

// The files that the engine finds, costliest first.
async function sources_of(engine: Engine, compare: boolean): Promise<Sources> {
  const found: Sources = { files: [], texts: [], left_out: 0 };
  let room = most_characters;
  const { rows } = await engine.ask({ ask: 'files', limit: 5000, compare });
  for (const { id } of rows) {
    const { file, path, text, is_newer, is_guess } = await engine.ask({ ask: 'source', file: id, compare });
    if (text === null) continue;
    room -= text.length;
    if (room < 0) {
      found.left_out++; // and all cheaper ones
      continue;
    }
    found.files.push({ name: file.name, path, is_newer, is_guess, block: `s${found.texts.length}` });
    found.texts.push(text);
  }
  return found;
}

export interface SavedPage {
  html: string;
  left_out: number; // source files
}

export async function page_of(engine: Engine, inputs: Input[], with_sources: boolean): Promise<SavedPage> {
  const compare = inputs.some(input => input.side === 'before');
  const sources = with_sources ? await sources_of(engine, compare) : { files: [], texts: [], left_out: 0 };
  const profiles = inputs.map(({ name, side, origin }, at) => ({ name, side, block: `p${at}`, ...origin }));
  const manifest: Manifest = { profiles, sources: sources.files };
  const blocks = [`<script type="application/json" id="${manifest_id}">${script_json(manifest)}</script>`];
  const add = async (id: string, data: Blob) => {
    blocks.push(`<script type="${block_type}" id="${id}">${await packed(data)}</script>`);
  };
  for (const [at, input] of inputs.entries()) await add(`p${at}`, await input.data());
  for (const [at, text] of sources.texts.entries()) await add(`s${at}`, new Blob([text]));
  return { html: page_with_blocks(blocks.join('\n')), left_out: sources.left_out };
}
