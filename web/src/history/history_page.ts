// What all parts of the page of a store get: its state, which is in the address, and questions.

import { onCleanup } from 'solid-js';
import { createStore, reconcile, unwrap } from 'solid-js/store';
import { type Asking, createAsking } from '../app/answers';
import type { Engine } from '../engine/engine';
import { decodeHistory, encodeHistory, type HistoryState } from '../model/history_state';

export interface HistoryPage {
  state: HistoryState; // a solid store
  asking: Asking;
  go(part: Partial<HistoryState>, mode?: 'push' | 'replace'): void;
  to(part: Partial<HistoryState>): string; // the address of what is shown now, but for these
}

export function createHistoryPage(engine: Engine): HistoryPage {
  const [state, setState] = createStore(decodeHistory(location.hash));
  const take = (next: HistoryState) => setState(reconcile(next));
  const follow = () => take(decodeHistory(location.hash));
  window.addEventListener('hashchange', follow);
  onCleanup(() => window.removeEventListener('hashchange', follow));
  return {
    state,
    asking: createAsking(engine),
    to: part => encodeHistory({ ...state, ...part }),
    go(part, mode = 'push') {
      const next = { ...unwrap(state), ...part };
      const fragment = encodeHistory(next);
      if (fragment !== (location.hash || '#')) history[`${mode}State`](null, '', fragment);
      take(next);
    },
  };
}
