// Runs in a project that has the package installed: figures as the command's, and whatever an input may do.
//
//     node consumer.mjs CALLCOST PROFILES

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createReadStream, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { CallcostError, changePoints, countsExactly, diff, open } from 'callcost';

const [callcost, profiles] = process.argv.slice(2);
const bytes_of = name => readFileSync(join(profiles, name));
const require = createRequire(import.meta.url);

// JSON of the command: costs may have more digits than a number.
function from_command(...words) {
  const text = execFileSync(callcost, [...words, '--quiet'], { cwd: profiles, encoding: 'utf8', maxBuffer: 1 << 28 });
  const widened = text.replace(/(?<=[:[,])-?\d{16,}(?=[,\]}])/g, '"big:$&"');
  return JSON.parse(widened, (_, value) => {
    if (typeof value !== 'string' || !value.startsWith('big:')) return value;
    const big = BigInt(value.slice(4));
    return Number.isSafeInteger(Number(big)) ? Number(big) : big;
  });
}

const real = [
  'callgrind/all-events.out',
  'callgrind/default.out',
  'callgrind/sepcallers-chain.out',
  'callgrind/threads-separate-combined.out',
  'callgrind/names-latin1-utf8-long.out',
  'cachegrind/branch.out',
  'erlang/erlgrind-fprof.cgrind',
  'go-pprof/cpu-diff-negative.callgrind',
  'hostile/cycle-entered-late.out',
  'hostile/html-names.out',
  'hostile/numbers.out',
  'hostile/truncated-mid-cost.out',
  'mercurial/hg-log.callgrind',
  'phpspy/sample.cg',
  'valgrind-xtree/memory-full.kcg',
  'xdebug/plain.cachegrind.out.gz',
  'yappi/wall.callgrind',
];

async function check_lists() {
  for (const name of real) {
    const wanted = from_command('top', '--json', '--limit', '0', name);
    const profile = await open({ name, data: bytes_of(name) });
    const { rows } = await profile.functions({ limit: Number.POSITIVE_INFINITY });
    const key = (...parts) => parts.map(part => part ?? '').join('\n');
    const found = new Map(rows.map(row => [key(row.name, row.context, row.file, row.object), row]));
    assert.equal(profile.about.event, wanted.event, name);
    assert.equal(rows.length, wanted.rows.length, name);
    for (const row of wanted.rows) {
      const own = found.get(key(row.function, row.context, row.file, row.object));
      assert.ok(own, `${name}: ${row.function}`);
      const { [wanted.event]: self } = row.self;
      const inclusive = row.inclusive?.[wanted.event];
      assert.deepEqual([own.self[0], own.called], [self, row.called], `${name}: ${row.function}`);
      if (inclusive !== undefined) assert.equal(own.inclusive[0], inclusive, `${name}: ${row.function}`);
    }
    const { errors, warnings } = profile.about.diagnostics;
    assert.deepEqual([errors, warnings], [wanted.profile.errors, wanted.profile.warnings], name);
    profile.close();
  }
}

const bounds_of = (row, column) => row.inclusive_bounds?.[column] ?? [row.inclusive[column], row.inclusive[column]];

async function check_groups() {
  for (const name of real) {
    const profile = await open({ name, data: bytes_of(name) });
    for (const by of ['object', 'namespace', 'cycle']) {
      const wanted = from_command('top', '--json', `--group=${by}`, '--limit', '0', name);
      const { event } = wanted;
      const { rows, total, listed_self } = await profile.groups({ by, limit: Number.POSITIVE_INFINITY });
      assert.deepEqual(
        rows.map(row => [row.functions, row.self[0], row.called ?? 0]),
        wanted.rows.map(row => [row.functions, row.self[event], row.called ?? 0]),
        `${name}: ${by}`,
      );
      if (by !== 'cycle')
        assert.deepEqual(
          rows.map(row => row.name),
          wanted.rows.map(row => row[by] ?? ''),
        );
      if (wanted.rows[0]?.inclusive?.[event] !== undefined && rows[0].inclusive[0] !== null)
        assert.deepEqual(
          rows.map(row => bounds_of(row, 0)),
          wanted.rows.map(row => bounds_of(row, event)),
          `${name}: ${by}`,
        );
      assert.deepEqual(listed_self, total);
      const [first] = (await profile.groups({ by, limit: 1 })).rows;
      assert.deepEqual(first, rows[0]);
    }
    profile.close();
  }
}

async function check_neighbours() {
  const file = 'callgrind/default.out';
  const profile = await open(bytes_of(file));
  for (const name of ['do_lookup_x', '_dl_relocate_object', 'worker(int, long*)']) {
    const [wanted] = from_command(
      'peek',
      '--json',
      '--limit',
      '0',
      `/^${name.replace(/[()*]/g, '\\$&')}$/`,
      file,
    ).functions;
    const id = await profile.find({ name, file: wanted.file });
    const found = await profile.function({ id, sites: true, limit: Number.POSITIVE_INFINITY });
    assert.deepEqual([found.function.name, found.function.self[0]], [name, wanted.self.Ir]);
    for (const end of ['callers', 'callees'])
      assert.deepEqual(
        found[end].rows.map(row => [
          row.name,
          row.count,
          row.cost[0],
          row.recursive,
          row.counted_again ?? false,
          row.sites.map(site => [site.file.name, site.line, site.count]),
        ]),
        wanted[end].map(row => [
          row.function,
          row.count,
          row.inclusive.Ir,
          row.recursive,
          row.counted_again,
          row.sites.map(site => [site.file, site.line, site.count]),
        ]),
      );
    const { callees } = await profile.function({ id, limit: 1 });
    assert.deepEqual([callees.rows.length, callees.omitted_rows], [1, wanted.callees.length - 1]);
  }
  assert.equal(await profile.find({ name: 'do_lookup' }), null);
  await refused('unknown-function', () => profile.function({ id: 1_000_000 }));
  profile.close();
}

async function check_change_points() {
  const found = await changePoints([100, 100, 100, null, 120, Number.NaN, 120n, 120]);
  assert.deepEqual(found, {
    points: [{ at: 4, before: 100, after: 120, countBefore: 3, countAfter: 3 }],
    exact: true,
    noise: 0,
  });
  const six = [500, 600, 650, 660, 640, 700];
  assert.deepEqual((await changePoints(six)).points, []);
  assert.deepEqual(
    (await changePoints(new Set(six), { exact: true })).points.map(point => point.at),
    [1, 2, 3, 4, 5],
  );
  assert.deepEqual((await changePoints([100, 100, 101], { threshold: 0.02 })).points, []);
  assert.deepEqual(await changePoints([]), { points: [], exact: true, noise: 0 });
  const [{ before, after }] = (await changePoints([2n ** 63n - 1n, -(2n ** 63n)])).points;
  assert.deepEqual([before, after], [2n ** 63n - 1n, -(2n ** 63n)]);
  // Noise of 2 % with a shift of 10 %: medians.
  let state = 1;
  const noise = () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647 - 0.5;
  };
  const noisy = Array.from({ length: 5000 }, (_, i) => Math.round(1e7 * (1 + 0.04 * noise() + (i < 3000 ? 0 : 0.1))));
  const { points, exact } = await changePoints(noisy);
  assert.deepEqual([points.map(point => point.at), exact], [[3000], false]);
  for (const wrong of [[1.5], ['1'], [2 ** 60], 5]) await assert.rejects(changePoints(wrong), TypeError);
  await assert.rejects(changePoints([2n ** 63n]), RangeError);
  for (const threshold of [-1, Number.NaN]) await assert.rejects(changePoints([1], { threshold }), RangeError);
  const module = readFileSync(require.resolve('callcost/change_points.wasm'));
  assert.equal((await changePoints([1, 2], { module })).points.length, 1);
  await refused('cannot-load', () => changePoints([1], { module: '/nonexistent.wasm' }), {
    message: /^the module of change points cannot be loaded: .*ENOENT.*\/nonexistent\.wasm/,
  });
  assert.deepEqual(['Ir', 'Bi', 'D1mr'].map(countsExactly), [true, true, false]);
}

async function check_differences() {
  const [before, after] = ['callgrind/instr.out', 'callgrind/default.out'];
  const wanted = from_command('diff', '--json', before, after);
  const found = await diff(bytes_of(before), bytes_of(after), { limit: 1000 });
  assert.deepEqual([found.total_before, found.total], [wanted.totals[0].cost.before, wanted.totals[0].cost.after]);
  const changes = wanted.functions
    .filter(row => row.self.delta !== 0)
    .map(row => [row.function, row.self.before, row.self.after]);
  const own = [...found.changed.map(row => row.function), ...found.added.rows, ...found.removed.rows].filter(
    row => row.self_before[0] !== row.self[0],
  );
  const unique = new Map(own.map(row => [row.name, [row.name, row.self_before[0], row.self[0]]]));
  assert.deepEqual([...unique.values()].sort(), changes.sort());

  const both = await open(bytes_of(after), { before: bytes_of(before) });
  const { rows } = await both.functions({ compare: true, sort: 'self_change', limit: 1 });
  assert.equal(
    Math.abs(rows[0].self[0] - rows[0].self_before[0]),
    Math.max(...changes.map(row => Math.abs(row[2] - row[1]))),
  );
  both.close();
  await refused('nothing-to-compare', async () => {
    const alone = await open(bytes_of(after));
    await alone.diff().finally(() => alone.close());
  });
}

async function check_tree() {
  const profile = await open(bytes_of('callgrind/default.out'));
  const tree = await profile.tree({ levels: 4 });
  const { frames } = await profile.ask({ ask: 'tree', levels: 4 });
  let count = 0;
  const stack = [...tree.roots];
  for (let node = stack.pop(); node; node = stack.pop()) {
    count++;
    assert.equal(node.kind === 'function', node.function !== null);
    assert.ok(node.inclusiveBounds.least <= node.inclusive && node.inclusive <= node.inclusiveBounds.most);
    assert.ok(node.selfBounds.least <= node.self && node.self <= node.selfBounds.most);
    stack.push(...node.children);
  }
  assert.equal(count, frames.kind.length);
  assert.equal(
    tree.roots.reduce((sum, root) => sum + root.inclusive, 0),
    tree.whole,
  );
  profile.close();
}

async function total_of(profile, options) {
  const opened = await open(profile, options);
  opened.close();
  return opened.about.events[0].total;
}

async function check_inputs() {
  const name = 'callgrind/default.out';
  const bytes = bytes_of(name);
  const total = 1962662;
  const own = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  for (const input of [
    bytes,
    new Uint8Array(own),
    own,
    new Blob([bytes]),
    new Blob([bytes]).stream(),
    createReadStream(join(profiles, name)),
    gzipSync(bytes),
    Buffer.concat([gzipSync(bytes.subarray(0, 5000)), gzipSync(bytes.subarray(5000))]),
  ])
    assert.equal(await total_of(input), total);
  assert.equal(await total_of(Buffer.from(zstandard, 'base64')), 30);
  const threads = ['01', '02', '03'].map(part => bytes_of(`callgrind/threads-separate.out-${part}`));
  const wanted = from_command(
    'top',
    '--json',
    ...['01', '02', '03'].map(part => `callgrind/threads-separate.out-${part}`),
  );
  assert.equal(await total_of(threads), wanted.total.Ir);
  const wasm = readFileSync(require.resolve('callcost/callcost.wasm'));
  assert.equal(await total_of(bytes, { engine: wasm }), total);
  assert.equal(await total_of(bytes, { engine: await WebAssembly.compile(wasm) }), total);
  const seen = [];
  await total_of({ name, data: bytes }, { onProgress: (...progress) => seen.push(progress) });
  assert.deepEqual(seen.at(-1), [name, bytes.length, bytes.length]);
}

// 'events: Ir\nfn=f\n1 10\n2 20\n'
const zstandard = 'KLUv/QRY0QAAZXZlbnRzOiBJcgpmbj1mCjEgMTAKMiAyMApF8AFc';

async function refused(code, call, { message, ...members } = {}) {
  const error = await call().then(
    () => assert.fail(`${code}: not refused`),
    reason => reason,
  );
  assert.ok(error instanceof CallcostError, `${code}: ${error.stack}`);
  assert.equal(error.code, code, error.message);
  if (message) assert.match(error.message, message);
  for (const [member, value] of Object.entries(members)) assert.equal(error[member], value, `${code}: ${member}`);
}

const text = string => new TextEncoder().encode(string);

async function check_errors() {
  await refused('not-a-profile', () => open({ name: 'readme', data: text('hello\nworld\n') }), {
    message: /^readme: /,
    file: 'readme',
    line: 1,
  });
  await refused('empty-file', () => open(new Uint8Array()));
  await refused('cannot-open', () => open(createReadStream('/nonexistent')), { message: /ENOENT/ });
  await refused('cannot-open', () => open(Buffer.from('fd377a585a0000', 'hex')), { message: /xz/ });
  await refused('cannot-open', () => open(gzipSync(Buffer.alloc(64 << 20, '\n')), { maxBytes: 1 << 20 }));
  await refused('cannot-open', () => open(new Blob([text('events: Ir\n')]).stream(), { maxBytes: 5 }));
  await refused('truncated-compression', () => open(gzipSync(text('events: Ir\n')).subarray(0, 8)));
  await refused('cannot-load', () => open(text('events: Ir\n'), { engine: '/nonexistent.wasm' }));
  await refused('cannot-load', () => open(text('events: Ir\n'), { engine: text('no module') }), {
    message: /^the engine cannot be loaded: what is there is no WebAssembly module$/,
  });
  await refused('engine-stopped', () => open(text('events: Ir\n'), { worker: '/nonexistent.js' }));
  await assert.rejects(open('callgrind.out'), TypeError);
  await assert.rejects(open(), TypeError);
  await assert.rejects(open([]), TypeError);
  await assert.rejects(open(bytes_of(real[0]), { signal: AbortSignal.abort() }), { name: 'AbortError' });

  const long_name = 'a'.repeat(40);
  const profile = await open(text(`events: Ir\nfn=${long_name}\n1 1\n`), { patience: 300 });
  await refused('bad-pattern', () => profile.functions({ search: '/(/' }));
  await refused('unknown-question', () => profile.ask({ ask: 'fnctions' }));
  await refused('unknown-event', () => profile.functions({ event: 'Dr' }));
  await refused('bad-request', () => profile.functions({ limit: -1 }));
  await assert.rejects(profile.function(), TypeError);
  await assert.rejects(profile.groups(), TypeError);
  await assert.rejects(profile.functions({}, { signal: AbortSignal.abort() }), { name: 'AbortError' });
  const { signal } = new AbortController(); // for many questions; Node.js would warn of listeners that are left
  for (let i = 0; i < 12; i++) await profile.functions({ offset: i }, { signal });
  const gone = new AbortController();
  const left = [profile.tree({}, gone), profile.functions({}, gone)];
  const given_up = Promise.all(left.map(answer => assert.rejects(answer, { name: 'AbortError' })));
  gone.abort();
  await given_up;
  // One that does not end in JavaScript; the next question is answered again.
  const endless = { search: '/^(a+)+b$/' };
  const [, after] = await Promise.all([refused('bad-pattern', () => profile.functions(endless)), profile.functions()]);
  assert.equal(after.rows[0].name, long_name);
  await refused('bad-pattern', () => profile.functions(endless));
  const waiting = [profile.functions({ offset: 1 }), profile.tree()];
  const told = Promise.all(waiting.map(answer => refused('closed', () => answer)));
  profile.close();
  await told;
  await refused('closed', () => profile.functions());
  profile.close();
}

process.on('warning', warning => assert.fail(warning.stack));
const begin = Date.now();
for (const check of [check_lists, check_groups, check_neighbours, check_change_points, check_differences, check_tree, check_inputs, check_errors])
  await check();
await open(bytes_of(real[0])); // never closed: the process ends all the same
console.log(`${real.length} profiles, ${Date.now() - begin} ms`);
