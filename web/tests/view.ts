// `callcost view` as a program that serves a profile. CALLCOST names it.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const places = [process.env.CALLCOST, fileURLToPath(new URL('../../build/dev/callcost', import.meta.url))];

export function callcostProgram(): string {
  const found = places.find(place => place && existsSync(place));
  if (!found) throw new Error('no callcost: build it (ninja -C build/dev callcost_cli), or name it in CALLCOST');
  return found;
}

// A program for `sh -c` that runs longer than any test, if nobody ends it, but not for ever.
export const loop = 'ulimit -t 300; i=0; while [ $i -lt 100000000 ]; do i=$((i+1)); done';

// It runs under Callgrind in a directory, until the test ends however it does; its process is that of the file `out.PROCESS`.
export function startLoop(folder: string): ChildProcess {
  const program = spawn('valgrind', ['--tool=callgrind', '--callgrind-out-file=out.%p', 'sh', '-c', loop], {
    cwd: folder,
    stdio: 'ignore',
  });
  onTestFinished(() => void program.kill('SIGKILL'));
  return program;
}

export interface View {
  address: string; // of the page
  end(): Promise<void>;
  kill(): void;
}

export const startView = (file: string) => served(['view', '--no-open', '--quiet', file]);

export const startStore = (store: string, ...words: string[]) =>
  served(['view', '--no-open', '--quiet', '--store', store, ...words]);

// `record --view` of a program that writes nothing. SIGINT reaches only callcost.
export const startRecord = (...words: string[]) => served(['record', '--view', '--no-open', '--quiet', ...words]);

async function served(words: string[]): Promise<View> {
  const child = spawn(callcostProgram(), words, { stdio: ['ignore', 'pipe', 'pipe'] });
  const address = await new Promise<string>((resolve, reject) => {
    for (const output of [child.stdout, child.stderr])
      output.on('data', text => /^http/.test(String(text)) && resolve(String(text).trim()));
    child.on('error', reject);
    child.on('exit', status => reject(new Error(`callcost ended with status ${status}`)));
  });
  const end = () =>
    new Promise<void>(resolve => {
      child.on('exit', () => resolve());
      child.kill('SIGINT');
    });
  return { address, end, kill: () => void child.kill('SIGKILL') };
}
