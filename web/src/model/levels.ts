// What functions are taken together by, in the views of functions and calls.

import type { Level } from '../protocol/protocol';

export const levels: readonly { level: Level; label: string; one: string; many: string }[] = [
  { level: 'function', label: 'Functions', one: 'function', many: 'functions' },
  { level: 'namespace', label: 'Classes and namespaces', one: 'class or namespace', many: 'classes and namespaces' },
  { level: 'file', label: 'Files', one: 'file', many: 'files' },
  { level: 'directory', label: 'Directories', one: 'directory', many: 'directories' },
  { level: 'object', label: 'Libraries', one: 'library', many: 'libraries' },
];

const ofFunctions = ['source', 'code', 'blocks', 'parts', 'difference'];

export const hasLevels = (view: string) => !ofFunctions.includes(view);

// That of the view that is shown.
export const levelOf = (state: { view: string; level: Level }): Level =>
  hasLevels(state.view) ? state.level : 'function';

// What is selected, zoomed and begun at is of one level.
export function atLevel(state: { options: Readonly<Record<string, string>> }, level: Level) {
  const isPlace = (key: string) => /\.(root|middle|zoom|open|group)/.test(key);
  return {
    level,
    selection: null,
    options: Object.fromEntries(Object.entries(state.options).filter(([key]) => !isPlace(key))),
  };
}

export function nextLevel(level: Level): Level {
  const at = levels.findIndex(one => one.level === level);
  return levels[(at + 1) % levels.length]!.level;
}
