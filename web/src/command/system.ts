// What the command asks of the system, on Node.js: the system calls of Linux as emscripten's C library makes them, with
// WASI's numbers of errors, and a few functions of WASI itself. An asynchronous one could not answer it.

import * as fs from 'node:fs';
import { type BigIntStats, constants } from 'node:fs';
import { Files, read, SystemError, terminalOf, write } from './files';
import type { Memory } from './memory';
import { openPage } from './open_page';
import { hostPath, rootedPath, windowsLink } from './paths';

/** The command has ended; for when the process must not end yet. */
export class Exit extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`exit status ${status}`);
    this.status = status;
  }
}

const errors = {
  EACCES: 2,
  EAGAIN: 6,
  EBADF: 8,
  EBUSY: 10,
  EEXIST: 20,
  EFBIG: 22,
  EINTR: 27,
  EINVAL: 28,
  EIO: 29,
  EISDIR: 31,
  ELOOP: 32,
  EMFILE: 33,
  EMLINK: 34,
  ENAMETOOLONG: 37,
  ENFILE: 41,
  ENODEV: 43,
  ENOENT: 44,
  ENOMEM: 48,
  ENOSPC: 51,
  ENOSYS: 52,
  ENOTDIR: 54,
  ENOTEMPTY: 55,
  ENOTSUP: 58,
  ENOTTY: 59,
  ENXIO: 60,
  EPERM: 63,
  EPIPE: 64,
  ERANGE: 68,
  EROFS: 69,
  ESPIPE: 70,
  EXDEV: 75,
}; // prettier-ignore

const errorOf = (reason: unknown): number => {
  const code = (reason as { code?: unknown }).code;
  if (typeof code !== 'string') throw reason; // a fault of ours
  return (errors as Readonly<Record<string, number>>)[code] ?? errors.EIO;
};

/** Linux's numbers, as in fcntl.h and sys/ioctl.h. */
const linux = {
  write: 1,
  readWrite: 2,
  create: 0o100,
  exclusive: 0o200,
  truncate: 0o1000,
  append: 0o2000,
  noWait: 0o4000,
  folder: 0o200000,
  unnamed: 0o20200000,
  noLink: 0x100,
  removeFolder: 0x200,
  here: -100,
  duplicate: 0,
  duplicateAndClose: 1030,
  getFlags: 3,
  pipe: 0o010000,
  windowSize: 0x5413,
}; // prettier-ignore

function openFlags(flags: number): number {
  let result = [constants.O_RDONLY, constants.O_WRONLY, constants.O_RDWR][flags & 3] ?? constants.O_RDONLY;
  if (flags & linux.create) result |= constants.O_CREAT;
  if (flags & linux.exclusive) result |= constants.O_EXCL;
  if (flags & linux.truncate) result |= constants.O_TRUNC;
  if (flags & linux.append) result |= constants.O_APPEND;
  if (flags & linux.noWait) result |= constants.O_NONBLOCK ?? 0; // none on Windows
  return result;
}

export interface Start {
  readonly memory: Memory;
  readonly words: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly isWindows: boolean;
}

/** Whatever is no number is 0. */
type Call = (...numbers: number[]) => unknown;

/** What WebAssembly imports, by module. */
export function system({ memory, words, environment, isWindows }: Start): WebAssembly.Imports {
  const files = new Files();
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value ?? ''}`);

  const pathAt = (address: number): string => hostPath(memory.text(address), isWindows);
  /** Folders are not opened to name what is in them, but by our own iteration. */
  const pathIn = (folder: number, address: number): string => {
    const path = pathAt(address);
    if (folder === linux.here || path.startsWith('/') || /^[A-Za-z]:/.test(path)) return path;
    return `${files.folder(folder).path}/${path}`;
  };

  const open = (path: string, flags: number, mode: number): number => {
    if ((flags & linux.unnamed) === linux.unnamed) throw new SystemError('ENOTSUP');
    if (flags & linux.folder) return files.add({ path, names: ['.', '..', ...fs.readdirSync(path)], next: 0 });
    const host = fs.openSync(path, openFlags(flags), mode);
    return files.add({
      host,
      path,
      isOwn: true,
      position: fs.fstatSync(host).isFile() && !(flags & linux.append) ? 0 : null,
    });
  };

  const writeStatus = (facts: BigIntStats, place: number): void => {
    const address = place >>> 0; // WebAssembly's numbers have a sign
    const to = memory.view();
    to.setUint32(address, Number(facts.dev & 0xffffffffn), true);
    to.setUint32(address + 12, Number(facts.mode), true);
    to.setUint32(address + 16, Number(facts.nlink), true);
    to.setUint32(address + 20, Number(facts.uid), true);
    to.setUint32(address + 24, Number(facts.gid), true);
    to.setUint32(address + 28, Number(facts.rdev & 0xffffffffn), true);
    to.setBigInt64(address + 40, facts.size, true);
    to.setInt32(address + 48, 4096, true);
    to.setInt32(address + 52, Number((facts.size + 511n) / 512n), true);
    for (const [index, time] of [facts.atimeNs, facts.mtimeNs, facts.ctimeNs].entries()) {
      to.setInt32(address + 56 + 8 * index, Number(time / 1_000_000_000n), true);
      to.setInt32(address + 60 + 8 * index, Number(time % 1_000_000_000n), true);
    }
    to.setBigUint64(address + 80, BigInt.asUintN(64, facts.ino), true);
  };

  const listFolder = (number: number, place: number, size: number): number => {
    const address = place >>> 0;
    const folder = files.folder(number);
    const to = memory.view();
    let at = 0;
    while (folder.next < folder.names.length) {
      const name = folder.names[folder.next] ?? '';
      const entrySize = (19 + memory.sizeOf([name]) + 7) & ~7; // Windows has names of more than 255 bytes
      if (at + entrySize > size) break;
      to.setBigUint64(address + at, BigInt(folder.next + 1), true); // any number but 0
      to.setBigInt64(address + at + 8, BigInt(++folder.next), true);
      to.setUint16(address + at + 16, entrySize, true);
      to.setUint8(address + at + 18, 0); // of a kind that is not known
      memory.writeText(address + at + 19, Infinity, name);
      at += entrySize;
    }
    return at;
  };

  const calls: Record<string, Call> = {
    open: (path, flags, more) => open(pathAt(path!), flags!, more ? memory.view().getUint32(more, true) : 0),
    openat: (folder, path, flags, more) =>
      open(pathIn(folder!, path!), flags!, more ? memory.view().getUint32(more, true) : 0),
    stat64: (path, to) => writeStatus(fs.statSync(pathAt(path!), { bigint: true }), to!),
    lstat64: (path, to) => writeStatus(fs.lstatSync(pathAt(path!), { bigint: true }), to!),
    fstatat64: (folder, path, to, flags) => {
      const name = pathIn(folder!, path!);
      const facts = flags! & linux.noLink ? fs.lstatSync(name, { bigint: true }) : fs.statSync(name, { bigint: true });
      writeStatus(facts, to!);
    },
    fstat64: (file, to) => {
      const { host, isOwn } = files.file(file!);
      try {
        writeStatus(fs.fstatSync(host, { bigint: true }), to!);
      } catch (reason) {
        if (!isWindows || isOwn) throw reason;
        memory.bytes(to!, 88).fill(0); // a standard stream that Windows knows nothing about is like a pipe
        memory.view().setUint32(to! + 12, linux.pipe, true);
      }
    },
    fstatfs64: (file, _size, to) => {
      const { path } = files.file(file!);
      memory.view().setUint32(to!, path === undefined ? 0 : fs.statfsSync(path).type, true); // nothing else is asked for
    },
    getdents64: (folder, to, size) => listFolder(folder!, to!, size!),
    getcwd: (to, size) => {
      const count = memory.writeText(to!, size!, rootedPath(process.cwd(), isWindows));
      if (count === undefined) throw new SystemError('ERANGE');
      return count;
    },
    access: (path, how) => fs.accessSync(pathAt(path!), how),
    faccessat: (folder, path, how) => fs.accessSync(pathIn(folder!, path!), how),
    readlink: (path, to, size) => {
      const special = isWindows ? windowsLink(memory.text(path!)) : undefined;
      const name = pathAt(path!);
      if (special === null || (special === undefined && !fs.lstatSync(name).isSymbolicLink()))
        throw new SystemError('EINVAL');
      const target = special ?? rootedPath(fs.readlinkSync(name), isWindows);
      const bytes = new TextEncoder().encode(target).subarray(0, size);
      memory.bytes(to!, bytes.length).set(bytes);
      return bytes.length;
    },
    rename: (from, to) => fs.renameSync(pathAt(from!), pathAt(to!)),
    link: (from, to) => fs.linkSync(pathAt(from!), pathAt(to!)),
    unlink: path => fs.unlinkSync(pathAt(path!)),
    unlinkat: (folder, path, flags) => {
      const name = pathIn(folder!, path!);
      if (flags! & linux.removeFolder) fs.rmdirSync(name);
      else fs.unlinkSync(name);
    },
    rmdir: path => fs.rmdirSync(pathAt(path!)),
    mkdir: (path, mode) => fs.mkdirSync(pathAt(path!), mode),
    chmod: (path, mode) => fs.chmodSync(pathAt(path!), mode!),
    fchmod: (file, mode) => fs.fchmodSync(files.file(file!).host, mode!),
    umask: mask => process.umask(mask!),
    fcntl64: (file, command, more) => {
      const one = files.file(file!);
      if (command === linux.duplicate || command === linux.duplicateAndClose)
        return files.add({ ...one, isOwn: false }); // the other one stays open longer: standard input
      return more === undefined ? -errors.ENOSYS : command === linux.getFlags ? linux.readWrite : 0;
    },
    ioctl: (file, request, more) => {
      const terminal = request === linux.windowSize ? terminalOf(files.file(file!).host) : undefined;
      if (terminal === undefined) throw new SystemError('ENOTTY');
      const to = memory.view();
      const size = to.getUint32(more!, true);
      to.setUint16(size, terminal.rows, true);
      to.setUint16(size + 2, terminal.columns, true);
      to.setUint32(size + 4, 0, true);
      return 0;
    },
  };

  /** The vectors of readv and writev. */
  const transfer = (vectors: number, count: number, done: number, move: (bytes: Uint8Array) => number): void => {
    let sum = 0;
    for (let index = 0; index < count; ++index) {
      const view = memory.view();
      const vector = (vectors >>> 0) + 8 * index;
      const size = view.getUint32(vector + 4, true);
      const moved = size === 0 ? 0 : move(memory.bytes(view.getUint32(vector, true), size));
      sum += moved;
      if (moved < size) break;
    }
    memory.view().setUint32(done >>> 0, sum, true);
  };

  const writeTime = (nanoseconds: bigint, address: number): void =>
    memory.view().setBigUint64(address >>> 0, nanoseconds, true);
  const texts = (all: readonly string[]) => ({
    get: (table: number, bytes: number) => memory.writeTexts(table, all, bytes),
    sizes: (count: number, size: number) => {
      memory.view().setUint32(count, all.length, true);
      memory.view().setUint32(size, memory.sizeOf(all), true);
    },
  });

  const wasi: Record<string, (...values: never[]) => void> = {
    args_get: texts(words).get,
    args_sizes_get: texts(words).sizes,
    environ_get: texts(variables).get,
    environ_sizes_get: texts(variables).sizes,
    clock_time_get: (clock: number, _precision: bigint, to: number) =>
      writeTime(clock === 0 ? BigInt(Date.now()) * 1_000_000n : process.hrtime.bigint(), to),
    clock_res_get: (_clock: number, to: number) => writeTime(1_000n, to),
    fd_close: (file: number) => files.close(file),
    fd_read: (file: number, vectors: number, count: number, done: number) => {
      const one = files.file(file);
      transfer(vectors, count, done, bytes => read(one, bytes));
    },
    fd_write: (file: number, vectors: number, count: number, done: number) => {
      const one = files.file(file);
      transfer(vectors, count, done, bytes => write(one, bytes, isWindows));
    },
    fd_seek: (file: number, offset: bigint, whence: number, to: number) => {
      const one = files.file(file);
      if (one.position === null) throw new SystemError('ESPIPE');
      const from = [0, one.position, fs.fstatSync(one.host).size][whence] ?? 0;
      one.position = from + Number(offset);
      memory.view().setBigUint64(to >>> 0, BigInt(one.position), true);
    },
    fd_fdstat_get: (file: number, to: number) => {
      const isTerminal = terminalOf(files.file(file).host) !== undefined;
      memory.bytes(to, 24).fill(0);
      memory.view().setUint8(to, isTerminal ? 2 : 4); // a character device, a regular file
    },
    fd_sync: (file: number) => files.sync(file),
  };

  const unknown = (name: string | symbol): Call => {
    if (!String(name).startsWith('__syscall_')) throw new Error(`callcost.wasm imports ${String(name)}`);
    return () => -errors.ENOSYS;
  };
  const env: Record<string, unknown> = {
    emscripten_notify_memory_growth: () => undefined,
    callcost_open_page: (path: number) =>
      ['started', 'no_display', 'none_found'].indexOf(openPage(pathAt(path), process.platform, environment)),
  };
  for (const [name, call] of Object.entries(calls)) {
    env[`__syscall_${name}`] = (...numbers: number[]): number => {
      try {
        return Number(call(...numbers) ?? 0);
      } catch (reason) {
        return -errorOf(reason);
      }
    };
  }
  const preview1: Record<string, unknown> = {
    proc_exit: (status: number) => {
      if (isWindows) throw new Exit(status); // what went to the console may be on its way
      process.exit(status);
    },
  };
  for (const [name, call] of Object.entries(wasi)) {
    preview1[name] = (...values: never[]): number => {
      try {
        call(...values);
        return 0;
      } catch (reason) {
        return errorOf(reason);
      }
    };
  }
  return {
    env: new Proxy(env, { get: (all, name) => all[name as string] ?? unknown(name) }) as WebAssembly.ModuleImports,
    wasi_snapshot_preview1: preview1 as WebAssembly.ModuleImports,
  };
}
