// What the engine says where input breaks off and memory ends.

const encoder = new TextEncoder();

// The module with another limit of its memory: in the section of memories, flags, pages at first, pages at most.
function with_pages(bytes, pages) {
  const memory_section = 5;
  const copy = Uint8Array.from(bytes);
  let at = 8;
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = copy[at++];
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  };
  for (;;) {
    const section = copy[at++];
    const end = number() + at;
    if (section === memory_section) break;
    at = end;
  }
  at += 2; // one memory, with a limit
  number();
  const begin = at;
  number();
  for (let rest = pages, i = begin; i < at; i++, rest >>>= 7) copy[i] = (rest & 0x7f) | (i + 1 < at ? 0x80 : 0);
  return copy;
}

// Another function in every line, without end.
function endless() {
  let rest = encoder.encode('events: Ir\n');
  let number = 0;
  return to => {
    if (rest.length === 0) {
      const lines = Array.from({ length: 500 }, () => `fn=function_${++number}\n${number} 1\n`);
      rest = encoder.encode(lines.join(''));
    }
    const piece = rest.subarray(0, to.length);
    to.set(piece);
    rest = rest.subarray(piece.length);
    return piece.length;
  };
}

function breaking(text, reason) {
  let is_first = true;
  return to => {
    if (!is_first) throw reason;
    is_first = false;
    return encoder.encodeInto(text, to).written;
  };
}

// Where the engine of a page with this seed lies.
async function place_of_engine(bytes, seed) {
  const module = await WebAssembly.compile(bytes);
  const page = Object.fromEntries(WebAssembly.Module.imports(module).map(({ name }) => [name, () => 0]));
  const { exports } = await WebAssembly.instantiate(module, { page });
  exports._initialize();
  return exports.create(seed);
}

const id_of = answer => (answer === '' ? '' : JSON.parse(answer).error?.id);

export async function limit_failures({ instantiate, BrokenInput }, bytes) {
  const failures = [];
  const expect = (what, found, wanted) => {
    if (found !== wanted) failures.push(`${what}: ${found}, and not ${wanted}`);
  };
  const made = async (code = bytes) => instantiate(await WebAssembly.compile(code));

  const places = await Promise.all([1, 5_000_000].map(seed => place_of_engine(bytes, seed)));
  expect('the heap begins at the same place whatever the seed', places[0] === places[1], false);

  const small = await made(with_pages(bytes, 512));
  expect('a profile without end', id_of(small.read('after', 'endless', 0, endless())), 'out-of-memory');
  expect('opening without memory', id_of(small.open()), 'out-of-memory');
  expect('a question without memory', id_of(small.ask('{"ask":"profile"}')), 'out-of-memory');

  const unopened = await made();
  expect('a question before a profile', id_of(unopened.ask('{"ask":"profile"}')), 'bad-request');
  expect('opening nothing', unopened.open(), '');
  expect('a question about nothing', id_of(unopened.ask('{"ask":"profile"}')), 'bad-request');

  const profile = 'events: Ir\nfn=f\n1 10\n2 20\n';
  for (const [what, diagnostic] of [
    ['compression', 'truncated-compression'],
    ['reading', 'read-failed'],
  ]) {
    const engine = await made();
    expect(what, engine.read('after', 'cut', 0, breaking(profile, new BrokenInput(what))), '');
    engine.open();
    const { diagnostics, events } = JSON.parse(engine.ask('{"ask":"profile"}'));
    expect(`total before broken ${what}`, events[0].total, 30);
    expect(
      `broken ${what} noted`,
      diagnostics.rows.some(row => row.id === diagnostic),
      true,
    );
  }
  const nothing = await made();
  expect(
    'nothing readable',
    id_of(nothing.read('after', 'cut', 0, breaking('', new BrokenInput('reading')))),
    'empty-file',
  );

  const sourced = await made();
  sourced.addSource({ name: 'caf\u00e9.c', path: '/src/caf\u00e9.c', isGuess: true, text: encoder.encode('int f;\n') });
  const latin1 = Uint8Array.from(
    Buffer.from('events: Ir\nfl=caf\u00e9.c\nfn=f\n1 1\nfl=other.c\nfn=g\n1 1\n', 'latin1'),
  );
  let is_read = false;
  sourced.read('after', 'latin1', 0, to => {
    if (is_read) return 0;
    is_read = true;
    to.set(latin1);
    return latin1.length;
  });
  sourced.open();
  const { rows } = JSON.parse(sourced.ask('{"ask":"files"}'));
  const text_of = name =>
    JSON.parse(sourced.ask(JSON.stringify({ ask: 'source', file: rows.find(row => row.name === name).id })));
  expect('source text by its name', text_of('caf\u00e9.c').text, 'int f;\n');
  expect('the path of it', text_of('caf\u00e9.c').path, '/src/caf\u00e9.c');
  expect('no source text', text_of('other.c').problem.message, 'the text of this file is not in this page');
  return failures;
}
