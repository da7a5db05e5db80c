// Names of functions as they are shown: whole, or as the engine shortens them.

import type { State } from '../model/state';
import { printable } from '../model/visible';

type Named = { name: string; context?: string; short?: string; labels?: string[] };

export interface Names {
  short(func: Named): string; // unless the state says otherwise
  full(func: Named): string; // for tooltips
  labels(func: Named): string[]; // for boxes of any width: the name, and shorter and shorter ones
}

const address = /^0x0+([0-9a-f]+)$/i;

export function createNames(state: State): Names {
  const whole = (func: Named) => func.name + (func.context ?? '');
  return {
    short: func => printable((state.shorten && func.short) || whole(func)),
    full: func => printable(whole(func), 4000),
    labels(func) {
      const shorter = address.test(func.name) ? [func.name.replace(address, '0x$1')] : (func.labels ?? []);
      return [func.name, ...shorter].map(label => printable(label));
    },
  };
}
