// The npm package as somebody else's project installs it: its contents, its types, its figures, its documented examples.
//
//     node tests/npm/run.mjs CALLCOST CALLCOST_WASM COMMAND_WASM PAGE_HTML [PART]
//
// PART: which of the command's golden tests run, such as 1/4; all by default.
//
// Needs the packages of web/ (npm ci), which build the package; installs nothing from the network.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const here = fileURLToPath(new URL('./', import.meta.url));
const profiles = join(root, 'tests/profiles');
const web = join(root, 'web');
const skipped = 77;

const run = (program, words, options = {}) => execFileSync(program, words, { encoding: 'utf8', ...options });
const node = (words, options) => run(process.execPath, words, options);

function install(folder, ...parts) {
  node([join(root, 'npm/build.mjs'), ...parts, folder]);
  const version = /^project\(callcost VERSION (\S+)/m.exec(readFileSync(join(root, 'CMakeLists.txt'), 'utf8'))[1];
  const consumer = join(folder, 'consumer');
  mkdirSync(consumer);
  writeFileSync(join(consumer, 'package.json'), '{ "private": true, "type": "module" }\n');
  const archive = join(folder, `callcost-${version}.tgz`);
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--silent', archive], { cwd: consumer });
  const { dependencies = {}, scripts = {}, man } = JSON.parse(
    readFileSync(join(consumer, 'node_modules/callcost/package.json'), 'utf8'),
  );
  assert.deepEqual([dependencies, scripts], [{}, {}], 'neither dependencies nor scripts');
  assert.deepEqual(
    readdirSync(join(consumer, 'node_modules')).filter(name => !name.startsWith('.')),
    ['callcost'],
  );
  for (const name of ['README.md', 'protocol.md', 'LICENSE', 'NOTICES.md', 'callcost.wasm', 'importer.wasm', 'change_points.wasm', 'command.wasm', 'page.html.gz'])
    assert.ok(existsSync(join(consumer, 'node_modules/callcost', name)), name);
  const manuals = readdirSync(join(root, 'man')).filter(name => /\.[15]\.scd$/.test(name));
  assert.deepEqual(
    man.sort(),
    manuals.map(name => `./man/${name.replace('.scd', '.gz')}`).sort(),
  );
  for (const name of man) assert.ok(existsSync(join(consumer, 'node_modules/callcost', name)), name);
  const script = readFileSync(join(consumer, 'node_modules/callcost/node.js'), 'utf8');
  assert.match(script, /^\/\/ web\/src\/package\/node\.ts$/m, 'no path of this machine');
  return consumer;
}

// The code blocks of the document that begin with the name of their file.
function write_examples(consumer) {
  const text = readFileSync(join(consumer, 'node_modules/callcost/README.md'), 'utf8');
  assert.doesNotMatch(text, /\]\((?!https?:|#|protocol\.md)/, 'a link to what is not in the package');
  const examples = [...text.matchAll(/^```\w+\n(?:\/\/|<!--) (\S+?\.\w+)\b.*\n([\s\S]*?)^```/gm)];
  for (const [, name, code] of examples) writeFileSync(join(consumer, name), code);
  return examples.map(([, name]) => name);
}

function check_examples(consumer, callcost) {
  assert.deepEqual(write_examples(consumer), ['top.mjs', 'drop.html', 'compare.mjs']);
  const [before, after] = ['instr.out', 'default.out'].map(name => join(profiles, 'callgrind', name));
  const { rows } = JSON.parse(run(callcost, ['top', '--json', '--limit', '10', after]));
  const lines = node(['top.mjs', after], { cwd: consumer }).trimEnd().split('\n');
  assert.deepEqual(
    lines.map(line => line.replace(/^ *[\d.]+ %  /, '')),
    rows.map(row => `${row.self.Ir} (${row.inclusive.Ir} with callees)  ${row.function}`),
  );
  assert.match(
    node(['compare.mjs', before, after], { cwd: consumer }),
    /^1962756 -> 1962662 \(-0\.00 %\)\n49 -> 0 {2}__futex/,
  );
  assert.throws(() =>
    node(['compare.mjs', join(profiles, 'callgrind/pos-plain.out'), after], { cwd: consumer, stdio: 'pipe' }),
  );
}

function check_types(consumer) {
  copyFileSync(join(here, 'consumer.ts'), join(consumer, 'consumer.ts'));
  const strict = ['--noEmit', '--strict', '--target', 'es2022', '--noUncheckedIndexedAccess'];
  const types = ['--typeRoots', join(web, 'node_modules/@types'), '--types', 'node'];
  const compiler = join(web, 'node_modules/typescript/bin/tsc');
  for (const [kind, ...settings] of [
    ['Node.js', '--module', 'nodenext', '--lib', 'es2022', ...types],
    [
      'a browser',
      '--module',
      'esnext',
      '--moduleResolution',
      'bundler',
      '--lib',
      'es2022,dom,dom.iterable',
      '--types',
      '',
    ],
  ]) {
    try {
      node([compiler, ...strict, ...settings, 'consumer.ts'], { cwd: consumer, stdio: 'pipe' });
    } catch (reason) {
      assert.fail(`types for ${kind}:\n${reason.stdout}${reason.stderr}`);
    }
  }
}

// As a new user runs it.
function check_command(consumer, callcost, part) {
  const npx = (words, options = {}) => run('npx', ['--no-install', 'callcost', ...words], { cwd: consumer, ...options });
  const file = join(profiles, 'xdebug/plain.cachegrind.out.gz');
  assert.equal(npx(['top', file]), run(callcost, ['top', file]));
  assert.equal(
    npx(['top', '-'], { input: readFileSync(file) }).replace('standard input', file),
    run(callcost, ['top', file]),
  );
  const failed = words => {
    try {
      npx(words, { stdio: 'pipe' });
    } catch ({ status, stdout, stderr }) {
      return { status, stdout, stderr };
    }
    return assert.fail(`${words} should fail`);
  };
  const { status, stdout, stderr } = failed(['record', './program']);
  assert.deepEqual([status, stdout], [2, '']);
  assert.match(stderr, /^callcost: error: 'record' is not in the npm package: .*Linux/);
  assert.equal(failed(['check', join(profiles, 'hostile/no-such-file')]).status, 1);

  npx(['report', '--no-code', file, '-o', 'report.html']);
  const report = readFileSync(join(consumer, 'report.html'), 'utf8');
  run(callcost, ['report', '--no-code', file, '-o', 'native.html'], { cwd: consumer });
  const is_equal = report === readFileSync(join(consumer, 'native.html'), 'utf8');
  assert.ok(is_equal, 'the native command writes another report');

  // Optimizing the code takes longer than most commands: only what is called is compiled, as it stands.
  const command = join(consumer, 'quick.sh');
  const words = ['--liftoff-only', '--wasm-lazy-validation', join(consumer, 'node_modules/.bin/callcost')];
  const script = ['exec', process.execPath, ...words].map(word => `'${word}'`).join(' ');
  writeFileSync(command, `#!/bin/sh\n${script} "$@"\n`, { mode: 0o755 });
  const golden = join(root, 'tests/golden/run.py');
  run('python3', [golden, command, '--without', join(here, 'without.txt'), '--part', part], { stdio: 'inherit' });
}

function main([callcost, wasm, command, page, part = '1/1']) {
  if (![wasm, command, page, join(web, 'node_modules/rolldown')].every(path => existsSync(path))) {
    console.log('skipped: "./dev npm" makes what it needs');
    process.exit(skipped);
  }
  const folder = mkdtempSync(join(tmpdir(), 'callcost-npm-test-'));
  try {
    const consumer = install(folder, wasm, command, page);
    check_types(consumer);
    check_command(consumer, callcost, part);
    check_examples(consumer, callcost);
    copyFileSync(join(here, 'consumer.mjs'), join(consumer, 'consumer.mjs'));
    node(['consumer.mjs', callcost, profiles], { cwd: consumer, stdio: 'inherit', timeout: 120_000 });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

main(process.argv.slice(2));
