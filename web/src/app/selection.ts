// The selected function.

import { type Accessor, createMemo } from 'solid-js';
import { hasLevels, levelOf } from '../model/levels';
import { type Name, nameOf, sameName } from '../model/state';
import type { Func } from '../protocol/protocol';
import type { Answers } from './answers';
import type { HistoryMode } from './history';
import type { Navigation } from './navigation';

export interface Selected {
  id: number;
  name: Name;
}

export interface Selection {
  selected: Accessor<Selected | null | undefined>; // undefined until its id is known; null: none, or not in this profile
  select(func: Func | Name, history?: HistoryMode): void; // in the same view
  activate(func: Func | Name, view?: string): void; // and go to a view that shows it
  isSelected(func: Func | Name): boolean;
  idOf(func: () => Name | null): Accessor<number | null | undefined>; // as of the selected one; null: none
  remember(func: Func): void; // its id was in an answer
  forget(): void; // all ids
}

function keyOf(name: Name | Func): string {
  return JSON.stringify([name.name, name.context ?? '', name.file, name.object]);
}

export function createSelection(
  { state, update }: Navigation,
  answers: Answers,
  comparing: Accessor<boolean>,
): Selection {
  const known = new Map<string, number>();

  // Which id a function has now. Those that were seen in an answer are known without asking; that of a removed function
  // is one in comparisons only.
  function idOf(wanted: () => Name | null) {
    const name = createMemo(
      () => {
        const now = wanted();
        return now && { ...now };
      },
      undefined,
      { equals: sameName },
    );
    const knownId = () => {
      const now = name();
      const id = now ? known.get(keyOf(now)) : undefined;
      return id !== undefined && (id >= 0 || comparing()) ? id : undefined;
    };
    const found = answers.follow(() => {
      const now = name();
      if (!now || knownId() !== undefined) return null;
      return {
        ask: 'find' as const,
        name: now.name + (now.context ?? ''),
        ...(now.file && { file: now.file }),
        ...(now.object && { object: now.object }),
        ...(state.contexts && { contexts: state.contexts }),
        ...(levelOf(state) !== 'function' && { level: levelOf(state) }),
        ...(comparing() && { compare: true }),
      };
    });
    const id = createMemo(() => {
      const isFound = found.current(); // again, when the profile was read again
      if (!name()) return null;
      const id = knownId();
      if (id !== undefined) return id;
      if (!isFound) return undefined;
      return found.error() ? null : (found.value()?.id ?? null);
    });
    return { name, id };
  }

  // A group has no source and no code.
  const isOfView = () => levelOf(state) === state.level;
  const selection = idOf(() => (isOfView() ? state.selection : null));
  const selected = createMemo<Selected | null | undefined>(() => {
    const name = selection.name();
    const id = selection.id();
    if (!name) return null;
    return typeof id === 'number' ? { id, name } : id;
  });
  function remember(func: Func | Name) {
    if ('id' in func) known.set(keyOf(func), func.id);
  }

  return {
    selected,
    select(func, mode = 'push') {
      remember(func);
      if (!sameName(state.selection, func) || !isOfView())
        update({ selection: nameOf(func), level: levelOf(state) }, mode);
    },
    activate(func, view = 'callers') {
      remember(func);
      const level = levelOf(state);
      update({ selection: hasLevels(view) || level === 'function' ? nameOf(func) : null, view, level });
    },
    isSelected: func => sameName(state.selection, func),
    idOf: func => idOf(func).id,
    remember,
    forget: () => known.clear(),
  };
}
