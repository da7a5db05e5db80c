// The bytes of a file as the engine reads them: unpacked, a block at a time. Runs in a worker.

import { BrokenInput, type Read } from './wasm_engine';

export interface Contents {
  size: number; // 0: not known
  read: Read;
}

const block_size = 4 << 20;
const most_unpacked = 2 ** 31; // bytes: they are all in memory

interface Packing {
  magic: number[];
  name: string;
  program?: string; // none: the browser knows how
}
const packings: Packing[] = [
  { magic: [0x1f, 0x8b], name: 'gzip' },
  { magic: [0x28, 0xb5, 0x2f, 0xfd], name: 'Zstandard', program: 'zstd -d' },
  { magic: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], name: 'xz', program: 'xz -dk' },
  { magic: [0x42, 0x5a, 0x68], name: 'bzip2', program: 'bzip2 -dk' },
];

// A packing that the page cannot open.
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
        block = new Uint8Array(reader.readAsArrayBuffer(data.slice(at, at + block_size)));
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

const most_searched = 2 ** 30; // bytes, for the end of a gzip member
const most_members = 50_000;

// Where the first of several gzip members ends, of which so many bytes came: behind their number, which ends it, comes
// the beginning of another. 0: there is none.
async function member_end(data: Blob, unpacked: number): Promise<number> {
  const [size, begin] = [new Uint8Array(4), [0x1f, 0x8b, 0x08]];
  new DataView(size.buffer).setUint32(0, unpacked % 2 ** 32, true);
  const end = [...size, ...begin];
  let step = 1 << 16;
  for (
    let at = 0;
    at < data.size && at < most_searched;
    at += step - end.length, step = Math.min(step * 2, block_size)
  ) {
    const bytes = new Uint8Array(await data.slice(at, at + step).arrayBuffer());
    for (let i = bytes.indexOf(end[0]!); i >= 0; i = bytes.indexOf(end[0]!, i + 1))
      if (end.every((byte, k) => bytes[i + k] === byte)) return at + i + size.length;
  }
  return 0;
}

// What comes out of a stream cannot be waited for while the engine reads, so it is all there before.
async function unpacked(data: Blob): Promise<Contents> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let broken: BrokenInput | undefined;
  let size = 0;
  for (let rest = data, members = 1; rest.size > 0 && !broken; members++) {
    const before = size;
    try {
      const reader = rest.stream().pipeThrough(new DecompressionStream('gzip')).getReader();
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        pieces.push(next.value);
        size += next.value.length;
        if (size > most_unpacked)
          throw new CannotUnpack('the file is larger than 2 GB when it is unpacked', "'callcost view FILE' shows it");
      }
      rest = new Blob();
    } catch (reason) {
      if (reason instanceof CannotUnpack) throw reason;
      // A browser does not go on behind the first member.
      const end = members < most_members ? await member_end(rest, size - before) : 0;
      if (end === 0) broken = new BrokenInput('compression', String(reason));
      rest = rest.slice(end);
    }
  }
  pieces.reverse();
  function read(to: Uint8Array<ArrayBuffer>): number {
    const piece = pieces.pop();
    if (!piece) {
      if (broken) throw broken;
      return 0;
    }
    const part = piece.subarray(0, to.length);
    to.set(part);
    if (part.length < piece.length) pieces.push(piece.subarray(part.length));
    return part.length;
  }
  return { size, read };
}

export async function contents_of(data: Blob): Promise<Contents> {
  const begin = new Uint8Array(await data.slice(0, 6).arrayBuffer());
  const packing = packings.find(({ magic }) => magic.every((byte, i) => begin[i] === byte));
  if (packing?.program)
    throw new CannotUnpack(
      `the file is packed by ${packing.name}, which a browser cannot unpack`,
      `'${packing.program} FILE' unpacks it; 'callcost view FILE' shows it as it is`,
    );
  return packing ? unpacked(data) : stored(data);
}
