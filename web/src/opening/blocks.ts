// What is in the page besides its own code: the manifest, and blocks of data: base64 of gzip (the engine: of Zstandard).

import type { ImportNotes } from '../package/importer';
import type { Facts, Problem } from '../protocol/protocol';

// What only the files tell that a profile was read from: what is in the block is written anew.
export type Origin = Pick<Facts, 'files' | 'diagnostics'>;

// What a page that was shared shows first.
export interface Shared {
  at: string; // the fragment of its address
  note?: string;
}

export interface Manifest {
  shared?: Shared;
  server?: boolean;
  history?: 'first' | 'beside'; // there is a store, beside a profile or alone
  profiles?: ({
    name: string;
    side: 'after' | 'before';
    block: string;
    stacks?: string;
    code?: string;
    inlined?: string;
    imported?: ImportNotes;
  } & Partial<Origin>)[];
  inlined_problem?: Problem;
  sources?: { name: string; path?: string; is_newer?: boolean; is_guess?: boolean; block: string }[];
}

export const manifestId = 'callcost-manifest';
export const engineId = 'engine';
export const importerId = 'importer'; // not in reports, which are about one profile

export function readManifest(): Manifest {
  const text = document.getElementById(manifestId)?.textContent;
  return text ? (JSON.parse(text) as Manifest) : {};
}

export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> {
  const native = (Uint8Array as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> }).fromBase64;
  if (native) return native(text);
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < characters.length; i++) bytes[i] = characters.charCodeAt(i);
  return bytes;
}

export function hasBlock(id: string): boolean {
  return document.getElementById(id) !== null;
}

// Packed, as it stands in the page.
export function blockPacked(id: string): Uint8Array<ArrayBuffer> {
  const text = document.getElementById(id)?.textContent;
  if (!text) throw new Error(`This page is damaged: its block "${id}" is missing.`);
  return bytesOfBase64(text.trim());
}

export function blockData(id: string): Blob {
  return new Blob([blockPacked(id)]);
}

export async function blockBytes(id: string): Promise<Uint8Array<ArrayBuffer>> {
  const stream = blockData(id).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export async function isGzip(data: Blob): Promise<boolean> {
  const begin = new Uint8Array(await data.slice(0, 2).arrayBuffer());
  return begin[0] === 0x1f && begin[1] === 0x8b;
}

export function gzip(data: Blob): Promise<Blob> {
  return new Response(data.stream().pipeThrough(new CompressionStream('gzip'))).blob();
}

// The page as it was before it ran, with other blocks of data but the same engine.
export function pageWithBlocks(blocks: string): string {
  const page = document.documentElement.cloneNode(true) as HTMLElement;
  for (const one of page.querySelectorAll('script:not([type="module"])')) if (one.id !== engineId) one.remove();
  page.removeAttribute('data-theme');
  page.querySelector('#page')!.replaceChildren();
  for (const one of page.querySelectorAll('body > :not(#page):not(noscript):not(script)')) one.remove();
  page.querySelector('title')!.textContent = 'callcost';
  const html = page.outerHTML;
  const end = html.lastIndexOf('</body>'); // the scripts may say so, too
  return `<!doctype html>\n${html.slice(0, end)}${blocks}\n${html.slice(end)}`;
}
