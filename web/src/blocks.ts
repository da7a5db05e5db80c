// What is in the page besides its own code: the manifest, and blocks of data: base64 of gzip.

export interface Manifest {
  server?: boolean;
  profiles?: { name: string; side: 'after' | 'before'; block: string }[];
  sources?: { name: string; path?: string; block: string }[];
  engine?: string; // its block, if it is not called "engine"
}

export function read_manifest(): Manifest {
  const text = document.getElementById('callcost-manifest')?.textContent;
  return text ? (JSON.parse(text) as Manifest) : {};
}

export function bytes_of_base64(text: string): Uint8Array<ArrayBuffer> {
  const native = (Uint8Array as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> }).fromBase64;
  if (native) return native(text);
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < characters.length; i++) bytes[i] = characters.charCodeAt(i);
  return bytes;
}

export function has_block(id: string): boolean {
  return document.getElementById(id) !== null;
}

// Packed, as it stands in the page.
export function block_data(id: string): Blob {
  const text = document.getElementById(id)?.textContent;
  if (!text) throw new Error(`This page is damaged: its block "${id}" is missing.`);
  return new Blob([bytes_of_base64(text.trim())]);
}

export async function block_bytes(id: string): Promise<Uint8Array<ArrayBuffer>> {
  const stream = block_data(id).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
