// The menu of a function.

import type { App } from '../app/app';
import { patternOfMember, patternOfPath, sameChip } from '../model/filter';
import { hasLevels, levelOf } from '../model/levels';
import { baseName } from '../model/names';
import { type ChipKind, functionOptions, nameOf } from '../model/state';
import { offeredViews } from '../model/views';
import { printable } from '../model/visible';
import type { Func } from '../protocol/protocol';
import type { MenuItem } from './menu';

export function functionMenu(app: App, func: Func, rowText?: string): MenuItem[] {
  const facts = app.profile();
  const add = (kind: ChipKind, pattern: string) => {
    const chip = { kind, pattern };
    if (!app.state.chips.some(one => sameChip(one, chip))) app.navigation.update({ chips: [...app.state.chips, chip] });
  };
  const isFunction = levelOf(app.state) === 'function';
  const name = patternOfMember(func, levelOf(app.state));
  const go = offeredViews(facts)
    .filter(view => hasLevels(view.id) || isFunction)
    .filter(view => view.id !== app.state.view && (view.ofFunction || ['graph', 'flame'].includes(view.id)))
    .map((view): MenuItem => ({ label: view.title, key: view.key, run: () => app.selection.activate(func, view.id) }));
  const treeOf = (direction: 'callees' | 'callers'): MenuItem => ({
    label: `Call tree of its ${direction}`,
    run: () => {
      app.selection.remember(func);
      const options = { ...functionOptions('tree.root', func), 'tree.direction': direction, 'tree.open': null };
      const kept = Object.entries({ ...app.state.options, ...options }).filter(([, value]) => value !== null);
      app.navigation.update({
        selection: nameOf(func),
        view: 'tree',
        options: Object.fromEntries(kept) as Record<string, string>,
      });
    },
  });
  const { historyOf } = app;
  return [
    ...go,
    ...(facts.has.calls ? [treeOf('callees'), treeOf('callers')] : []),
    ...(historyOf && isFunction
      ? [{ label: 'History of this function', run: () => location.assign(historyOf(func)) }]
      : []),
    { kind: 'title', label: 'Filter' },
    ...(name
      ? (['focus', 'ignore', 'hide'] as const).map(kind => ({
          label: kind[0]!.toUpperCase() + kind.slice(1),
          run: () => add(kind, name),
        }))
      : []),
    ...(func.file
      ? [
          {
            label: `Only file ${printable(baseName(func.file), 40)}`,
            run: () => add('file', patternOfPath(func.file)),
          },
        ]
      : []),
    ...(func.object
      ? [
          {
            label: `Only object ${printable(baseName(func.object), 40)}`,
            run: () => add('object', patternOfPath(func.object)),
          },
        ]
      : []),
    { kind: 'title', label: 'Copy' },
    { label: 'Copy name', run: () => void app.copy(func.name + (func.context ?? ''), 'the name') },
    ...(rowText === undefined
      ? []
      : [{ label: 'Copy row', key: 'Ctrl+C', run: () => void app.copy(rowText, 'the row') }]),
  ];
}
