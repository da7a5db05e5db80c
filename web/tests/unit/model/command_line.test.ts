import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { decode, encode } from '../../../src/model/address';
import { commandOf, quoted, stateOfCommand, wordsOf } from '../../../src/model/command_line';
import { commonOf, type State } from '../../../src/model/state';
import type { ProfileAnswer } from '../../../src/protocol/protocol';

const profile = (before?: string[], files = ['PROFILE']) =>
  ({
    event: 'Ir',
    has: { before: before !== undefined },
    files: files.map(name => ({ name, bytes: 0, lines: 0 })),
    ...(before && { before: { files: before.map(name => ({ name, bytes: 0, lines: 0 })) } }),
  }) as unknown as ProfileAnswer;
const textOf = (state: Partial<State>, of = profile(), parts = [{}]) =>
  commandOf({ ...decode(''), ...state }, of, parts);

const rows = readFileSync(new URL('commands.tsv', import.meta.url), 'utf8')
  .split('\n')
  .filter(line => line !== '' && !line.startsWith('#'))
  .map(line => line.split('\t') as [string, string, string?]);

test.each(rows)('%s is a command, and the command is that address', (fragment, command, question) => {
  const state = decode(fragment);
  expect(commandOf(state, profile(), [])).toEqual({ text: command, without: [] });
  const page = stateOfCommand(command, ['PROFILE'])!;
  expect(encode(page.state)).toBe(fragment.replaceAll('^', '%5E'));
  expect(page.without).toEqual([]);
  if (question) expect({ ask: 'functions', ...commonOf(state, 'Ir', false) }).toEqual(JSON.parse(question));
});

test('words survive the shell', () => {
  for (const word of ['', 'a b', "it's", '$HOME `x` "y" \\', 'new\nline', '*', '-x', 'ä', '#', '~'])
    expect(wordsOf(`a ${quoted(word)} b`)).toEqual(['a', word, 'b']);
  expect(wordsOf('a "b \\" c"\\ d  e')).toEqual(['a', 'b " c d', 'e']);
  expect(wordsOf("a 'b")).toBeNull();
  expect(wordsOf('a \\')).toBeNull();
});

test('a search is a pattern of names, in either case', () => {
  expect(textOf({ search: 'a.b' }).text).toBe("callcost top '--show=function:/(?i)a\\.b/' PROFILE");
  expect(textOf({ search: '/^a/' }).text).toBe("callcost top '--show=function:/^a/' PROFILE");
  expect(textOf({ search: 'a', chips: [{ kind: 'show', pattern: 'b' }] }).without).toEqual(['the search']);
});

test('inlined code is treated as on the page', () => {
  const inlined = { ...profile(), inlined_option: 'no' as const };
  expect(textOf({}, inlined).text).toBe('callcost top --inlined=no PROFILE');
  expect(textOf({ view: 'parts' }, inlined).text).toBe('callcost info --parts PROFILE');
});

test('both directions around a function are one of the command', () => {
  const selection = { name: 'f', file: 'f.c', object: 'o' };
  expect(textOf({ view: 'sandwich', selection })).toEqual({
    text: "callcost tree '--root=/^f$/' PROFILE",
    without: ['its callers'],
  });
  expect(textOf({ view: 'callers', selection, options: { 'callers.paths': 'all' } })).toEqual({
    text: "callcost tree --inverted '--root=/^f$/' PROFILE",
    without: ['its callees'],
  });
  expect(textOf({ view: 'sandwich' }).text).toBe('callcost top PROFILE');
});

test('two profiles are compared by diff', () => {
  expect(textOf({ view: 'difference' }, profile(['old']))).toEqual({
    text: 'callcost diff old PROFILE',
    without: [],
  });
  expect(textOf({ event: 'Dr' }, profile(['a', 'b'], ['-c'])).text).toBe(
    'callcost diff --event=Dr --old=a --old=b --new=./-c',
  );
  const chips: State['chips'] = [
    { kind: 'focus', pattern: 'parse' },
    { kind: 'hide', pattern: 'a b' },
  ];
  const filtered = textOf({ view: 'difference', chips }, profile(['old']));
  expect(filtered).toEqual({ text: "callcost diff --focus=parse '--hide=a b' old PROFILE", without: [] });
  const page = stateOfCommand(filtered.text, ['PROFILE'])!;
  expect(page.without).toEqual([]);
  expect({ view: page.state.view, chips: page.state.chips }).toEqual({ view: 'difference', chips });
  expect(textOf({ search: 'x' }, profile(['old'])).text).toBe("callcost diff '--show=function:/(?i)x/' old PROFILE");
  expect(textOf({ view: 'flame' }, profile(['old'])).without).toEqual(['the comparison']);
  expect(textOf({ compare: false }, profile(['old']))).toEqual({ text: 'callcost top PROFILE', without: [] });
});

test('parts are chosen by their numbers, as far as these choose just them', () => {
  const parts = [
    { part: 1, thread: 1 },
    { part: 1, thread: 2 },
    { part: 2, thread: 1 },
    { part: 2, thread: 2 },
  ];
  expect(textOf({ parts: [0, 1] }, profile(), parts).text).toBe('callcost top --part=1 PROFILE');
  expect(textOf({ parts: [3] }, profile(), parts).text).toBe('callcost top --part=2 --thread=2 PROFILE');
  expect(textOf({ parts: [0, 3] }, profile(), parts).without).toEqual(['the parts']);
});

test('what the command has no option for is named', () => {
  expect(textOf({ second: 'Dr', more: ['Dw'] }).without).toEqual(['the second column', 'further columns']);
  expect(textOf({ view: 'source', second: 'Dr' }).text).toBe('callcost annotate --columns=Ir,Dr PROFILE');
  expect(textOf({ sort: { by: 'per_call', ascending: false } }).without).toEqual(['the order']);
  expect(textOf({ cycles: false }).without).toEqual(['the costs without cycles']);
  expect(textOf({ group: { by: 'object', name: '/lib/x.so' } }).text).toBe(
    "callcost top '--object=/^\\/lib\\/x\\.so$/' PROFILE",
  );
  expect(textOf({ group: { by: 'namespace', name: 'std' } }).without).toEqual(['the namespace']);
});

test('other lines are no commands that the page shows', () => {
  for (const line of [
    '',
    'top',
    'callcost',
    'callcost record x',
    "callcost top 'x",
    'callcost info x',
    'callcost peek /^a/',
  ])
    expect(stateOfCommand(line)).toBeNull();
  const addressOf = (line: string) => encode(stateOfCommand(line, ['x.out', 'y.out'])!.state);
  expect(addressOf('callcost top -e Dr --focus a --inclusive x.out')).toBe('functions&event=Dr&focus=a&sort=inclusive');
  expect(addressOf('callcost peek --limit 5 malloc x.out')).toBe('callers&fn=malloc');
  expect(addressOf('callcost asm --context 3 -n 5 f x.out')).toBe('code&fn=f');
  expect(addressOf('callcost annotate x.out y.out')).toBe('source');
  expect(addressOf('callcost annotate -I src x.out a.c')).toBe('source&source.file=a.c&source.of=file');
  expect(addressOf('callcost annotate --columns=Dr,Ir x.out')).toBe('source&event=Dr&second=Ir');
  expect(stateOfCommand("callcost peek '/^a.*b$/' x.out")).toBeNull();
  expect(stateOfCommand('callcost top --part 3 --limit 9 x.out')!.without).toEqual(['--part']);
});
