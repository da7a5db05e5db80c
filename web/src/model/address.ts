// State to and from the fragment of the page's address: #view&member=value&... Defaults are left out.

import { levels } from './levels';
import { type Chip, chipKinds, firstState, type Name, relatives, type State } from './state';

// Escapes as little as possible, but also what chats and terminals do not take as part of a link.
export function escaped(text: string): string {
  return encodeURIComponent(toWellFormed(text)).replace(
    /%(20|2F|3A|2C|40|7C)/gi,
    code => ({ '%20': '+', '%2F': '/', '%3A': ':', '%2C': ',', '%40': '@', '%7C': '|' })[code.toUpperCase()] ?? code,
  );
}

// encodeURIComponent fails on half a surrogate pair.
function toWellFormed(text: string): string {
  return text.replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, '\uFFFD');
}

export function unescaped(text: string): string {
  try {
    return decodeURIComponent(text.replace(/\+/g, ' '));
  } catch {
    return text;
  }
}

const longestFragment = 60_000;

export function encode(state: State): string {
  const pairs: [string, string][] = [];
  const put = (member: string, value: string | null | undefined) => {
    if (value) pairs.push([member, value]);
  };
  const { selection: name, group, sort } = state;
  if (name) {
    pairs.push(['fn', name.name]);
    put('context', name.context);
    put('in', name.file);
    put('of', name.object);
  }
  put('event', state.event);
  put('second', state.second);
  for (const column of state.more) put('column', column);
  if (state.relative !== firstState.relative) put('numbers', state.relative);
  for (const chip of state.chips) put(chip.kind, chip.pattern);
  put('search', state.search);
  if (group.by !== 'none') put('group', group.by);
  if (group.by !== 'none' && group.name !== null) pairs.push(['member', group.name]);
  if (sort.by !== firstState.sort.by) put('sort', sort.by);
  put('by', sort.column);
  if (sort.ascending) put('order', 'ascending');
  if (!state.compare) put('compare', 'no');
  put('parts', state.parts.join(','));
  if (!state.cycles) put('cycles', 'no');
  if (state.level !== firstState.level) put('level', state.level);
  put('contexts', state.contexts);
  if (!state.shorten) put('templates', 'long');
  for (const key of Object.keys(state.options).sort()) put(key, state.options[key]);

  let text = escaped(state.view);
  for (const [member, value] of pairs) {
    const more = `&${escaped(member)}=${escaped(value)}`;
    if (text.length + more.length <= longestFragment) text += more;
  }
  return text;
}

// `usual` is what holds where the fragment says nothing.
export function decode(fragment: string, usual: Partial<State> = {}): State {
  const [view, ...rest] = fragment.replace(/^#/, '').split('&');
  const state: State = { ...structuredClone(firstState), ...usual };
  if (view) state.view = unescaped(view);
  let name: Name | null = null;
  for (const pair of rest) {
    const at = pair.indexOf('=');
    if (at < 0) continue;
    const member = unescaped(pair.slice(0, at));
    const value = unescaped(pair.slice(at + 1));
    if (member === 'fn') name = { name: value, file: '', object: '' };
    else if (name && member === 'context') name.context = value;
    else if (name && member === 'in') name.file = value;
    else if (name && member === 'of') name.object = value;
    else decodeMember(state, member, value);
  }
  state.selection = name;
  return state;
}

const groups = ['object', 'file', 'directory', 'namespace', 'cycle'] as const;

function decodeMember(state: State, member: string, value: string) {
  const kind = chipKinds.find(known => known === member);
  if (kind) {
    const chip: Chip = { kind, pattern: value };
    state.chips.push(chip);
    return;
  }
  switch (member) {
    case 'event':
      state.event = value;
      break;
    case 'second':
      state.second = value;
      break;
    case 'column':
      if (state.more.length < 32) state.more.push(value);
      break;
    case 'numbers':
      state.relative = relatives.find(one => one === value) ?? state.relative;
      break;
    case 'search':
      state.search = value;
      break;
    case 'group':
      state.group.by = groups.find(by => by === value) ?? 'none';
      break;
    case 'member':
      state.group.name = value;
      break;
    case 'sort':
      state.sort.by = value;
      break;
    case 'by':
      state.sort.column = value;
      break;
    case 'order':
      state.sort.ascending = value === 'ascending';
      break;
    case 'compare':
      state.compare = value !== 'no';
      break;
    case 'parts':
      state.parts = value
        .split(',')
        .filter(part => /^\d{1,9}$/.test(part))
        .map(Number);
      break;
    case 'cycles':
      state.cycles = value !== 'no';
      break;
    case 'level':
      state.level = levels.find(one => one.level === value)?.level ?? 'function';
      break;
    case 'contexts':
      state.contexts = value === 'keep' ? 'keep' : value === 'fold' ? 'fold' : null;
      break;
    case 'templates':
      state.shorten = value !== 'long';
      break;
    default:
      if (/^[a-z_]+\.[a-z_]+$/.test(member)) state.options[member] = value;
  }
}
