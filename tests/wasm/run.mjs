// The same question about the same files gives the same bytes from the native engine and from WebAssembly.
//
//     node tests/wasm/run.mjs ANSWER_LINES CALLCOST_WASM [FILE...]
//
// Asks both every kind of question of docs/protocol.md about each of tests/profiles that is not too large, and about
// pairs of them. Needs the packages of web/ (npm ci), which bundle the page's side of the engine.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { limit_failures } from './limits.mjs';
import { questions_about } from './questions.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const profiles = join(root, 'tests/profiles');
const skipped = 77;
const largest = 60_000; // bytes

async function load_engine() {
  const from_web = createRequire(join(root, 'web/package.json'));
  const { rolldown } = await import(pathToFileURL(from_web.resolve('rolldown')).href);
  const folder = mkdtempSync(join(tmpdir(), 'callcost-wasm-'));
  try {
    const names = ['wasm_instance', 'wasm_engine'];
    const bundle = await rolldown({ input: names.map(name => join(root, `web/src/package/${name}.ts`)) });
    await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' });
    const [instance, engine] = await Promise.all(
      names.map(name => import(pathToFileURL(join(folder, `${name}.mjs`)).href)),
    );
    return { ...instance, ...engine };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function reading(bytes) {
  let at = 0;
  return to => {
    const piece = bytes.subarray(at, at + to.length);
    to.set(piece);
    at += piece.length;
    return piece.length;
  };
}

// An engine with these files in it, or the error as an answer.
async function open_in_wasm(instantiate, module, after, before) {
  const engine = await instantiate(module);
  for (const [side, files] of [
    ['after', after],
    ['before', before],
  ]) {
    for (const file of files) {
      const bytes = readFileSync(file);
      const problem = engine.read(side, file, bytes.length, reading(bytes));
      if (problem) return { problem };
    }
  }
  engine.open();
  return { ask: question => engine.ask(question) };
}

function open_natively(program, after, before, options = [], more = {}) {
  const child = spawn(program, [...options, ...after, ...(before.length > 0 ? ['--before', ...before] : [])], more);
  const complaint = [];
  const ended = new Promise(resolve => child.on('close', resolve));
  child.stderr.on('data', piece => complaint.push(piece));
  child.stdin.on('error', () => {}); // it has ended: the next answer says so
  const lines = createInterface({ input: child.stdout, crlfDelay: Infinity })[Symbol.asyncIterator]();
  return {
    async ask(question) {
      child.stdin.write(`${question}\n`);
      const { value, done } = await lines.next();
      return done ? null : value;
    },
    async complaint() {
      await ended;
      return Buffer.concat(complaint).toString();
    },
    close: () => child.stdin.end(),
  };
}

function first_difference(a, b) {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const piece = text => JSON.stringify(text.slice(Math.max(0, at - 80), at + 80));
  return `at ${at}:\n    native ${piece(a)}\n    wasm   ${piece(b)}`;
}

class Comparison {
  questions = 0;
  bytes = 0;
  failures = [];
  refused = 0;

  constructor(program, instantiate, module) {
    Object.assign(this, { program, instantiate, module });
  }

  fail(name, text) {
    this.failures.push(`${name}: ${text}`);
  }

  async run(after, before = []) {
    const name = [...after, ...before].map(file => relative(profiles, file)).join(' compared with ');
    const native = open_natively(this.program, after, before);
    const wasm = await open_in_wasm(this.instantiate, this.module, after, before);
    try {
      if (wasm.problem) return await this.check_refusal(name, native, wasm.problem);
      for (const asked of questions_about(before.length > 0)) {
        let answer = null;
        for (const question of asked.questions) {
          answer = await this.compare(name, native, wasm, question);
          if (answer === null) return;
        }
        asked.answered(answer);
      }
    } finally {
      native.close();
    }
  }

  // The machine code that a page gets from the native engine is the same in its answers.
  async run_code(folder, file) {
    const native = open_natively(this.program, [file], [], ['--sources'], {
      cwd: folder,
      env: { ...process.env, OBJDUMP: './objdump' },
    });
    try {
      const { base64 } = JSON.parse(await native.ask('{"ask":"export","format":"code"}'));
      const wasm = await this.instantiate(this.module);
      const bytes = readFileSync(join(folder, file));
      wasm.read('after', file, bytes.length, reading(bytes));
      wasm.addCode('after', Buffer.from(base64, 'base64'));
      wasm.open();
      const { rows } = JSON.parse(wasm.ask('{"ask":"functions"}'));
      const answer = await this.compare(file, native, wasm, { ask: 'instructions', id: rows[0].id });
      if (!answer?.rows.some(row => row.text)) this.fail(file, 'there is no machine code');
    } finally {
      native.close();
    }
  }

  // What is no profile is none for both, for the same reason.
  async check_refusal(name, native, problem) {
    const first = await native.ask('{"ask":"profile"}');
    const { id } = JSON.parse(problem).error;
    this.refused++;
    const reason = first?.slice(0, 100) ?? (await native.complaint());
    if (first !== null || !reason.includes(`: ${id}`))
      this.fail(name, `wasm cannot read it (${id}); native: ${reason}`);
  }

  async compare(name, native, wasm, question) {
    const text = typeof question === 'string' ? question : JSON.stringify(question);
    const expected = await native.ask(text);
    const found = wasm.ask(text);
    const shown = text.length > 300 ? `${text.slice(0, 300)}…` : text;
    this.questions++;
    this.bytes += found.length;
    if (expected === null) {
      this.fail(name, `${shown}: native has ended: ${await native.complaint()}`);
      return null;
    }
    if (expected !== found) this.fail(name, `${shown}\n  differs ${first_difference(expected, found)}`);
    try {
      return JSON.parse(found);
    } catch (reason) {
      this.fail(name, `${shown}\n  is no JSON: ${reason.message}`);
      return null;
    }
  }
}

function files_below(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(entry => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? files_below(path) : [path];
    });
}

// Files of one folder that come after one another: often the same program measured twice.
function neighbours(files) {
  return files.slice(1).flatMap((file, i) => (dirname(file) === dirname(files[i]) ? [[file, files[i]]] : []));
}

async function main([program, wasm, ...chosen]) {
  if (!existsSync(wasm) || !existsSync(join(root, 'web/node_modules/rolldown'))) {
    console.log('skipped: "./dev page" makes what it needs');
    process.exit(skipped);
  }
  const engine = await load_engine();
  const bytes = readFileSync(wasm);
  const comparison = new Comparison(program, engine.instantiate, await WebAssembly.compile(bytes));
  comparison.failures.push(...(await limit_failures(engine, bytes)));
  const files = chosen.length > 0 ? chosen : files_below(profiles).filter(file => statSync(file).size <= largest);
  for (const file of files) await comparison.run([file]);
  for (const [after, before] of neighbours(files)) await comparison.run([after], [before]);
  await comparison.run_code(join(root, 'tests/golden/asm_program'), 'loop.out');
  for (const failure of comparison.failures.slice(0, 40)) console.log(failure);
  console.log(
    `${files.length} files, of which ${comparison.refused} refused; ${comparison.questions} questions, ` +
      `${(comparison.bytes / 1e6).toFixed(1)} MB of answers, ${comparison.failures.length} failures`,
  );
  process.exit(comparison.failures.length > 0 ? 1 : 0);
}

await main(process.argv.slice(2));
