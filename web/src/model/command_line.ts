// The view as a command of callcost, and back.

import type { ProfileAnswer } from '../protocol/protocol';
import { patternOfFunction } from './filter';
import { levelOf, levels } from './levels';
import { chipKinds, firstState, type Name, type State } from './state';
import type { ViewId } from './views';

export interface CommandLine {
  text: string; // for a POSIX shell
  without: string[]; // what the view has and the command has not
}

// Of a row of the list of parts, as the file says it.
export interface PartNumbers {
  part?: number | string | undefined;
  thread?: number | string | undefined;
  pid?: number | string | undefined;
}

export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

// What a POSIX shell makes of a line without variables, redirections and the like; null if a quote is not closed.
export function wordsOf(line: string): string[] | null {
  const words: string[] = [];
  const piece = /\s*((?:[^\s'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+)/sy;
  while (piece.lastIndex < line.trimEnd().length) {
    const found = piece.exec(line);
    if (!found) return null;
    words.push(
      found[1]!.replace(/\\(.)|'([^']*)'|"((?:[^"\\]|\\.)*)"/gs, (_, bare, single, double) =>
        double !== undefined ? double.replace(/\\([$`"\\])/g, '$1') : (single ?? bare),
      ),
    );
  }
  return words;
}

const commands: Record<ViewId, string> = {
  functions: 'top',
  callers: 'peek',
  tree: 'tree',
  sandwich: 'tree',
  flame: 'tree',
  treemap: 'tree',
  graph: 'convert',
  source: 'annotate',
  code: 'asm',
  blocks: 'asm',
  parts: 'info',
  difference: 'diff',
};
const filtered = ['top', 'tree', 'annotate', 'diff'];
const sortKeys = ['self', 'inclusive', 'called', 'name'];

const ofFunction = (name: Name) => patternOfFunction(name.name + (name.context ?? '')).slice('function:'.length);

// --part, --thread, --pid that choose these rows of all parts; null if there are none.
function partOptions(rows: number[], all: readonly PartNumbers[]): string[] | null {
  const options: string[] = [];
  let chosen = all.map((_, row) => row);
  for (const kind of ['part', 'thread', 'pid'] as const) {
    const numberOf = (row: number) => String(all[row]?.[kind] ?? (kind === 'pid' ? 0 : 1)); // as the command takes it
    const values = new Set(rows.map(numberOf));
    const left = chosen.filter(row => values.has(numberOf(row)));
    if (left.length === chosen.length) continue;
    if (![...values].every(value => /^\d+$/.test(value))) return null;
    options.push(`--${kind}=${[...values].join(',')}`);
    chosen = left;
  }
  return chosen.length === new Set(rows).size ? options : null;
}

export function commandOf(state: State, profile: ProfileAnswer, parts: readonly PartNumbers[]): CommandLine {
  const without: string[] = [];
  const options: string[] = [];
  const compares = state.compare && profile.has.before && profile.before !== undefined;
  const { selection, group, options: of } = state;
  let command = commands[state.view as ViewId] ?? 'top';
  const isSandwich = state.view === 'sandwich';
  const hasAllCallers = state.view === 'callers' && of['callers.paths'] === 'all';
  if (hasAllCallers) command = 'tree';
  if ((command === 'peek' || command === 'asm' || isSandwich || hasAllCallers) && !selection) command = 'top';
  if (compares && command === 'top') command = 'diff';
  if (command === 'diff' && !profile.before) command = 'top';

  const pattern: string[] = [];
  if (command === 'peek' || command === 'asm') pattern.push(ofFunction(selection!));
  if (command === 'info') options.push('--parts');
  if (command === 'tree') {
    const name = of[`${state.view}.root`];
    const context = of[`${state.view}.root_context`] ?? '';
    const root = isSandwich || hasAllCallers ? selection : name ? { name, context, file: '', object: '' } : null;
    if (of[`${state.view}.direction`] === 'callers' || hasAllCallers) options.push('--inverted');
    if (root) options.push(`--root=${ofFunction(root)}`);
    if (isSandwich || hasAllCallers) without.push(isSandwich ? 'its callers' : 'its callees');
  }
  const level = levelOf(state);
  if (level !== 'function' && ['top', 'tree', 'peek'].includes(command)) options.push(`--group=${level}`);
  else if (level !== 'function') without.push('the level');
  if (command === 'asm' && of['code.syntax'] === 'intel') options.push('--intel');
  if (command === 'top' && level === 'function' && group.by !== 'none') {
    if (group.name === null) options.push(`--group=${group.by}`);
    else if (group.by === 'file' || group.by === 'object')
      options.push(`--${group.by}=${patternOfFunction(group.name).slice('function:'.length)}`);
    else without.push(`the ${group.by}`);
  } else if (command === 'diff' && group.by !== 'none') without.push('the groups');

  if (state.event) options.push(`--event=${state.event}`);
  if (state.second && (command === 'annotate' || command === 'asm'))
    options.push(`--columns=${state.event ?? profile.event},${state.second}`);
  else if (state.second) without.push('the second column');
  if (state.more.length > 0) without.push('further columns');
  if (command === 'convert' && selection) without.push('the function in the middle');
  for (const { kind, pattern } of state.chips) {
    if (!filtered.includes(command)) without.push(`--${kind}`);
    else if (group.by === kind && group.name !== null && command === 'top') without.push(`--${kind}`);
    else options.push(`--${kind}=${pattern}`);
  }
  if (state.search && (command === 'top' || (command === 'diff' && state.view === 'functions'))) {
    const expression = /^\/.+\/$/.test(state.search)
      ? state.search
      : `/(?i)${patternOfFunction(state.search).slice('function:/^'.length, -'$/'.length)}/`;
    if (group.by === 'none' && !state.chips.some(chip => chip.kind === 'show'))
      options.push(`--show=function:${expression}`);
    else without.push('the search');
  }
  const { by, ascending, column } = state.sort;
  if (command === 'diff' && by !== 'usual') without.push('the order');
  if (command === 'top') {
    if (sortKeys.includes(by) && by !== 'self') options.push(`--sort=${by}`);
    else if (by !== 'usual' && by !== 'self') without.push('the order');
    if (column || (by !== 'usual' && ascending !== (by === 'name'))) without.push('the order');
  }
  if (state.contexts && command !== 'info') options.push(`--contexts=${state.contexts}`);
  if (profile.inlined_option && command !== 'info') options.push(`--inlined=${profile.inlined_option}`);
  if (!state.cycles) without.push('the costs without cycles');
  if (state.parts.length > 0) {
    const chosen = partOptions(state.parts, parts);
    if (chosen) options.push(...chosen);
    else without.push('the parts');
  }
  if (compares && command !== 'diff') without.push('the comparison');

  // A file may be called -x.
  const names = (files: { name: string }[] | undefined) =>
    (files?.length ? files : [{ name: 'FILE' }]).map(({ name }) => (name.startsWith('-') ? `./${name}` : name));
  const files = names(profile.files);
  if (command === 'diff') {
    const before = names(profile.before?.files);
    if (before.length === 1 && files.length === 1) files.unshift(...before);
    else files.splice(0, files.length, ...before.map(one => `--old=${one}`), ...files.map(one => `--new=${one}`));
  }
  if (command === 'convert') files.push('-o', 'calls.svg');
  if (command === 'annotate') {
    const source = of['source.file'] || selection?.file;
    if (source) files.push(source);
  }
  return {
    text: ['callcost', command, ...options, ...pattern, ...files].map(quoted).join(' '),
    without: [...new Set(without)],
  };
}

// `/^main$/` with all characters that mean something escaped, or `main`; null for other expressions.
function nameOfPattern(pattern: string): Name | null {
  const text = pattern.replace(/^function:/, '');
  const exact = /^\/\^((?:[^\\^$.*+?()[\]{}|/]|\\.)*)\$\/$/s.exec(text);
  if (!exact && /^\/.*\/$/s.test(text)) return null;
  return text === '' ? null : { name: exact ? exact[1]!.replace(/\\(.)/gs, '$1') : text, file: '', object: '' };
}

const views: Record<string, ViewId> = {
  top: 'functions',
  peek: 'callers',
  tree: 'tree',
  annotate: 'source',
  asm: 'code',
  info: 'parts',
  diff: 'difference',
};
const flags = ['inverted', 'intel', 'parts', 'inclusive', 'json', 'csv', 'quiet', 'raw', 'source', 'hex', 'system'];
const withoutMeaning = [
  'json',
  'csv',
  'quiet',
  'raw',
  'parts',
  'limit',
  'n',
  'threshold',
  'o',
  'output',
  'I',
  'include',
];

export interface PageOfCommand {
  state: State;
  without: string[]; // options that the page has no member for
}

// The state that shows what a command prints; null if the line is no such command. `files` are those of the profile.
export function stateOfCommand(line: string, files: readonly string[] = []): PageOfCommand | null {
  const words = wordsOf(line.trim());
  if (words?.[0] !== 'callcost' || !words[1]) return null;
  const view = views[words[1]];
  if (!view) return null;
  const state: State = { ...structuredClone(firstState), view };
  const without: string[] = [];
  const others: string[] = [];
  for (let at = 2; at < words.length; at++) {
    const found = /^--?([a-zA-Z][a-z-]*)(?:=(.*))?$/s.exec(words[at]!);
    if (!found) {
      others.push(words[at]!);
      continue;
    }
    const name = found[1] === 'e' ? 'event' : found[1]!;
    const value = found[2] ?? (flags.includes(name) ? '' : (words[++at] ?? ''));
    const kind = chipKinds.find(known => known === name);
    if (kind) state.chips.push({ kind, pattern: value });
    else if (name === 'event') state.event = value;
    else if (name === 'sort' && sortKeys.includes(value)) state.sort = { by: value, ascending: value === 'name' };
    else if (name === 'inclusive') state.sort = { by: value === 'no' ? 'usual' : 'inclusive', ascending: false };
    else if (name === 'group' && value === 'cycle') state.group.by = value;
    else if (name === 'group') state.level = levels.find(one => one.level === value)?.level ?? 'function';
    else if (name === 'columns') {
      const [first, second] = value.split(',');
      if (!state.event && second) state.event = first!;
      state.second = second ?? (first !== state.event ? first! : null);
    } else if (name === 'contexts' && (value === 'keep' || value === 'fold')) state.contexts = value;
    else if (name === 'inverted') state.options['tree.direction'] = 'callers';
    else if (name === 'intel') state.options['code.syntax'] = 'intel';
    else if (name === 'root' && nameOfPattern(value)) state.options['tree.root'] = nameOfPattern(value)!.name;
    else if (!withoutMeaning.includes(name)) without.push(`--${name}`);
  }
  if (view === 'callers' || view === 'code') {
    state.selection = nameOfPattern(others[0] ?? '');
    if (!state.selection) return null;
  }
  if (view === 'parts' && !words.includes('--parts')) return null;
  const last = others.at(-1) ?? '';
  if (view === 'source' && others.length > 1 && !files.includes(last))
    state.options = { 'source.of': 'file', 'source.file': last };
  return { state, without };
}
