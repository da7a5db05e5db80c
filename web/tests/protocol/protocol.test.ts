// src/protocol says what docs/protocol.md says and what the engine does: kinds of questions, their members, answers.
// Needs ANSWER_LINES and CALLCOST, and Valgrind.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { httpTransport } from '../../src/engine/http';
import { receive } from '../../src/package/receive';
import { CallcostError } from '../../src/protocol/callcost_error';
import { type AnswerLines, startAnswerLines } from '../answer_lines';
import { testStore } from '../store';
import { startLoop, startStore, startView, type View } from '../view';
import { Samples } from './sample';
import { answered, answerMembers, membersOf, questions, typesFile } from './types';

const path = (name: string) => fileURLToPath(new URL(`../../../${name}`, import.meta.url));
const profile = (name: string) => path(`tests/profiles/${name}`);
const inlining = (name: string) => path(`tests/inlining/${name}`);
const page = readFileSync(path('docs/protocol.md'), 'utf8');
const ofServer = ['status', 'reload', 'control', 'stacks'];
const ofStore = answered.filter(kind => kind.startsWith('history'));
const common = membersOf('Common');

// The part of the page about each kind of question, by its heading: ### `status`, `reload`: of ...
const sections = new Map(
  page
    .split(/^### /m)
    .slice(1)
    .flatMap(part =>
      [...part.split(/:|\n/)[0]!.matchAll(/`(\w+)`/g)].map(([, kind]) => [kind!, part.split(/^## /m)[0]!] as const),
    ),
);

test('the kinds of questions are those of docs/protocol.md', () => {
  expect([...questions.keys()].sort()).toEqual([...sections.keys()].sort());
  expect([...answered].sort()).toEqual([...sections.keys()].sort());
});

test('the members of questions and answers are in docs/protocol.md', () => {
  const table = [...page.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell]) => cell!.match(/\w+/g) ?? []);
  expect([...common, 'ask', 'generation'].sort()).toEqual(table.sort());
  const sorting = ['sort_column', 'ascending', 'sort', 'search', 'offset', 'limit']; // "as above"
  const missing = [...questions].flatMap(([kind, type]) =>
    membersOf(type)
      .filter(member => !common.includes(member) && member !== 'ask' && !sorting.includes(member))
      .filter(member => !new RegExp(`\`${member}\``).test(sections.get(kind)!))
      .map(member => `${kind}.${member}`),
  );
  expect(missing).toEqual([]);
  const said = (member: string) => new RegExp(`\\b${member}\\b`).test(page);
  // With `compare`, members stand beside those that end in `_before`.
  expect([...answerMembers()].filter(member => !said(member) && !said(member.replace('_before', '')))).toEqual([]);
});

test('the engine knows the members of each question', async () => {
  const engine = startAnswerLines(profile('callgrind/default.out'), profile('callgrind/stripped.out'));
  const { id } = JSON.parse(await engine.ask('{"ask":"find","name":"main"}'));
  const needed: Record<string, object> = {
    function: { id },
    instructions: { id },
    source: { function: id },
    export: { format: 'folded' },
    difference: { compare: true },
    changed_lines: { compare: true, id },
  };
  const unknown: string[] = [];
  for (const [kind, type] of questions) {
    if (ofServer.includes(kind) || ofStore.includes(kind)) continue;
    for (const member of new Set(membersOf(type).filter(one => one !== 'ask'))) {
      // What is of another type is refused, what is not known is ignored.
      const asked = { ask: kind, ...needed[kind], [member]: { no: 1 } };
      const { error } = JSON.parse(await engine.ask(JSON.stringify(asked)));
      if (error?.member !== member) unknown.push(`${kind}.${member}: ${error?.message ?? 'answered'}`);
    }
  }
  engine.stop();
  expect(unknown).toEqual([]);
});

// What no profile of tests/profiles has: costs that JavaScript has no number for, a cycle, a call from many places,
// functions that only a number tells apart, an instruction that was executed before only.
function writtenProfile(folder: string, times: number): string {
  const huge = 2n ** 61n * BigInt(times);
  const sites = Array.from({ length: 60 }, (_, line) => `cfn=leaf\ncalls=1 0x20 5\n0x${100 + line} ${100 + line} 1`);
  const lambdas = Array.from({ length: 210 }, (_, at) => `fn=run()::{lambda()#${at + times}}\n0x${300 + at} 9 7`);
  const text = `version: 1
positions: instr line
events: Ir

ob=/bin/program
fl=a.c
fn=main
0x10 1 ${huge}
cfn=leaf
calls=${huge} 0x20 5
0x11 2 ${huge}
cfn=odd
calls=1 0x30 6
0x11 2 2
jcnd=${huge}/${huge} 0x14 3
0x12 3
${times === 1 ? '0x13 3 2\n' : ''}0x14 4 1
${sites.join('\n')}
fn=leaf
0x20 5 ${huge}
fn=odd
0x30 6 1
cfn=even
calls=3 0x40 7
0x31 6 1
fn=even
0x40 7 1
cfn=odd
calls=2 0x30 6
0x41 7 1
fl=${times}.c
${lambdas.join('\n')}
`;
  const file = `${folder}/written-${times}.out`;
  writeFileSync(file, text);
  return file;
}

// With its source file: of the new build one line is another, and f is inlined in main.
function versionOf(folder: string, version: 'old' | 'new'): string {
  const directory = `${folder}/${version}`;
  mkdirSync(directory);
  const isOld = version === 'old';
  writeFileSync(`${directory}/a.c`, `main()\n{\n${isOld ? 'slow();' : 'fast();'}\n}\nf() {}\n`);
  utimesSync(`${directory}/a.c`, 1000, 1000);
  const calls = 'cfn=f\ncalls=9 5\n2 50\n';
  const file = `${directory}/profile.out`;
  const main = isOld ? `1 100\n3 30\n${calls}fn=f\n5 50\n` : '1 95\n3 4\n5 49\n';
  writeFileSync(file, `events: Ir\nob=p\nfl=${directory}/a.c\nfn=main\n${main}`);
  return file;
}

type Ask = { questions: unknown[]; answered(answer: unknown): void };

async function askAll(engine: AnswerLines, steps: Iterable<Ask>, samples: Samples) {
  for (const step of steps) {
    let last: unknown = {};
    for (const question of step.questions) {
      const text = typeof question === 'string' ? question : JSON.stringify(question);
      const raw = await engine.ask(text);
      try {
        last = receive(raw);
        const kind: string = JSON.parse(text).ask;
        samples.add(kind, `Of<'${kind}'>`, text, last);
      } catch (reason) {
        if (!(reason instanceof CallcostError)) throw reason;
        samples.add('error', 'Problematic', text, JSON.parse(raw));
      }
    }
    step.answered(last);
  }
}

function compile(samples: Samples, folder: string): string[] {
  const options = { extends: path('web/tsconfig.json'), compilerOptions: { types: [], noUnusedLocals: false } };
  writeFileSync(`${folder}/tsconfig.json`, JSON.stringify({ ...options, include: [], files: ['answers.ts'] }));
  writeFileSync(`${folder}/answers.ts`, samples.source(typesFile));
  try {
    execFileSync(path('web/node_modules/.bin/tsc'), ['-p', folder, '--pretty', 'false'], { encoding: 'utf8' });
    return [];
  } catch (reason) {
    const said = (reason as { stdout: string }).stdout.slice(0, 20_000).split('\n');
    const lines = readFileSync(`${folder}/answers.ts`, 'utf8').split('\n');
    return said.map(text => {
      const [, line, column] = /answers\.ts\((\d+),(\d+)\)/.exec(text) ?? [];
      if (!line || !column) return text;
      const about = lines[Number(line) - 1]!.slice(Number(column) - 1).slice(0, 60);
      return `${samples.questionAt(Number(line)).slice(0, 200)}: ${about}: ${text.replace(/^[^:]*: /, '')}`;
    });
  }
}

test('the engine answers what the types say', async () => {
  const folder = mkdtempSync(`${tmpdir()}/callcost-protocol-`);
  const samples = new Samples();
  const { questions_about: questionsAbout } = await import(path('tests/wasm/questions.mjs'));
  const runs: [after: string, before?: string, maps?: string][] = [
    [profile('callgrind/default.out'), profile('callgrind/stripped.out')],
    [profile('callgrind/stl-O2-instr-jumps.out')],
    [profile('callgrind/all-events.out'), profile('callgrind/default.out')],
    [profile('callgrind/combined-instr-jumps-cache.out'), profile('callgrind/instr-jumps.out')],
    [profile('callgrind/threads-separate-combined.out'), profile('callgrind/dump-before-combined.out')],
    [profile('callgrind/dump-before-combined.out')],
    [profile('callgrind/nothing-collected.out')],
    [profile('callgrind/sepcallers1-seprecs3.out')],
    [profile('cachegrind/default.out')],
    [profile('xdebug/append-two-runs.cachegrind.out')],
    [profile('hostile/truncated-mid-cost.out')],
    [writtenProfile(folder, 3), writtenProfile(folder, 1)],
    [versionOf(folder, 'new'), versionOf(folder, 'old')],
    [inlining('hot.out'), undefined, inlining('hot.json')],
    [inlining('hot.out'), inlining('hot.out'), inlining('hot.json')],
  ];
  for (const [after, before, maps] of runs) {
    const engine = startAnswerLines(after, before, true, maps);
    await askAll(engine, questionsAbout(before !== undefined), samples);
    engine.stop();
  }
  // A server of a program that is running.
  const program = startLoop(folder);
  await expect.poll(() => readdirSync(folder), { timeout: 20_000 }).toContain(`out.${program.pid}`);
  // Its file is there a moment before it answers callgrind_control.
  const views: View[] = [];
  const opened = () =>
    startView(String(program.pid)).then(
      view => views.push(view),
      () => 0,
    );
  await expect.poll(opened, { timeout: 20_000 }).toBe(1);
  const view = views[0]!;
  const { send } = httpTransport(view.address);
  for (const ask of ['profile', ...ofServer])
    samples.add(ask, `Of<'${ask}'>`, ask, receive(await send(JSON.stringify({ ask, command: 'dump' }))));
  view.kill();
  program.kill('SIGKILL');
  const store = testStore();
  store.addVersions();
  const viewOfStore = await startStore(store.store);
  const { send: sendToStore } = httpTransport(viewOfStore.address);
  for (const members of [{}, { name: 'hash', file: 'bench.c', object: '/usr/bin/bench' }, { branch: 'no' }])
    for (const ask of ofStore) {
      const question = JSON.stringify({ ask, series: 'parse', ...members });
      const raw = await sendToStore(question);
      if (raw.startsWith('{"error"')) samples.add('error', 'Problematic', question, JSON.parse(raw));
      else samples.add(ask, `Of<'${ask}'>`, question, receive(raw));
    }
  const ofEntry = httpTransport(`${viewOfStore.address}?series=parse&entry=60&before=40`);
  samples.add('profile', "Of<'profile'>", 'profile', receive(await ofEntry.send('{"ask":"profile"}')));
  viewOfStore.kill();
  store.remove();
  const problems = compile(samples, folder);
  rmSync(folder, { recursive: true });
  expect(problems).toEqual([]);
  expect([...samples.kinds].sort()).toEqual(['error', ...answered].sort());
  const whileReading = ['reading', 'bytes_total']; // of a server that is not done yet
  const unseen = [...answerMembers()].filter(member => !samples.members.has(member));
  expect(unseen.filter(member => !whileReading.includes(member))).toEqual([]);
}, 600_000);
