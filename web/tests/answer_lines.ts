// The native engine as a program that reads a question per line and writes an answer per line.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface AnswerLines {
  ask(question: string): Promise<string>;
  stop(): void;
}

const root = fileURLToPath(new URL('../../', import.meta.url));

function program(): string {
  const places = [process.env.ANSWER_LINES, `${root}build/dev/tests/answer_lines`];
  const found = places.find(place => place && existsSync(place));
  if (!found)
    throw new Error('no answer_lines: build it (ninja -C build/dev answer_lines), or name it in ANSWER_LINES');
  return found;
}

// `sources`: with the source files and the machine code of this machine.
export function startAnswerLines(profile: string, before?: string, sources = false, maps?: string): AnswerLines {
  const inlined = maps ? [`--inlined=${maps}`] : [];
  const words = [...(sources ? ['--sources'] : []), ...inlined, profile, ...(before ? ['--before', before] : [])];
  const child = spawn(program(), words, { stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting: { resolve(text: string): void; reject(reason: Error): void }[] = [];
  let pieces: Buffer[] = [];
  let over: Error | undefined;

  child.stdout.on('data', (piece: Buffer) => {
    let start = 0;
    for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10, start)) {
      pieces.push(piece.subarray(start, end));
      waiting.shift()?.resolve(Buffer.concat(pieces).toString());
      pieces = [];
      start = end + 1;
    }
    if (start < piece.length) pieces.push(piece.subarray(start));
  });
  const end = (reason: string) => {
    over = new Error(reason);
    for (const one of waiting.splice(0)) one.reject(over);
  };
  child.on('exit', code => end(`answer_lines ended with status ${code}`));
  child.on('error', reason => end(reason.message));
  child.stdin.on('error', () => {});

  return {
    ask: question =>
      new Promise((resolve, reject) => {
        if (over) return reject(over);
        waiting.push({ resolve, reject });
        child.stdin.write(`${question.replace(/[\r\n]/g, ' ')}\n`);
      }),
    stop: () => child.kill(),
  };
}
