// The bytes of a file as the engine reads them: decompressed, a block at a time. Runs in a worker, of a page or of Node.js.

import { Decompress } from 'fzstd';
import { BrokenInput, type Read } from './wasm_engine';

export interface Contents {
  size: number; // 0: unknown
  read: Read;
}

const blockSize = 4 << 20;
const usualRoom = 2 ** 31; // bytes, all in memory

interface Packing {
  magic: number[];
  name: string;
  unpack?(data: Blob, room: number): Promise<Inflated>;
  program: string;
}
const packings: Packing[] = [
  { magic: [0x1f, 0x8b], name: 'gzip', unpack: members, program: 'gzip -dk' },
  { magic: [0x28, 0xb5, 0x2f, 0xfd], name: 'Zstandard', unpack: frames, program: 'zstd -d' },
  { magic: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], name: 'xz', program: 'xz -dk' },
  { magic: [0x42, 0x5a, 0x68], name: 'bzip2', program: 'bzip2 -dk' },
];

// A compression that the page does not support.
export class CannotUnpack extends Error {
  constructor(
    message: string,
    readonly hint: string,
  ) {
    super(message);
  }
}

// A file of any size, of which only a block is in memory.
function stored(data: Blob): Contents {
  const reader = new FileReaderSync();
  let at = 0;
  let block = new Uint8Array(0);
  function read(to: Uint8Array<ArrayBuffer>): number {
    if (block.length === 0) {
      try {
        block = new Uint8Array(reader.readAsArrayBuffer(data.slice(at, at + blockSize)));
      } catch (reason) {
        throw new BrokenInput('reading', String(reason));
      }
      at += block.length;
    }
    const piece = block.subarray(0, to.length);
    to.set(piece);
    block = block.subarray(piece.length);
    return piece.length;
  }
  return { size: data.size, read };
}

const tooLarge = () => new CannotUnpack('the decompressed file is too large', 'use the callcost command');

interface Inflated {
  pieces: Uint8Array<ArrayBuffer>[];
  problem?: string; // it breaks off, or something is behind it
}

async function inflated(data: Blob, room: number): Promise<Inflated> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  try {
    const reader = data.stream().pipeThrough(new DecompressionStream('gzip')).getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      pieces.push(next.value);
      size += next.value.length;
      if (size > room) throw tooLarge();
    }
  } catch (reason) {
    if (reason instanceof CannotUnpack) throw reason;
    return { pieces, problem: String(reason) };
  }
  return { pieces };
}

const leastMember = 20; // bytes

// Where the next gzip member may begin; the size of the data if there is none.
async function nextMember(data: Blob, from: number): Promise<number> {
  const step = 1 << 18;
  for (let at = from; at < data.size; at += step - 3) {
    const bytes = new Uint8Array(await data.slice(at, at + step).arrayBuffer());
    for (let i = bytes.indexOf(0x1f); i >= 0; i = bytes.indexOf(0x1f, i + 1))
      if (bytes[i + 1] === 0x8b && bytes[i + 2] === 0x08 && (bytes[i + 3] ?? 0xff) < 0x20) return at + i;
  }
  return data.size;
}

// All members of a gzip file. A browser stops behind the first one, and does not say where that ends: it is where what
// comes before the beginning of another is a whole one.
async function members(data: Blob, room: number): Promise<Inflated> {
  const whole = await inflated(data, room);
  if (!whole.problem) return whole;
  whole.pieces.length = 0; // that is memory, and most of it comes again
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let left = room;
  let tries = 50_000;
  let misses = 200; // in what is packed, something looks like a beginning every 100 MB or so
  let begin = 0;
  for (let end = 0; begin < data.size; ) {
    end = await nextMember(data, Math.max(end + 1, begin + leastMember));
    const last = end === data.size || tries-- === 0;
    const member = await inflated(data.slice(begin, last ? data.size : end), left);
    if (member.problem && !last) {
      if (misses-- === 0) return { pieces, problem: whole.problem };
      continue;
    }
    pieces.push(...member.pieces);
    left -= member.pieces.reduce((sum, piece) => sum + piece.length, 0);
    if (last) return { pieces, problem: member.problem };
    begin = end;
  }
  return { pieces };
}

// All frames of a Zstandard file.
async function frames(data: Blob, room: number): Promise<Inflated> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let left = room;
  const stream = new Decompress(piece => {
    left -= piece.length;
    if (left < 0) throw tooLarge();
    if (piece.length > 0) pieces.push(piece as Uint8Array<ArrayBuffer>);
  });
  try {
    for (let at = 0; at < data.size; at += blockSize)
      stream.push(new Uint8Array(await data.slice(at, at + blockSize).arrayBuffer()), at + blockSize >= data.size);
  } catch (reason) {
    if (reason instanceof CannotUnpack) throw reason;
    return { pieces, problem: String(reason) };
  }
  return { pieces };
}

// What comes out of a stream cannot be waited for while the engine reads, so it is all there before.
function contentsOfPieces({ pieces, problem }: Inflated): Contents {
  const size = pieces.reduce((sum, piece) => sum + piece.length, 0);
  pieces.reverse();
  function read(to: Uint8Array<ArrayBuffer>): number {
    const piece = pieces.pop();
    if (!piece) {
      if (problem) throw new BrokenInput('compression', problem);
      return 0;
    }
    const part = piece.subarray(0, to.length);
    to.set(part);
    if (part.length < piece.length) pieces.push(piece.subarray(part.length));
    return part.length;
  }
  return { size, read };
}

// `room`: bytes that it may have after decompression.
export async function contentsOf(data: Blob, room = usualRoom): Promise<Contents> {
  const begin = new Uint8Array(await data.slice(0, 6).arrayBuffer());
  const packing = packings.find(({ magic }) => magic.every((byte, i) => begin[i] === byte));
  if (!packing && 'FileReaderSync' in globalThis) return stored(data);
  if (!packing) return contentsOfPieces({ pieces: [new Uint8Array(await data.arrayBuffer())] });
  if (packing.unpack) return contentsOfPieces(await packing.unpack(data, room));
  throw new CannotUnpack(
    `the file is compressed with ${packing.name}, which needs another program`,
    `decompress it with '${packing.program} FILE', or use the callcost command`,
  );
}
