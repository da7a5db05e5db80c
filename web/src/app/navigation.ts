// What the page shows: the state, how it is changed, and the way back.

import { batch } from 'solid-js';
import { createStore, reconcile, unwrap } from 'solid-js/store';
import type { Relative, State } from '../model/state';
import { createHistory, type History, type HistoryMode, stateOfAddress } from './history';
import { remember } from './storage';

export interface Navigation {
  state: State; // a solid store: reading a member in JSX or an effect follows it
  history: History;
  update(patch: Partial<State>, history?: HistoryMode): void;
  go(view: string): void;
  showNumbers(relative: Relative): void; // from now on
  option(key: string, usual: string): string; // of a view: option('flame.direction', 'callees')
  setOption(key: string, value: string | null, history?: HistoryMode): void;
}

// `first`: the fragment that an address without one stands for.
export function createNavigation(firstView: string, first = ''): Navigation {
  const ofAddress = () => stateOfAddress(firstView, first);
  const [state, setState] = createStore<State>(ofAddress());
  const { write, ...history } = createHistory(state, ofAddress, next => setState(reconcile(next)));

  function update(patch: Partial<State>, mode: HistoryMode = 'push') {
    batch(() => {
      for (const member of Object.keys(patch) as (keyof State)[]) {
        const value = patch[member];
        if (value !== undefined) setState(member, typeof value === 'object' ? reconcile(value as never) : value);
      }
    });
    write(mode);
  }

  return {
    state,
    history,
    update,
    go: view => update({ view }),
    showNumbers(relative) {
      remember('numbers', relative);
      update({ relative }, 'replace');
    },
    option: (key, usual) => state.options[key] ?? usual,
    setOption(key, value, mode = 'replace') {
      const options = { ...unwrap(state).options };
      if (value === null) delete options[key];
      else options[key] = value;
      update({ options }, mode);
    },
  };
}
