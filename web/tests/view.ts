// `callcost view` as a program that serves a profile. CALLCOST names it.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const places = [process.env.CALLCOST, fileURLToPath(new URL('../../build/dev/callcost', import.meta.url))];

export function callcostProgram(): string {
  const found = places.find(place => place && existsSync(place));
  if (!found) throw new Error('no callcost: build it (ninja -C build/dev callcost_cli), or name it in CALLCOST');
  return found;
}

// A program for `sh -c` that runs longer than any test, if nobody ends it.
export const loop = 'i=0; while [ $i -lt 100000000 ]; do i=$((i+1)); done';

export interface View {
  address: string; // of the page
  end(): Promise<void>;
  kill(): void;
}

export async function startView(file: string): Promise<View> {
  const child = spawn(callcostProgram(), ['view', '--no-open', '--quiet', file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', text => resolve(String(text).trim()));
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
