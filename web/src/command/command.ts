#!/usr/bin/env node
// The command in Node.js: `npx callcost`.

import * as fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Memory } from './memory';
import { argument } from './paths';
import { Exit, system } from './system';

const isWindows = process.platform === 'win32';
const beside = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

function environment(): Record<string, string | undefined> {
  const { LC_ALL, LC_CTYPE, LANG } = process.env;
  const isSaid = [LC_ALL, LC_CTYPE, LANG].some(value => value !== undefined && value !== '');
  const utf8 = isSaid || process.platform === 'linux' ? {} : { LANG: 'C.UTF-8' }; // everywhere else, always
  return { ...process.env, ...utf8, CALLCOST_PAGE: beside('page.html.gz') };
}

function run(): void {
  setFlagsFromString('--wasm-lazy-compilation'); // a command runs a small part of it
  const command = new WebAssembly.Module(fs.readFileSync(beside('command.wasm')));
  const exists = (path: string): boolean => fs.existsSync(path);
  const words = ['callcost', ...process.argv.slice(2).map(word => argument(word, isWindows, exists))];
  let exported: WebAssembly.Memory;
  const memory = new Memory(() => exported);
  const instance = new WebAssembly.Instance(command, system({ memory, words, environment: environment(), isWindows }));
  exported = instance.exports.memory as WebAssembly.Memory;
  (instance.exports._start as () => void)();
}

try {
  run();
} catch (reason) {
  if (reason instanceof Exit) {
    process.exitCode = reason.status;
  } else {
    const text = reason instanceof Error ? reason.message : String(reason);
    fs.writeSync(2, `callcost: error: ${text}\ncallcost: note: this is a fault of callcost or of Node.js\n`);
    process.exitCode = 1;
  }
}
