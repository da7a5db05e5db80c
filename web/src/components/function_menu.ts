// What can be done with a function, wherever one is shown.

import type { App } from '../app';
import type { Func } from '../engine/protocol';
import { pattern_of_function, pattern_of_path, same_chip } from '../model/filter';
import { base_name } from '../model/names';
import type { ChipKind } from '../model/state';
import { printable } from '../model/visible';
import { views } from '../views/registry';
import type { MenuItem } from './menu';

export function function_menu(app: App, func: Func, row_text?: string): MenuItem[] {
  const facts = app.profile();
  const add = (kind: ChipKind, pattern: string) => {
    const chip = { kind, pattern };
    if (!app.state.chips.some(one => same_chip(one, chip))) app.update({ chips: [...app.state.chips, chip] });
  };
  const name = pattern_of_function(func.name);
  const go = views
    .filter(view => view.id !== app.state.view && (view.of_function || ['graph', 'flame'].includes(view.id)))
    .filter(view => !view.missing?.(facts) && !view.hidden?.(facts))
    .map((view): MenuItem => ({ label: view.title, key: view.key, run: () => app.activate(func, view.id) }));
  return [
    ...go,
    { kind: 'title', label: 'Filter' },
    { label: 'Focus on it', run: () => add('focus', name) },
    { label: 'Ignore it', run: () => add('ignore', name) },
    { label: 'Hide it', run: () => add('hide', name) },
    ...(func.file
      ? [
          {
            label: `Only file ${printable(base_name(func.file), 40)}`,
            run: () => add('file', pattern_of_path(func.file)),
          },
        ]
      : []),
    ...(func.object
      ? [
          {
            label: `Only object ${printable(base_name(func.object), 40)}`,
            run: () => add('object', pattern_of_path(func.object)),
          },
        ]
      : []),
    { kind: 'title', label: 'Copy' },
    { label: 'Copy name', run: () => void app.copy(func.name + (func.context ?? ''), 'the name') },
    ...(row_text === undefined
      ? []
      : [{ label: 'Copy row', key: 'Ctrl+C', run: () => void app.copy(row_text, 'the row') }]),
  ];
}
