// What every view gets: the engine, the profile, the state and what is commonly done with them.

import {
  type Accessor,
  batch,
  createEffect,
  createMemo,
  createSignal,
  type JSX,
  onCleanup,
  onMount,
  untrack,
} from 'solid-js';
import { createStore, reconcile, unwrap } from 'solid-js/store';
import type { Engine } from './engine/engine';
import type { Answer, Common, Func, ProfileAnswer, Question } from './engine/protocol';
import { decode, encode } from './model/address';
import { type Cost, share } from './model/cost';
import { brief, exact, percent } from './model/format';
import { shorten } from './model/names';
import { columns_of, common_of, type Name, name_of, type State, same_name } from './model/state';
import { printable } from './model/visible';
import { create_palette, type Palette } from './theme';

export type HistoryMode = 'push' | 'replace';

// An answer that follows what is asked. The last one stays until the next is there.
export interface Asked<T> {
  value: Accessor<T | undefined>;
  error: Accessor<Error | undefined>;
  waiting: Accessor<boolean>; // for so long that it should be seen
  current: Accessor<boolean>; // whether `value` answers the present question
}

export interface Selected {
  id: number;
  name: Name;
}

export interface Tip {
  x: number;
  y: number;
  content: () => JSX.Element;
}

// True if the key was for this handler.
export type KeyHandler = (event: KeyboardEvent) => boolean;

export interface App {
  engine: Engine;
  kind: 'server' | 'page';
  profile: Accessor<ProfileAnswer>;
  set_profile(profile: ProfileAnswer): void;

  state: State; // a solid store: reading a member in JSX or an effect follows it
  update(patch: Partial<State>, history?: HistoryMode): void;
  option(key: string, usual: string): string; // of a view: option('flame.direction', 'callees')
  set_option(key: string, value: string | null, history?: HistoryMode): void;
  go(view: string): void;
  place: { can_back(): boolean; can_forward(): boolean; back(): void; forward(): void };

  // The question with the members that all have from the state: app.question({ ask: 'tree', direction: 'callees' }).
  question<Q extends Question>(members: Q): Q;
  common: Accessor<Common>;
  use_answer<Q extends Question>(question: () => Q | null): Asked<Answer<Q>>;
  ask<Q extends Question>(question: Q): Promise<Answer<Q>>;

  event: Accessor<string>; // what is measured by, never null
  columns: Accessor<string[]>; // with the second event; further columns of lists come after these (columns_of)
  comparing: Accessor<boolean>;
  base(column?: number, of_before?: boolean): Cost; // what is 100 %; 0: nothing is
  total(column?: number): Cost | null; // null: not known, or it does not add up
  unit: Accessor<string>; // behind a number: "Ir"
  totals: Asked<Answer<{ ask: 'functions' }>>; // rejects if a filter or a formula is wrong

  // The function that is looked at, undefined until its id is known; null: none, or not in this profile.
  selected: Accessor<Selected | null | undefined>;
  select(func: Func | Name, history?: HistoryMode): void; // look at it, in the same view
  activate(func: Func | Name, view?: string): void; // and go to a view that shows it
  is_selected(func: Func | Name): boolean;
  id_of(func: () => Name | null): Accessor<number | null | undefined>; // as of the selected one; null: none
  remember(func: Func): void; // its id was in an answer

  name(func: { name: string; context?: string }): string; // as it is shown: shortened, visible
  full_name(func: { name: string; context?: string }): string;
  cell(cost: Cost | null, parent?: Cost, column?: number, of_before?: boolean): string; // in a table: exact, or a percentage
  label(cost: Cost | null, parent?: Cost, column?: number): string; // in a picture: brief, or a percentage
  full(cost: Cost, column?: number, of_before?: boolean): string; // in a tooltip: "1,234,567 Ir (12.34 %)"

  palette: Accessor<Palette>; // for canvases; follows the theme
  keys(handler: KeyHandler): void; // while the calling component is there; before the page's own keys
  handle_key(event: KeyboardEvent): boolean;
  tip: { show(x: number, y: number, content: () => JSX.Element): void; hide(): void; now: Accessor<Tip | null> };
  toast(text: string): void;
  toasts: Accessor<{ number: number; text: string }[]>;
  copy(text: string, what: string): Promise<void>; // "what" is said in the toast

  pictures: Accessor<Picture[]>; // what the present view can save of itself: pictures, tables
  offer_picture(picture: Picture): void; // while the calling component is there
}

export interface Picture {
  label: string; // "Picture (SVG)"
  save(): void;
}

function address_fragment(): string {
  return location.hash.slice(1);
}

function create_history(state: State, take: (state: State) => void) {
  let place = 0;
  const [here, set_here] = createSignal({ place: 0, last: 0 });

  function write(mode: HistoryMode) {
    const fragment = `#${encode(unwrap(state))}`;
    if (mode === 'push' && fragment === location.hash) return;
    if (mode === 'push') place++;
    const last = mode === 'push' ? place : Math.max(place, untrack(here).last);
    try {
      history[mode === 'push' ? 'pushState' : 'replaceState']({ place }, '', fragment);
    } catch {
      location.replace(fragment); // browsers that allow no states at file:// addresses
    }
    set_here({ place, last });
  }
  function follow() {
    const now = (history.state as { place?: number } | null)?.place;
    place = typeof now === 'number' ? now : place + 1;
    set_here(({ last }) => ({ place, last: Math.max(last, place) }));
    take(decode(address_fragment()));
  }
  const known = (history.state as { place?: number } | null)?.place;
  if (typeof known === 'number') place = known;
  set_here({ place, last: place });
  window.addEventListener('popstate', follow);
  onCleanup(() => window.removeEventListener('popstate', follow));

  return {
    write,
    place: {
      can_back: () => here().place > 0,
      can_forward: () => here().place < here().last,
      back: () => history.back(),
      forward: () => history.forward(),
    },
  };
}

export function use_answer<Q extends Question>(engine: () => Engine, question: () => Q | null): Asked<Answer<Q>> {
  const [value, set_value] = createSignal<Answer<Q>>();
  const [error, set_error] = createSignal<Error>();
  const [waiting, set_waiting] = createSignal(false);
  const [current, set_current] = createSignal(false);
  createEffect(() => {
    const asked = question();
    const asked_engine = engine();
    set_current(false);
    if (!asked) {
      batch(() => {
        set_value(undefined);
        set_error(undefined);
        set_waiting(false);
      });
      return;
    }
    const stop = new AbortController();
    const patience = setTimeout(() => set_waiting(true), 150);
    const done = (change: () => void) => {
      if (stop.signal.aborted) return;
      clearTimeout(patience);
      batch(() => {
        change();
        set_waiting(false);
        set_current(true);
      });
    };
    asked_engine.ask(asked, stop.signal).then(
      answer =>
        done(() => {
          set_value(() => answer);
          set_error(undefined);
        }),
      (reason: Error) => done(() => set_error(reason)),
    );
    onCleanup(() => {
      clearTimeout(patience);
      stop.abort();
    });
  });
  return { value, error, waiting, current };
}

// Which id a function has now. Those that were seen in an answer are known without asking; that of a function that is
// gone is one in comparisons only.
function use_id(
  app: Pick<App, 'use_answer' | 'comparing' | 'state'>,
  known: ReadonlyMap<string, number>,
  wanted: () => Name | null,
): Accessor<number | null | undefined> {
  const known_id = () => {
    const name = wanted();
    const id = name ? known.get(key_of(name)) : undefined;
    return id !== undefined && (id >= 0 || app.comparing()) ? id : undefined;
  };
  const found = app.use_answer(() => {
    const name = wanted();
    if (!name || known_id() !== undefined) return null;
    return {
      ask: 'find' as const,
      name: name.name + (name.context ?? ''),
      ...(name.file && { file: name.file }),
      ...(name.object && { object: name.object }),
      ...(app.state.contexts === 'keep' && { contexts: 'keep' as const }),
      ...(app.comparing() && { compare: true }),
    };
  });
  return createMemo(() => {
    const is_found = found.current(); // again, when the profile was read again
    if (!wanted()) return null;
    const id = known_id();
    if (id !== undefined) return id;
    if (!is_found) return undefined;
    return found.error() ? null : (found.value()?.id ?? null);
  });
}

function key_of(name: Name | Func): string {
  return JSON.stringify([name.name, name.context ?? '', name.file, name.object]);
}

function create_tips() {
  const [now, set_now] = createSignal<Tip | null>(null);
  return {
    now,
    show: (x: number, y: number, content: () => JSX.Element) => set_now({ x, y, content }),
    hide: () => set_now(null),
  };
}

function create_toasts() {
  const [toasts, set_toasts] = createSignal<{ number: number; text: string }[]>([]);
  let numbers = 0;
  function toast(text: string) {
    const number = ++numbers;
    set_toasts(all => [...all.slice(-2), { number, text }]);
    setTimeout(() => set_toasts(all => all.filter(one => one.number !== number)), 4000);
  }
  return { toasts, toast };
}

// The clipboard of pages that browsers do not trust (file:// in some) is reached by a selection only.
async function to_clipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    area.className = 'offscreen';
    document.body.append(area);
    const before = document.activeElement;
    area.select();
    const copied = document.execCommand('copy');
    area.remove();
    if (before instanceof HTMLElement) before.focus();
    return copied;
  }
}

export function create_app(opened: { engine: Engine; kind: App['kind']; profile: ProfileAnswer }): App {
  const { engine } = opened;
  const [profile, set_profile_signal] = createSignal(opened.profile);
  const [state, set_state] = createStore<State>(decode(address_fragment()));
  const known = new Map<string, number>();
  const handlers: KeyHandler[] = [];
  const [generation, set_generation] = createSignal(0);

  const { write, place } = create_history(state, next => set_state(reconcile(next)));
  function update(patch: Partial<State>, mode: HistoryMode = 'push') {
    batch(() => {
      for (const member of Object.keys(patch) as (keyof State)[]) {
        const value = patch[member];
        if (value !== undefined) set_state(member, typeof value === 'object' ? reconcile(value as never) : value);
      }
    });
    write(mode);
  }

  const event = () => state.event ?? profile().event;
  const columns = createMemo(() => columns_of({ ...state, more: [] }, profile().event));
  const can_compare = () => profile().has.before;
  const comparing = () => can_compare() && state.compare;
  const common = createMemo(() => common_of(state, profile().event, can_compare()), undefined, {
    equals: (a, b) => JSON.stringify(a) === JSON.stringify(b),
  });
  function question<Q extends Question>(members: Q): Q {
    return { ...members, ...common(), ...members };
  }
  const ask_here = <Q extends Question>(asked: () => Q | null) =>
    use_answer(() => {
      generation();
      return engine;
    }, asked);

  const all_columns = createMemo(() => columns_of(state, profile().event));
  const totals = ask_here(() => question({ ask: 'functions', limit: 1, columns: all_columns() }));
  const fact = (column: number) => {
    const name = all_columns()[column];
    return profile().events.find(type => type.name === name);
  };
  const answered = (member: 'base' | 'base_before' | 'total', column: number): Cost | null => {
    const list = totals.error() ? undefined : totals.value();
    const place_of = list?.columns.indexOf(all_columns()[column] ?? '') ?? -1;
    const known = member === 'base_before' ? undefined : fact(column)?.[member];
    return (place_of >= 0 ? list?.[member]?.[place_of] : undefined) ?? known ?? null;
  };
  const base = (column = 0, of_before = false) => answered(of_before ? 'base_before' : 'base', column) ?? 0;

  function id_of(wanted: () => Name | null) {
    const name = createMemo(
      () => {
        const now = wanted();
        return now && { ...now };
      },
      undefined,
      { equals: same_name },
    );
    return { name, id: use_id({ use_answer: ask_here, comparing, state }, known, name) };
  }
  const selection = id_of(() => state.selection);
  const selected = createMemo<Selected | null | undefined>(() => {
    const name = selection.name();
    const id = selection.id();
    if (!name) return null;
    return typeof id === 'number' ? { id, name } : id;
  });
  function remember(func: Func | Name) {
    if ('id' in func) known.set(key_of(func), func.id);
  }
  function select(func: Func | Name, mode: HistoryMode = 'push') {
    remember(func);
    if (!same_name(state.selection, func)) update({ selection: name_of(func) }, mode);
  }

  const full_name = (func: { name: string; context?: string }) => func.name + (func.context ?? '');
  const spelled = (
    cost: Cost | null,
    absolute: (cost: Cost) => string,
    parent: Cost | undefined,
    column: number,
    of_before = false,
  ) => {
    if (cost === null) return '–';
    if (state.relative === 'absolute') return absolute(cost);
    return percent(share(cost, state.relative === 'parent' && parent !== undefined ? parent : base(column, of_before)));
  };
  const unit = () => state.event ?? profile().event;

  const [pictures, set_pictures] = createSignal<Picture[]>([]);
  const tips = create_tips();
  const { toasts, toast } = create_toasts();

  return {
    engine,
    kind: opened.kind,
    profile,
    set_profile(next) {
      batch(() => {
        known.clear();
        engine.forget();
        set_profile_signal(next);
        set_generation(number => number + 1);
      });
    },
    state,
    update,
    option: (key, usual) => state.options[key] ?? usual,
    set_option(key, value, mode = 'replace') {
      const options = { ...unwrap(state).options };
      if (value === null) delete options[key];
      else options[key] = value;
      update({ options }, mode);
    },
    go: view => update({ view }),
    place,
    question,
    common,
    use_answer: ask_here,
    ask: asked => engine.ask(asked),
    event,
    columns,
    comparing,
    base,
    total: (column = 0) => answered('total', column),
    unit,
    totals,
    selected,
    select,
    activate(func, view = 'callers') {
      remember(func);
      update({ selection: name_of(func), view });
    },
    is_selected: func => same_name(state.selection, func),
    id_of: func => id_of(func).id,
    remember,
    name: func => printable(state.shorten ? shorten(full_name(func)) : full_name(func)),
    full_name: func => printable(full_name(func), 4000),
    cell: (cost, parent, column = 0, of_before = false) => spelled(cost, exact, parent, column, of_before),
    label: (cost, parent, column = 0) => spelled(cost, brief, parent, column),
    full(cost, column = 0, of_before = false) {
      const part = share(cost, base(column, of_before));
      const unit_name = all_columns()[column] ?? '';
      return `${exact(cost)} ${unit_name}${part === null ? '' : ` (${percent(part)})`}`;
    },
    palette: create_palette(),
    keys(handler) {
      onMount(() => handlers.push(handler));
      onCleanup(() => handlers.splice(handlers.indexOf(handler), 1));
    },
    handle_key: key => [...handlers].reverse().some(handler => handler(key)),
    tip: tips,
    toasts,
    toast,
    pictures,
    offer_picture(picture) {
      onMount(() => set_pictures(all => [...all, picture]));
      onCleanup(() => set_pictures(all => all.filter(one => one !== picture)));
    },
    async copy(text, what) {
      toast((await to_clipboard(text)) ? `Copied ${what}` : 'The browser does not allow copying here');
    },
  };
}
