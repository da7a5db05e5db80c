// Questions of every kind of docs/protocol.md, made of what earlier answers say.

const expressions = [
  'main',
  '^_',
  'a|b',
  '[A-Z][a-z]+',
  '::',
  '(?i)MAIN',
  '\\.so',
  '.',
  '\\d+$',
  '[[:alpha:]_]+\\(',
  '\\bstd\\b',
  'é',
  '\\pL{3}',
  '[^\\x00-\\x7f]',
  '(?i:STD)::',
  'x{2,3}',
  '\\Q(\\E',
  '(?s).\\n',
  'operator[<>]',
  '', // refused ones:
  '(',
  ')',
  '*',
  'a**',
  '[',
  '[z-a]',
  '\\1',
  '(?=a)',
  '(?<a>b)',
  'a{1001}',
  '\\y',
  '\\pX',
  '(a{100}){100}',
];

const wrong = [
  '',
  'null',
  '[]',
  '"functions"',
  '{"ask":"functions"',
  '{"ask":"nothing"}',
  '{"ask":1}',
  '{}',
  '{"ask":"functions","limit":-1}',
  '{"ask":"functions","limit":1e99}',
  '{"ask":"functions","limit":18446744073709551615}',
  '{"ask":"functions","offset":4294967296,"limit":4294967297}',
  '{"ask":"functions","sort":"beauty"}',
  '{"ask":"functions","columns":["nothing"]}',
  '{"ask":"functions","event":"Ir + "}',
  '{"ask":"functions","event":"3 Ir - 7"}',
  '{"ask":"functions","parts":[4294967296]}',
  '{"ask":"functions","parts":[99999]}',
  '{"ask":"functions","focus":"main"}',
  '{"ask":"functions","focus":[""]}',
  '{"ask":"function"}',
  '{"ask":"function","id":-4294967297}',
  '{"ask":"function","id":4294967296}',
  '{"ask":"function","id":0.5}',
  '{"ask":"source","file":4294967296}',
  '{"ask":"tree","root":99999999}',
  '{"ask":"tree","least":"0"}',
  '{"ask":"call_tree","path":[99999999]}',
  '{"ask":"call_tree","unfold":"/"}',
  '{"ask":"difference"}',
  '{"ask":"export","format":"nothing"}',
  '{"ask":"functions","search":"\\ud800"}',
  `{"ask":"functions","focus":${'['.repeat(100_000)}`,
  `{"ask":"functions","search":"${'x'.repeat(100_000)}"}`,
  `{"ask":"functions","search":"${'x'.repeat(1 << 20)}"}`,
];

const sorts = ['self', 'inclusive', 'called', 'per_call', 'name', 'file', 'object'];
const changes = ['self_change', 'inclusive_change', 'called_change'];
const groupings = ['object', 'file', 'directory', 'namespace', 'cycle'];

function spread(rows, count) {
  const step = Math.max(1, Math.floor(rows.length / count));
  return rows.filter((_row, i) => i % step === 0).slice(0, count);
}

function about_function({ id, name, file, object }, event) {
  return [
    { ask: 'find', name, file, object },
    { ask: 'function', id },
    { ask: 'function', id, sites: true, limit: 5, contexts: 'keep' },
    { ask: 'function', id, cycles: false },
    { ask: 'tree', root: id, frames: 300 },
    { ask: 'tree', root: id, direction: 'callers', recursion: 'unfold', frames: 300, levels: 6 },
    { ask: 'call_tree', root: id, unfold: 'hottest', limit: 8 },
    { ask: 'call_tree', direction: 'callers', path: [id], limit: 8 },
    { ask: 'graph', id },
    { ask: 'graph', id, callers: 1, callees: 9, node_share: 0, arc_share: 0, most: 20 },
    { ask: 'source', function: id },
    { ask: 'changed_lines', compare: true, id },
    { ask: 'instructions', id },
    { ask: 'instructions', id, syntax: 'intel' },
    { ask: 'parts', id },
    { ask: 'functions', focus: [`function:${name}`], limit: 20 },
    { ask: 'search', text: '_', focus: [`function:${name}`], limit: 20 },
    { ask: 'tree', focus: [`function:${name}`], frames: 50, event },
  ];
}

// Steps: the questions of each, and what to do with the answer to its last one, which makes the next steps.
export function* questions_about(is_comparison) {
  let profile, list, files;
  yield { questions: [{ ask: 'profile' }], answered: answer => (profile = answer) };
  const events = profile.events.map(event => event.name);
  const also = is_comparison ? { compare: true } : {};
  yield {
    questions: [
      ...sorts.map(sort => ({ ask: 'functions', sort, limit: 30, ...also })),
      { ask: 'functions', limit: 40, columns: events.slice(0, 3), ...also },
    ],
    answered: answer => (list = answer.rows ?? []),
  };
  const [first, last] = [events[0], events.at(-1)];
  yield {
    questions: [
      { ask: 'summary', ...also },
      { ask: 'summary', event: last },
      { ask: 'functions', event: last, ascending: true, limit: 25, offset: 3 },
      {
        ask: 'functions',
        columns: [first, last, `${first} + 10 ${last}`],
        sort: 'inclusive',
        sort_column: last,
        limit: 25,
      },
      { ask: 'functions', contexts: 'keep', limit: 25 },
      { ask: 'functions', cycles: false, sort: 'inclusive', limit: 25 },
      { ask: 'functions', hide: ['_'], ignore: ['object:libc'], show: ['a'], limit: 25 },
      { ask: 'functions', file: ['.c'], object: ['/'], limit: 25 },
      { ask: 'functions', parts: [1], limit: 25 },
      { ask: 'functions', threads: [1, 2], limit: 25 },
      { ask: 'functions', pids: [1], limit: 25 },
      ...groupings.flatMap(by => [
        { ask: 'groups', by, limit: 20, ...also },
        { ask: 'groups', by, sort: 'inclusive', columns: [last], search: 'a', limit: 20 },
      ]),
      ...['callees', 'callers'].flatMap(direction => [
        { ask: 'tree', direction, frames: 800, ...also },
        {
          ask: 'tree',
          direction,
          recursion: 'unfold',
          contexts: 'keep',
          frames: 400,
          levels: 12,
          least: 0.001,
          event: last,
        },
        { ask: 'call_tree', direction, unfold: 'hottest', limit: 10, ...also },
        { ask: 'call_tree', direction, unfold: 'hottest', least: 0.5, contexts: 'keep', event: last },
        { ask: 'call_tree', direction, unfold: 'matches', search: 'a', limit: 5, ...also },
        { ask: 'call_tree', direction, unfold: 'matches', focus: ['a'], hide: ['_'], limit: 20 },
      ]),
      { ask: 'graph', ...also },
      { ask: 'graph', node_share: 0.2, arc_share: 0.1, event: last },
      { ask: 'lines', limit: 30, ...also },
      { ask: 'lines', limit: 10, columns: [first, last], focus: ['a'] },
      { ask: 'parts', ...also },
      { ask: 'search', text: 'a', ...also },
      { ask: 'search', text: 'MA', limit: 5 },
      { ask: 'export', format: 'callgrind' },
      { ask: 'export', format: 'folded', ...also },
      { ask: 'export', format: 'speedscope', event: last },
      { ask: 'export', format: 'pprof' },
      { ask: 'status' },
      { ask: 'reload' },
      { ask: 'files', search: '.', limit: 20, ...also },
    ],
    answered: answer => (files = answer.rows ?? []),
  };
  if (is_comparison) {
    yield {
      questions: [
        ...changes.map(sort => ({ ask: 'functions', sort, limit: 30, compare: true, columns: [first, last] })),
        { ask: 'difference', compare: true },
        { ask: 'difference', compare: true, net: true },
        { ask: 'difference', compare: true, limit: 5, event: last, columns: [first, last] },
      ],
      answered: () => {},
    };
  }
  const chosen = spread(list, 4);
  for (const row of chosen) {
    const questions = about_function(row, last);
    if (is_comparison) questions.push(...questions.map(question => ({ ...question, compare: true })));
    yield { questions, answered: () => {} };
  }
  yield {
    questions: [
      ...spread(files, 3).flatMap(({ id }) => [
        { ask: 'source', file: id, ...also },
        { ask: 'source', file: id, columns: [last, first] },
      ]),
      ...spread(list, 3).map(({ name }) => ({ ask: 'functions', group: { by: 'namespace', name }, limit: 5 })),
      ...expressions.flatMap(expression => [
        { ask: 'functions', search: `/${expression}/`, limit: 12 },
        { ask: 'functions', focus: [`/${expression}/`], limit: 3 },
      ]),
      ...wrong,
    ],
    answered: () => {},
  };
}
