// The active row of a listing: kept in the address, moved between hot rows or matches.

import { type Accessor, createEffect, createMemo, createSignal, type JSX, on, onCleanup, Show } from 'solid-js';
import type { App } from '../../app/app';
import { IconButton } from '../../components/icon_button';
import { hotRows, nextOf, type Weight } from '../../model/heat';
import { add, type Cost } from '../../protocol/cost';

export interface Walk {
  active: Accessor<number>;
  goTo: Accessor<{ at: number }>; // to scroll to when this changes
  choose(at: number): void;
  go(at: number): void;
  stops: Accessor<readonly number[]>;
  step(direction: 1 | -1): void;
  goToHottest(): void;
  search: Accessor<string>;
  unfoldAll: Accessor<boolean>;
  toggleUnfold(): void;
}

export function useWalk(
  app: App,
  view: 'source' | 'code',
  of: {
    where(): unknown; // what is listed: another begins anew
    inAddress(): number | undefined;
    save(at: number): void; // to the address
    hottest(): number;
    weights(): readonly Weight[];
    found(wanted: string): readonly number[];
  },
): Walk {
  const inAddress = createMemo(of.inAddress);
  const begin = () => inAddress() ?? of.hottest();
  const [active, setActive] = createSignal(begin());
  const [goTo, setGoTo] = createSignal({ at: active() });
  function lookAt(at: number) {
    setActive(at);
    setGoTo({ at });
  }
  createEffect(on(of.where, () => lookAt(begin()), { defer: true }));
  // Another place in the address: a link, or the browser's back.
  createEffect(
    on(
      inAddress,
      wanted => {
        if (wanted !== undefined && wanted !== active()) lookAt(wanted);
      },
      { defer: true },
    ),
  );
  let timer: ReturnType<typeof setTimeout> | undefined;
  onCleanup(() => clearTimeout(timer));
  function choose(at: number) {
    setActive(at);
    clearTimeout(timer);
    timer = setTimeout(() => of.save(at), 300);
  }
  function go(at: number) {
    choose(at);
    setGoTo({ at });
  }
  const goToHottest = () => go(of.hottest());

  const search = () => app.state.search.trim();
  const hot = createMemo(() => {
    const weights = of.weights();
    return hotRows(
      weights,
      weights.reduce<Cost>((sum, { cost }) => add(sum, cost), 0),
    );
  });
  const found = createMemo(() => (search() ? of.found(search()) : []));
  const stops = () => (search() ? found() : hot());
  function step(direction: 1 | -1) {
    const next = nextOf(stops(), active(), direction);
    if (next !== null) go(next);
  }
  createEffect(
    on(
      search,
      () => {
        const next = nextOf(found(), active() - 1, 1);
        if (next !== null) go(next);
      },
      { defer: true },
    ),
  );

  const unfoldAll = () => app.navigation.option(`${view}.unfold`, 'no') === 'all';
  const toggleUnfold = () => app.navigation.setOption(`${view}.unfold`, unfoldAll() ? null : 'all');
  app.keys.add(event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (event.key === 'n') step(1);
    else if (event.key === 'p') step(-1);
    else if (event.key === 'h') goToHottest();
    else if (event.key === 'u') toggleUnfold();
    else return false;
    return true;
  });
  return { active, goTo, choose, go, stops, step, goToHottest, search, unfoldAll, toggleUnfold };
}

// How many stops there are, and the way to them.
export function Stops(props: { walk: Walk; what: 'line' | 'instruction'; hot: string }): JSX.Element {
  const { stops, active, step, search, goToHottest } = props.walk;
  const at = () => stops().indexOf(active());
  return (
    <Show when={stops().length > 0}>
      <span class="muted source-wide" aria-live="polite">
        {at() >= 0 ? `${at() + 1} of ${stops().length}` : stops().length} {search() ? 'found' : props.hot}
      </span>
      <IconButton icon="up" label={`Previous hot ${props.what}`} title="Previous ( p )" onPress={() => step(-1)} />
      <IconButton icon="down" label={`Next hot ${props.what}`} title="Next ( n )" onPress={() => step(1)} />
      <button type="button" class="button quiet" title={`Most expensive ${props.what} ( h )`} onClick={goToHottest}>
        Hottest
      </button>
    </Show>
  );
}
