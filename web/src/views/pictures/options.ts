// Options of a picture, kept in the address.

import type { App } from '../../app/app';
import type { HistoryMode } from '../../app/history';
import type { Navigation } from '../../app/navigation';
import type { Name } from '../../model/state';

export type Options = Record<string, string | null>;

// Sets several; null resets to the default.
export function setOptions(app: App, patch: Options, mode: HistoryMode = 'replace') {
  const options = { ...app.state.options };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete options[key];
    else options[key] = value;
  }
  app.navigation.update({ options }, mode);
}

export function oneOf<T extends string>(navigation: Navigation, key: string, values: readonly T[]): T {
  const value = navigation.option(key, values[0]!);
  return values.find(known => known === value) ?? values[0]!;
}

export function numberOption(navigation: Navigation, key: string, usual: number, least: number, most: number): number {
  const value = Number(navigation.option(key, ''));
  return navigation.option(key, '') !== '' && value >= least && value <= most ? value : usual;
}

// As functionOptions() has it.
export function functionOption(navigation: Navigation, prefix: string): Name | null {
  const name = navigation.option(prefix, '');
  if (name === '') return null;
  const context = navigation.option(`${prefix}_context`, '');
  return {
    name,
    ...(context && { context }),
    file: navigation.option(`${prefix}_file`, ''),
    object: navigation.option(`${prefix}_object`, ''),
  };
}
