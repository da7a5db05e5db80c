// What is looked at in a listing: chosen, in the address, gone to from one hot or found place to the next.

import { type Accessor, createEffect, createMemo, createSignal, type JSX, on, onCleanup, Show } from 'solid-js';
import type { App } from '../../app';
import { IconButton } from '../../components/icon_button';
import { add, type Cost } from '../../model/cost';
import { hot_rows, next_of, type Weight } from '../../model/heat';

export interface Walk {
  active: Accessor<number>;
  go_to: Accessor<{ at: number }>; // to be brought in sight, when this changes
  choose(at: number): void;
  go(at: number): void;
  stops: Accessor<readonly number[]>;
  step(direction: 1 | -1): void;
  go_to_hottest(): void;
  search: Accessor<string>;
  unfold_all: Accessor<boolean>;
  toggle_unfold(): void;
}

export function use_walk(
  app: App,
  view: 'source' | 'code',
  of: {
    where(): unknown; // what is listed: another begins anew
    in_address(): number | undefined;
    save(at: number): void; // to the address
    hottest(): number;
    weights(): readonly Weight[];
    found(wanted: string): readonly number[];
  },
): Walk {
  const in_address = createMemo(of.in_address);
  const begin = () => in_address() ?? of.hottest();
  const [active, set_active] = createSignal(begin());
  const [go_to, set_go_to] = createSignal({ at: active() });
  function look_at(at: number) {
    set_active(at);
    set_go_to({ at });
  }
  createEffect(on(of.where, () => look_at(begin()), { defer: true }));
  // Another place in the address: a link, or the browser's back.
  createEffect(
    on(
      in_address,
      wanted => {
        if (wanted !== undefined && wanted !== active()) look_at(wanted);
      },
      { defer: true },
    ),
  );
  let timer: ReturnType<typeof setTimeout> | undefined;
  onCleanup(() => clearTimeout(timer));
  function choose(at: number) {
    set_active(at);
    clearTimeout(timer);
    timer = setTimeout(() => of.save(at), 300);
  }
  function go(at: number) {
    choose(at);
    set_go_to({ at });
  }
  const go_to_hottest = () => go(of.hottest());

  const search = () => app.state.search.trim();
  const hot = createMemo(() => {
    const weights = of.weights();
    return hot_rows(
      weights,
      weights.reduce<Cost>((sum, { cost }) => add(sum, cost), 0),
    );
  });
  const found = createMemo(() => (search() ? of.found(search()) : []));
  const stops = () => (search() ? found() : hot());
  function step(direction: 1 | -1) {
    const next = next_of(stops(), active(), direction);
    if (next !== null) go(next);
  }
  createEffect(
    on(
      search,
      () => {
        const next = next_of(found(), active() - 1, 1);
        if (next !== null) go(next);
      },
      { defer: true },
    ),
  );

  const unfold_all = () => app.option(`${view}.unfold`, 'no') === 'all';
  const toggle_unfold = () => app.set_option(`${view}.unfold`, unfold_all() ? null : 'all');
  app.keys(event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (event.key === 'n') step(1);
    else if (event.key === 'p') step(-1);
    else if (event.key === 'h') go_to_hottest();
    else if (event.key === 'u') toggle_unfold();
    else return false;
    return true;
  });
  return { active, go_to, choose, go, stops, step, go_to_hottest, search, unfold_all, toggle_unfold };
}

// How many stops there are, and the way to them.
export function Stops(props: { walk: Walk; what: 'line' | 'instruction'; hot: string }): JSX.Element {
  const { stops, active, step, search, go_to_hottest } = props.walk;
  const at = () => stops().indexOf(active());
  return (
    <Show when={stops().length > 0}>
      <span class="muted source-wide" aria-live="polite">
        {at() >= 0 ? `${at() + 1} of ${stops().length}` : stops().length} {search() ? 'found' : props.hot}
      </span>
      <IconButton icon="up" label={`Previous hot ${props.what}`} title="Previous ( p )" on_press={() => step(-1)} />
      <IconButton icon="down" label={`Next hot ${props.what}`} title="Next ( n )" on_press={() => step(1)} />
      <button
        type="button"
        class="button quiet"
        title={`The ${props.what} that costs most ( h )`}
        onClick={go_to_hottest}
      >
        Hottest
      </button>
    </Show>
  );
}
