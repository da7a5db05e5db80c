// The state in the page's address, and the browser's history of it.

import { createSignal, onCleanup, untrack } from 'solid-js';
import { unwrap } from 'solid-js/store';
import { decode, encode } from '../model/address';
import { firstState, relatives, type State } from '../model/state';
import { recall } from './storage';

export type HistoryMode = 'push' | 'replace';

export interface History {
  canBack(): boolean;
  canForward(): boolean;
  back(): void;
  forward(): void;
}

// What the address does not say is as it was chosen last. `view` is the first one, `first` what an empty address means.
export function stateOfAddress(view: string, first: string): State {
  return decode(location.hash.slice(1) || first, {
    view,
    relative: relatives.find(one => one === recall('numbers')) ?? firstState.relative,
  });
}

// `take` gets the state of the address after going back or forward.
export function createHistory(
  state: State,
  ofAddress: () => State,
  take: (state: State) => void,
): History & { write(mode: HistoryMode): void } {
  let place = 0;
  const [here, setHere] = createSignal({ place: 0, last: 0 });

  function follow() {
    const now = (history.state as { place?: number } | null)?.place;
    place = typeof now === 'number' ? now : place + 1;
    setHere(({ last }) => ({ place, last: Math.max(last, place) }));
    take(ofAddress());
  }
  const known = (history.state as { place?: number } | null)?.place;
  if (typeof known === 'number') place = known;
  setHere({ place, last: place });
  window.addEventListener('popstate', follow);
  onCleanup(() => window.removeEventListener('popstate', follow));

  return {
    write(mode) {
      const fragment = `#${encode(unwrap(state))}`;
      if (mode === 'push' && fragment === location.hash) return;
      if (mode === 'push') place++;
      const last = mode === 'push' ? place : Math.max(place, untrack(here).last);
      try {
        history[mode === 'push' ? 'pushState' : 'replaceState']({ place }, '', fragment);
      } catch {
        location.replace(fragment); // browsers that allow no states at file:// addresses
      }
      setHere({ place, last });
    },
    canBack: () => here().place > 0,
    canForward: () => here().place < here().last,
    back: () => history.back(),
    forward: () => history.forward(),
  };
}
