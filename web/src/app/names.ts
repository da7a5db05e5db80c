// Names of functions as they are shown: whole, or as the engine shortens them.

import type { State } from '../model/state';
import { printable } from '../model/visible';
import type { Func } from '../protocol/protocol';

type Named = Pick<Func, 'name' | 'context' | 'context_text' | 'short' | 'labels'>;

export interface Names {
  short(func: Named): string; // unless the state says otherwise
  pieces(func: Named): { name: string; context: string }; // the same in two
  full(func: Named): string; // for tooltips
  labels(func: Named): string[]; // for boxes of any width: the name, and shorter and shorter ones
}

const address = /^0x0+([0-9a-f]+)$/i;

export function createNames(state: State): Names {
  const pieces = (func: Named) => ({
    name: printable((state.shorten && func.short) || func.name),
    context: printable(func.context_text ?? func.context ?? ''),
  });
  return {
    pieces,
    short(func) {
      const { name, context } = pieces(func);
      return name + context;
    },
    full: func => printable(func.name + (func.context_text ?? func.context ?? ''), 4000),
    labels(func) {
      const shorter = address.test(func.name) ? [func.name.replace(address, '0x$1')] : (func.labels ?? []);
      return [func.name, ...shorter].map(label => printable(label));
    },
  };
}
