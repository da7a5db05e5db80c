// This page with its profile in it, as one file that needs nothing else.

import { manifest_id, page_with_blocks } from '../blocks';
import type { Input } from '../opening';

const block_type = 'application/octet-stream;base64';

async function packed(data: Blob): Promise<string> {
  const begin = new Uint8Array(await data.slice(0, 2).arrayBuffer());
  const is_packed = begin[0] === 0x1f && begin[1] === 0x8b;
  const stream = is_packed ? data : data.stream().pipeThrough(new CompressionStream('gzip'));
  const bytes = await new Response(stream).blob();
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

export async function page_of(inputs: Input[]): Promise<string> {
  const profiles = inputs.map(({ name, side }, at) => ({ name, side, block: `p${at}` }));
  const blocks = [`<script type="application/json" id="${manifest_id}">${script_json({ profiles })}</script>`];
  for (const [at, input] of inputs.entries())
    blocks.push(`<script type="${block_type}" id="p${at}">${await packed(await input.data())}</script>`);
  return page_with_blocks(blocks.join('\n'));
}
