// Open files and folders by the command's numbers, on those of Node.js.

import * as fs from 'node:fs';
import { isatty, type WriteStream } from 'node:tty';

export interface OpenFile {
  readonly host: number;
  readonly isOwn: boolean; // closed with its number
  readonly path?: string;
  position: number | null; // none: that of the system
}

export interface OpenFolder {
  readonly path: string;
  readonly names: readonly string[];
  next: number;
}

const standard = (host: number): OpenFile => ({ host, isOwn: false, position: null });

export class Files {
  private readonly open = new Map<number, OpenFile | OpenFolder>([
    [0, standard(0)],
    [1, standard(1)],
    [2, standard(2)],
  ]);

  add(one: OpenFile | OpenFolder): number {
    let number = 3;
    while (this.open.has(number)) ++number;
    this.open.set(number, one);
    return number;
  }

  file(number: number): OpenFile {
    const one = this.open.get(number);
    if (one === undefined || 'names' in one) throw new SystemError('EBADF');
    return one;
  }

  folder(number: number): OpenFolder {
    const one = this.open.get(number);
    if (one === undefined || !('names' in one)) throw new SystemError('ENOTDIR');
    return one;
  }

  /** Of a folder nothing: the system writes its names when it will. */
  sync(number: number): void {
    const one = this.open.get(number);
    if (one === undefined) throw new SystemError('EBADF');
    if ('host' in one) fs.fsyncSync(one.host);
  }

  close(number: number): void {
    const one = this.open.get(number);
    if (one === undefined) throw new SystemError('EBADF');
    this.open.delete(number);
    if ('host' in one && one.isOwn) fs.closeSync(one.host);
  }
}

/** As Node.js throws it. */
export class SystemError extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

const codeOf = (reason: unknown): string => (reason as { code?: string }).code ?? '';

/** A pipe or terminal that others made non-blocking has nothing at the moment. */
function waiting<T>(action: () => T): T {
  for (;;) {
    try {
      return action();
    } catch (reason) {
      if (codeOf(reason) !== 'EAGAIN') throw reason;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

export function read(file: OpenFile, into: Uint8Array): number {
  let count = 0;
  try {
    count = waiting(() => fs.readSync(file.host, into, 0, into.length, file.position));
  } catch (reason) {
    if (codeOf(reason) !== 'EOF') throw reason; // the end of a pipe on Windows
  }
  if (file.position !== null) file.position += count;
  return count;
}

export function terminalOf(host: number): WriteStream | undefined {
  if (!isatty(host)) return undefined;
  const stream = host === 2 ? process.stderr : process.stdout;
  return stream.isTTY ? stream : undefined;
}

/** On a console of Windows bytes are characters of its code page: there Node.js writes them as text. */
export function write(file: OpenFile, bytes: Uint8Array, isWindows: boolean): number {
  const terminal = isWindows && file.host <= 2 ? terminalOf(file.host) : undefined;
  if (terminal !== undefined) {
    terminal.write(bytes.slice());
    return bytes.length;
  }
  const count = waiting(() => fs.writeSync(file.host, bytes, 0, bytes.length, file.position));
  if (file.position !== null) file.position += count;
  return count;
}
