// A store of profiles, made by the command: a program whose functions change their costs from commit to commit.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { callcostProgram } from './view';

export const versions = 60;
export const hostile = '<img src=x onerror="document.title=1">';
export const long =
  'std::_Hashtable<std::string, std::pair<std::string const, int>, std::allocator<std::pair<std::string const, int> > >::_M_insert(int)';
// By version: function and the factor of its cost from then on.
const changes: [version: number, name: string, factor: number][] = [
  [7, 'parse', 1.05],
  [21, 'hash', 1.5],
  [22, 'hash', 1 / 1.5],
  [40, long, 1.1],
  [59, 'parse', 1.2],
];
export const changed = changes.map(([version]) => version);

export const commitOf = (version: number) => `${String(version).padStart(4, '0')}${'c0ffee'.repeat(6)}`;
export const labelOf = (version: number) => commitOf(version).slice(0, 12);

export function costsOf(version: number): Map<string, number> {
  const costs: [string, number][] = [
    ['main', 1000],
    ['parse', 50_000],
    ['hash', 30_000],
    [long, 20_000],
    [hostile, 7000],
    ...Array.from({ length: 80 }, (_, i): [string, number] => [`other${i}`, 100 + i]),
  ];
  return new Map(
    costs.map(([name, cost]) => [
      name,
      Math.round(changes.reduce((now, [from, of, by]) => (of === name && from <= version ? now * by : now), cost)),
    ]),
  );
}
export const totalOf = (version: number) => [...costsOf(version).values()].reduce((sum, cost) => sum + cost, 0);

function profileOf(costs: Map<string, number>): string {
  const both = (cost: number) => `${cost} ${Math.floor(cost / 2)}`;
  const others = [...costs].filter(([name]) => name !== 'main');
  const sums = [...costs.values()];
  return [
    'version: 1\ncreator: callgrind-3.19.0\ncmd: ./bench -x\nevents: Ir Dr\nob=/usr/bin/bench\nfl=bench.c',
    ...others.map(([name, cost], line) => `fn=${name}\n${line + 1} ${both(cost)}`),
    `fn=main\n1 ${both(costs.get('main')!)}`,
    ...others.map(([name, cost], line) => `cfn=${name}\ncalls=1 1\n${line + 1} ${both(cost)}`),
    `totals: ${sums.reduce((a, b) => a + b)} ${sums.reduce((a, b) => a + Math.floor(b / 2), 0)}\n`,
  ].join('\n');
}

export interface TestStore {
  folder: string;
  store: string;
  add(series: string, version: number, ...words: string[]): void;
  addVersions(): void; // 60 of 'parse' on main, ten on a branch, and three other series
  derive(series: string, copies: number): void; // rows only, of its newest entry
  prune(): void; // all entries
  remove(): void;
}

export function testStore(): TestStore {
  const folder = mkdtempSync(`${tmpdir()}/callcost-history-`);
  const store = `${folder}/h.db`;
  function add(series: string, version: number, ...words: string[]) {
    writeFileSync(`${folder}/callgrind.out`, profileOf(costsOf(version)));
    const time = `@${1_700_000_000 + version * 36_000}`;
    const facts = ['--series', series, '--commit', commitOf(version), '--time', time, '--machine', 'm', ...words];
    execFileSync(callcostProgram(), ['history', 'add', '-q', '--store', store, ...facts, `${folder}/callgrind.out`]);
  }
  return {
    folder,
    store,
    add,
    addVersions() {
      for (let version = 0; version < versions; version++) add('parse', version, '--branch', 'main');
      for (let version = 30; version < 40; version++)
        add('parse', version, '--branch', 'feature/x', '--tag', 'size=big', '--machine', 'other');
      add(hostile, 1, '--branch', 'main');
      for (const version of [3, 9]) add('compress', version);
      for (const version of [20, 21, 22, 23]) add('json', version);
    },
    derive(series, copies) {
      const script = `
import sqlite3, sys
store = sqlite3.connect(sys.argv[1])
entry, = store.execute("SELECT max(entries.id) FROM entries JOIN series ON series.id = series WHERE name = ?", (sys.argv[2],)).fetchone()
columns = "series, modified, parents, branch, machine, command, creator, added, profile_bytes, profile"
for i in range(int(sys.argv[3])):
    made = store.execute(f"INSERT INTO entries(identity, commit_id, time, {columns}) SELECT identity || ?, printf('%08x', ?) || 'f00df00d', time + ?, {columns} "
                         "FROM entries WHERE id = ?", (str(i), i, (i + 1) * 600, entry)).lastrowid
    store.execute("INSERT INTO totals SELECT ?, event, total + total / 100 * ? FROM totals WHERE entry = ?", (made, i // 500 % 4 * 10 + i * 7 % 5, entry))
store.commit()`;
      execFileSync('python3', ['-c', script, store, series, String(copies)]);
    },
    prune() {
      execFileSync(callcostProgram(), ['history', 'prune', '-q', '--keep', '0', '--store', store]);
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
