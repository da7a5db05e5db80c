// What is in the page besides its own code: the manifest, and blocks of data: base64 of gzip.

export interface Manifest {
  server?: boolean;
  profiles?: { name: string; side: 'after' | 'before'; block: string }[];
  sources?: { name: string; block: string }[];
  engine?: string; // its block, if it is not called "engine"
}

export function read_manifest(): Manifest {
  const text = document.getElementById('callcost-manifest')?.textContent;
  return text ? (JSON.parse(text) as Manifest) : {};
}

function bytes_of_base64(text: string): Uint8Array<ArrayBuffer> {
  const native = (Uint8Array as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> }).fromBase64;
  if (native) return native(text);
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < characters.length; i++) bytes[i] = characters.charCodeAt(i);
  return bytes;
}

export async function inflate(packed: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Null if there is no such block. The text is let go, so that it is not in memory twice.
export async function read_block(id: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const element = document.getElementById(id);
  if (!element?.textContent) return null;
  const packed = bytes_of_base64(element.textContent.trim());
  return inflate(packed);
}
