// All views, in the order of their keys but for those that have a letter: title, key, and why one may have nothing to show.

import type { Facts, ProfileAnswer } from '../protocol/protocol';

export interface Missing {
  title: string;
  text: string;
  command?: string; // that would give the data
}

// As in the address.
export type ViewId =
  | 'functions'
  | 'callers'
  | 'tree'
  | 'sandwich'
  | 'flame'
  | 'treemap'
  | 'graph'
  | 'source'
  | 'code'
  | 'blocks'
  | 'parts'
  | 'difference';

export interface View {
  id: ViewId;
  title: string;
  key: string; // on the keyboard
  ofFunction: boolean; // shows one function: the shell says which, and asks for one if there is none
  withoutFunction?: boolean; // has something to show if none is chosen
  unfiltered?: string; // the part that filters do not apply to
  missing?: (facts: Facts) => Missing | null; // why there is nothing to show
  hidden?: (facts: Facts) => boolean; // not in the list of views
}

const record = 'callcost record';

// In any view.
export function nothingMeasured(facts: ProfileAnswer): Missing | null {
  if (facts.counts.functions > 0 || (facts.before?.counts.functions ?? 0) > 0) return null;
  if (!/^callgrind-/.test(facts.creator ?? ''))
    return {
      title: 'No functions in this profile',
      text: 'Nothing was measured, or the file is truncated. The status bar shows diagnostics, if there are any.',
    };
  return {
    title: 'Nothing was measured',
    text: 'Callgrind writes such a file if collection was off for the whole run. Record without --instr-atstart=no, --collect-atstart=no and --toggle-collect.',
    command: `${record} PROGRAM`,
  };
}

function needsCalls(facts: Facts): Missing | null {
  if (facts.has.calls) return null;
  const why = facts.has.cachegrind ? ' (Cachegrind records no calls)' : '';
  return {
    title: 'This profile has no calls',
    text: `It has costs of functions and source lines, but not of calls${why}.`,
    command: `${record} PROGRAM`,
  };
}

function needsInstructions(facts: Facts): Missing | null {
  if (facts.has.instructions) return null;
  return {
    title: 'This profile has no instruction costs',
    text: 'Costs were recorded by source line, not by instruction.',
    command: `${record} PROGRAM`,
  };
}

function needsJumps(facts: Facts): Missing | null {
  if (!facts.has.instructions || !facts.has.jumps) {
    return {
      title: 'This profile has no control flow',
      text: 'The control flow graph needs instruction costs and jumps.',
      command: `${record} PROGRAM`,
    };
  }
  return null;
}

// Those that have something to show for this profile, or would if something was measured.
export function offeredViews(facts: Facts): View[] {
  return views.filter(view => !view.hidden?.(facts) && !view.missing?.(facts));
}

export const views: readonly View[] = [
  { id: 'functions', title: 'Functions', key: '1', ofFunction: false },
  {
    id: 'callers',
    title: 'Callers & callees',
    key: '2',
    ofFunction: true,
    unfiltered: 'this view',
    missing: needsCalls,
  },
  { id: 'tree', title: 'Call tree', key: 'e', ofFunction: false, missing: needsCalls },
  { id: 'sandwich', title: 'Sandwich', key: 's', ofFunction: true, missing: needsCalls },
  { id: 'flame', title: 'Flame graph', key: '3', ofFunction: false, missing: needsCalls },
  { id: 'treemap', title: 'Treemap', key: '4', ofFunction: false, missing: needsCalls },
  { id: 'graph', title: 'Call graph', key: '5', ofFunction: false, missing: needsCalls },
  {
    id: 'source',
    title: 'Source',
    key: '6',
    ofFunction: true,
    withoutFunction: true,
    unfiltered: 'the source text',
  },
  {
    id: 'code',
    title: 'Machine code',
    key: '7',
    ofFunction: true,
    unfiltered: 'this view',
    missing: needsInstructions,
  },
  {
    id: 'blocks',
    title: 'Control flow',
    key: '8',
    ofFunction: true,
    unfiltered: 'this view',
    missing: needsJumps,
  },
  {
    id: 'parts',
    title: 'Parts',
    key: '9',
    ofFunction: false,
    unfiltered: 'this view',
    hidden: facts => facts.counts.parts < 2,
  },
  {
    id: 'difference',
    title: 'Difference',
    key: '0',
    ofFunction: false,
    hidden: facts => !facts.has.before,
  },
];

// An address may name a view that there is not, or that has nothing to show for this profile.
export function missingView(id: string, facts: Facts): Missing | null {
  const view = views.find(one => one.id === id);
  if (!view) return { title: 'There is no such view', text: `The address names the view “${id.slice(0, 60)}”.` };
  if (!view.hidden?.(facts)) return null;
  return view.id === 'difference'
    ? { title: 'Nothing to compare with', text: 'There is no older profile.' }
    : { title: 'Only one part', text: 'This profile has no parts to choose from.' };
}

export function viewOf(id: string): View {
  return views.find(view => view.id === id) ?? views[0]!;
}
