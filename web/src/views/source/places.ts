// The file and line that are shown, kept in the address for links and history.

import { createMemo } from 'solid-js';
import type { App } from '../../app/app';
import { type Name, nameOf, type State } from '../../model/state';
import type { Func } from '../../protocol/protocol';

export interface SourcePlace {
  file?: string; // its name in the profile; missing: the function's own
  line?: number;
}

function keyOf(name: Name | null): string {
  return name ? name.name + (name.context ?? '') : '';
}

// Files by name, from answers.
const knownFiles = new WeakMap<object, Map<string, number>>();

function filesOf(app: App): Map<string, number> {
  const profile = app.profile();
  let files = knownFiles.get(profile);
  if (!files) {
    files = new Map();
    knownFiles.set(profile, files);
  }
  return files;
}

export function rememberFiles(app: App, files: readonly { id: number; name: string }[]) {
  const known = filesOf(app);
  for (const { id, name } of files) known.set(name, id);
}

// A location belongs to the function it was chosen for.
export function chosenPlace(app: App): SourcePlace {
  if (app.navigation.option('source.func', '') !== keyOf(app.state.selection)) return {};
  const file = app.navigation.option('source.file', '');
  const line = Number(app.navigation.option('source.line', ''));
  return { ...(file && { file }), ...(Number.isSafeInteger(line) && line >= 0 && { line }) };
}

export function optionsAt(state: State, selection: Name | null, place: SourcePlace): State['options'] {
  const { 'source.file': _file, 'source.line': _line, 'source.func': _func, ...others } = state.options;
  const options: State['options'] = { ...others };
  if (place.file !== undefined) options['source.file'] = place.file;
  if (place.line !== undefined) options['source.line'] = String(place.line);
  if (Object.keys(options).length > Object.keys(others).length) options['source.func'] = keyOf(selection);
  return options;
}

// Goes to a line of a file, of a function or of all.
export function goToPlace(app: App, func: Func | Name | null, place: SourcePlace, of: 'function' | 'file') {
  const selection = func ? nameOf(func) : app.state.selection;
  const options = optionsAt(app.state, selection, place);
  if (of === 'file') options['source.of'] = 'file';
  else delete options['source.of'];
  app.navigation.update({ selection, view: 'source', options, ...(func && { level: 'function' as const }) });
}

// The id of a file by its name; undefined: not known yet, null: there is none.
export function useFileId(app: App, name: () => string | undefined) {
  const known = () => {
    const wanted = name();
    return wanted === undefined ? undefined : filesOf(app).get(wanted);
  };
  const found = app.answers.follow(() => {
    const wanted = name();
    if (wanted === undefined || known() !== undefined) return null;
    return app.answers.question({ ask: 'files' as const, search: wanted, limit: 1000 });
  });
  return createMemo<number | null | undefined>(() => {
    const wanted = name();
    if (wanted === undefined) return null;
    const id = known();
    if (id !== undefined) return id;
    if (found.error()) return null;
    const answer = found.value();
    return answer && found.current() ? (answer.rows.find(row => row.name === wanted)?.id ?? null) : undefined;
  });
}
