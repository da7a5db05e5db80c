// What the page of a store shows, as a value: all of it lives in the fragment of its address. And the addresses of that
// page and of the pages of entries.

import type { Entry, EntryId, HistoryChoice, ProfileAnswer } from '../protocol/protocol';
import { encode, escaped, unescaped } from './address';
import { minute } from './format';
import { firstState, type Name } from './state';
import { printable } from './visible';

export type HistoryTab = 'changes' | 'functions' | 'entries';

export interface HistoryState {
  series: string | null; // null: all
  func: Name | null; // costs are those of this function, else the totals
  event: string; // '': the usual one
  branch: string; // '': the main one
  allBranches: boolean;
  machine: string; // '': all
  tags: string[];
  since: number; // seconds; 0: from the first on
  until: number;
  inclusive: boolean;
  tab: HistoryTab;
  search: string;
}

export const firstHistory: HistoryState = {
  series: null,
  func: null,
  event: '',
  branch: '',
  allBranches: false,
  machine: '',
  tags: [],
  since: 0,
  until: 0,
  inclusive: false,
  tab: 'changes',
  search: '',
};

const isoTime = (time: number) => minute(time) && new Date(time * 1000).toISOString().slice(0, 19);
const timeOf = (text: string) => Math.floor(Date.parse(`${text}Z`) / 1000) || 0;

const texts = ['event', 'branch', 'machine', 'search'] as const;
const times = ['since', 'until'] as const;

export function encodeHistory(part: Partial<HistoryState>): string {
  const state = { ...firstHistory, ...part };
  const { func } = state;
  const pairs = [
    ['series', state.series],
    ['fn', func?.name],
    ['in', func?.file],
    ['of', func?.object],
    ['cost', state.inclusive && 'inclusive'],
    ['branches', state.allBranches && 'all'],
    ['tab', state.tab !== firstHistory.tab && state.tab],
    ...texts.map(member => [member, state[member]]),
    ...times.map(member => [member, state[member] && isoTime(state[member])]),
    ...state.tags.map(tag => ['tag', tag]),
  ].filter((pair): pair is [string, string] => !!pair[1]);
  return `#${pairs.map(([member, value]) => `${member}=${escaped(value)}`).join('&')}`;
}

export function decodeHistory(fragment: string): HistoryState {
  const pairs = fragment
    .replace(/^#/, '')
    .split('&')
    .map(pair => [pair.replace(/=.*/, ''), unescaped(pair.replace(/^[^=]*=?/, ''))] as const);
  const said = new Map(pairs);
  const text = (member: string) => said.get(member) ?? '';
  const tab = text('tab');
  const state: HistoryState = {
    ...firstHistory,
    series: text('series') || null,
    func: text('fn') ? { name: text('fn'), file: text('in'), object: text('of') } : null,
    inclusive: text('cost') === 'inclusive',
    allBranches: text('branches') === 'all',
    tags: pairs.flatMap(([member, value]) => (member === 'tag' && value ? [value] : [])),
  };
  if (tab === 'functions' || tab === 'entries') state.tab = tab;
  for (const member of texts) state[member] = text(member);
  for (const member of times) state[member] = timeOf(text(member));
  return state;
}

// Members of the questions.
export function choiceOf({ func, inclusive, ...state }: HistoryState): HistoryChoice {
  return {
    event: state.event,
    branch: state.branch,
    all_branches: state.allBranches,
    machine: state.machine,
    tags: [...state.tags],
    ...(state.since && { since: state.since }),
    ...(state.until && { until: state.until }),
    ...(func && { ...func, inclusive }),
  };
}

// From any page of the server.
export function historyAddress(part: Partial<HistoryState>): string {
  return `?history${encodeHistory(part)}`;
}

// The profile of an entry, with an old one their comparison; `func` is selected in it.
export function profileAddress(
  { series, entry }: Pick<Entry, 'series' | 'entry'>,
  before?: EntryId,
  { func = null, event = '' }: Partial<HistoryState> = {},
): string {
  const view = before ? 'difference' : func ? 'callers' : 'functions';
  const fragment = encode({ ...firstState, view, selection: func, event: event || null });
  return `?series=${escaped(series)}&entry=${entry}${before ? `&before=${before}` : ''}#${fragment}`;
}

// The commit, abbreviated, with a + if it was modified; without one the time. As the command does.
export function commitLabel({ commit, modified, time }: { commit: string; modified?: boolean; time: number }): string {
  return commit ? printable(commit.slice(0, 12)) + (modified ? '+' : '') : minute(time);
}

// "parse 1a2b3c4d5e6f 2026-11-25"
export function entryTitle(entry: Entry): string {
  const label = commitLabel(entry);
  const day = minute(entry.time).slice(0, 10);
  return [printable(entry.series, 120), label, ...(label.startsWith(day) ? [] : [day])].join(' ');
}

// Of a page that shows a profile: an entry's name, or what was profiled; and the same of the old one.
export function profileTitle({ entry, title }: ProfileAnswer): string {
  return entry ? entryTitle(entry) : printable(title, 200);
}
export function oldTitle({ entry, entry_before: old, before }: ProfileAnswer): string {
  if (old) return old.series === entry?.series ? commitLabel(old) : entryTitle(old);
  return printable(before?.files[0]?.name ?? before?.title ?? '', 120);
}

export function entryFacts(entry: Entry): string {
  const { commit, modified, branch, time, machine, tags } = entry;
  const facts = [commit && commit + (modified ? '+' : ''), branch, `${minute(time)} UTC`, machine, ...tags];
  return facts
    .filter(fact => fact)
    .map(fact => printable(fact, 200))
    .join(', ');
}
