// Names of functions as they are shown.

import { shorten } from '../model/names';
import type { State } from '../model/state';
import { printable } from '../model/visible';

type Named = { name: string; context?: string };

export interface Names {
  short(func: Named): string; // template arguments folded, unless the state says otherwise
  full(func: Named): string; // for tooltips
}

export function createNames(state: State): Names {
  const whole = (func: Named) => func.name + (func.context ?? '');
  return {
    short: func => printable(state.shorten ? shorten(whole(func)) : whole(func)),
    full: func => printable(whole(func), 4000),
  };
}
