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
import { columnsOf, commonOf, type Name, nameOf, type State, sameName } from './model/state';
import { printable } from './model/visible';
import { createPalette, type Palette } from './theme';

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
  setProfile(profile: ProfileAnswer): void;

  state: State; // a solid store: reading a member in JSX or an effect follows it
  update(patch: Partial<State>, history?: HistoryMode): void;
  option(key: string, usual: string): string; // of a view: option('flame.direction', 'callees')
  setOption(key: string, value: string | null, history?: HistoryMode): void;
  go(view: string): void;
  place: { canBack(): boolean; canForward(): boolean; back(): void; forward(): void };

  // The question with the members that all have from the state: app.question({ ask: 'tree', direction: 'callees' }).
  question<Q extends Question>(members: Q): Q;
  common: Accessor<Common>;
  useAnswer<Q extends Question>(question: () => Q | null): Asked<Answer<Q>>;
  ask<Q extends Question>(question: Q): Promise<Answer<Q>>;

  event: Accessor<string>; // what is measured by, never null
  columns: Accessor<string[]>; // with the second event; further columns of lists come after these (columnsOf)
  comparing: Accessor<boolean>;
  base(column?: number, ofBefore?: boolean): Cost; // what is 100 %; 0: nothing is
  total(column?: number): Cost | null; // null: not known, or it does not add up
  unit: Accessor<string>; // behind a number: "Ir"
  totals: Asked<Answer<{ ask: 'functions' }>>; // rejects if a filter or a formula is wrong

  // The function that is looked at, undefined until its id is known; null: none, or not in this profile.
  selected: Accessor<Selected | null | undefined>;
  select(func: Func | Name, history?: HistoryMode): void; // look at it, in the same view
  activate(func: Func | Name, view?: string): void; // and go to a view that shows it
  isSelected(func: Func | Name): boolean;
  idOf(func: () => Name | null): Accessor<number | null | undefined>; // as of the selected one; null: none
  remember(func: Func): void; // its id was in an answer

  name(func: { name: string; context?: string }): string; // as it is shown: shortened, visible
  fullName(func: { name: string; context?: string }): string;
  cell(cost: Cost | null, parent?: Cost, column?: number, ofBefore?: boolean): string; // in a table: exact, or a percentage
  label(cost: Cost | null, parent?: Cost, column?: number): string; // in a picture: brief, or a percentage
  full(cost: Cost, column?: number, ofBefore?: boolean): string; // in a tooltip: "1,234,567 Ir (12.34 %)"

  palette: Accessor<Palette>; // for canvases; follows the theme
  keys(handler: KeyHandler): void; // while the calling component is there; before the page's own keys
  handleKey(event: KeyboardEvent): boolean;
  tip: { show(x: number, y: number, content: () => JSX.Element): void; hide(): void; now: Accessor<Tip | null> };
  toast(text: string): void;
  toasts: Accessor<{ number: number; text: string }[]>;
  copy(text: string, what: string): Promise<void>; // "what" is said in the toast

  pictures: Accessor<Picture[]>; // what the present view can save of itself: pictures, tables
  offerPicture(picture: Picture): void; // while the calling component is there
}

export interface Picture {
  label: string; // "Picture (SVG)"
  save(): void;
}

function addressFragment(): string {
  return location.hash.slice(1);
}

function createHistory(state: State, take: (state: State) => void) {
  let place = 0;
  const [here, setHere] = createSignal({ place: 0, last: 0 });

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
    setHere({ place, last });
  }
  function follow() {
    const now = (history.state as { place?: number } | null)?.place;
    place = typeof now === 'number' ? now : place + 1;
    setHere(({ last }) => ({ place, last: Math.max(last, place) }));
    take(decode(addressFragment()));
  }
  const known = (history.state as { place?: number } | null)?.place;
  if (typeof known === 'number') place = known;
  setHere({ place, last: place });
  window.addEventListener('popstate', follow);
  onCleanup(() => window.removeEventListener('popstate', follow));

  return {
    write,
    place: {
      canBack: () => here().place > 0,
      canForward: () => here().place < here().last,
      back: () => history.back(),
      forward: () => history.forward(),
    },
  };
}

export function useAnswer<Q extends Question>(engine: () => Engine, question: () => Q | null): Asked<Answer<Q>> {
  const [value, setValue] = createSignal<Answer<Q>>();
  const [error, setError] = createSignal<Error>();
  const [waiting, setWaiting] = createSignal(false);
  const [current, setCurrent] = createSignal(false);
  createEffect(() => {
    const asked = question();
    const askedEngine = engine();
    setCurrent(false);
    if (!asked) {
      batch(() => {
        setValue(undefined);
        setError(undefined);
        setWaiting(false);
      });
      return;
    }
    const stop = new AbortController();
    const patience = setTimeout(() => setWaiting(true), 150);
    const done = (change: () => void) => {
      if (stop.signal.aborted) return;
      clearTimeout(patience);
      batch(() => {
        change();
        setWaiting(false);
        setCurrent(true);
      });
    };
    askedEngine.ask(asked, stop.signal).then(
      answer =>
        done(() => {
          setValue(() => answer);
          setError(undefined);
        }),
      (reason: Error) => done(() => setError(reason)),
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
function useId(
  app: Pick<App, 'useAnswer' | 'comparing' | 'state'>,
  known: ReadonlyMap<string, number>,
  wanted: () => Name | null,
): Accessor<number | null | undefined> {
  const knownId = () => {
    const name = wanted();
    const id = name ? known.get(keyOf(name)) : undefined;
    return id !== undefined && (id >= 0 || app.comparing()) ? id : undefined;
  };
  const found = app.useAnswer(() => {
    const name = wanted();
    if (!name || knownId() !== undefined) return null;
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
    const isFound = found.current(); // again, when the profile was read again
    if (!wanted()) return null;
    const id = knownId();
    if (id !== undefined) return id;
    if (!isFound) return undefined;
    return found.error() ? null : (found.value()?.id ?? null);
  });
}

function keyOf(name: Name | Func): string {
  return JSON.stringify([name.name, name.context ?? '', name.file, name.object]);
}

function createTips() {
  const [now, setNow] = createSignal<Tip | null>(null);
  return {
    now,
    show: (x: number, y: number, content: () => JSX.Element) => setNow({ x, y, content }),
    hide: () => setNow(null),
  };
}

function createToasts() {
  const [toasts, setToasts] = createSignal<{ number: number; text: string }[]>([]);
  let numbers = 0;
  function toast(text: string) {
    const number = ++numbers;
    setToasts(all => [...all.slice(-2), { number, text }]);
    setTimeout(() => setToasts(all => all.filter(one => one.number !== number)), 4000);
  }
  return { toasts, toast };
}

// The clipboard of pages that browsers do not trust (file:// in some) is reached by a selection only.
async function toClipboard(text: string): Promise<boolean> {
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

export function createApp(opened: { engine: Engine; kind: App['kind']; profile: ProfileAnswer }): App {
  const { engine } = opened;
  const [profile, setProfileSignal] = createSignal(opened.profile);
  const [state, setState] = createStore<State>(decode(addressFragment()));
  const known = new Map<string, number>();
  const handlers: KeyHandler[] = [];
  const [generation, setGeneration] = createSignal(0);

  const { write, place } = createHistory(state, next => setState(reconcile(next)));
  function update(patch: Partial<State>, mode: HistoryMode = 'push') {
    batch(() => {
      for (const member of Object.keys(patch) as (keyof State)[]) {
        const value = patch[member];
        if (value !== undefined) setState(member, typeof value === 'object' ? reconcile(value as never) : value);
      }
    });
    write(mode);
  }

  const event = () => state.event ?? profile().event;
  const columns = createMemo(() => columnsOf({ ...state, more: [] }, profile().event));
  const canCompare = () => profile().has.before;
  const comparing = () => canCompare() && state.compare;
  const common = createMemo(() => commonOf(state, profile().event, canCompare()), undefined, {
    equals: (a, b) => JSON.stringify(a) === JSON.stringify(b),
  });
  function question<Q extends Question>(members: Q): Q {
    return { ...members, ...common(), ...members };
  }
  const askHere = <Q extends Question>(asked: () => Q | null) =>
    useAnswer(() => {
      generation();
      return engine;
    }, asked);

  const allColumns = createMemo(() => columnsOf(state, profile().event));
  const totals = askHere(() => question({ ask: 'functions', limit: 1, columns: allColumns() }));
  const fact = (column: number) => {
    const name = allColumns()[column];
    return profile().events.find(type => type.name === name);
  };
  const answered = (member: 'base' | 'base_before' | 'total', column: number): Cost | null => {
    const list = totals.error() ? undefined : totals.value();
    const placeOf = list?.columns.indexOf(allColumns()[column] ?? '') ?? -1;
    const known = member === 'base_before' ? undefined : fact(column)?.[member];
    return (placeOf >= 0 ? list?.[member]?.[placeOf] : undefined) ?? known ?? null;
  };
  const base = (column = 0, ofBefore = false) => answered(ofBefore ? 'base_before' : 'base', column) ?? 0;

  function idOf(wanted: () => Name | null) {
    const name = createMemo(
      () => {
        const now = wanted();
        return now && { ...now };
      },
      undefined,
      { equals: sameName },
    );
    return { name, id: useId({ useAnswer: askHere, comparing, state }, known, name) };
  }
  const selection = idOf(() => state.selection);
  const selected = createMemo<Selected | null | undefined>(() => {
    const name = selection.name();
    const id = selection.id();
    if (!name) return null;
    return typeof id === 'number' ? { id, name } : id;
  });
  function remember(func: Func | Name) {
    if ('id' in func) known.set(keyOf(func), func.id);
  }
  function select(func: Func | Name, mode: HistoryMode = 'push') {
    remember(func);
    if (!sameName(state.selection, func)) update({ selection: nameOf(func) }, mode);
  }

  const fullName = (func: { name: string; context?: string }) => func.name + (func.context ?? '');
  const spelled = (
    cost: Cost | null,
    absolute: (cost: Cost) => string,
    parent: Cost | undefined,
    column: number,
    ofBefore = false,
  ) => {
    if (cost === null) return '–';
    if (state.relative === 'absolute') return absolute(cost);
    return percent(share(cost, state.relative === 'parent' && parent !== undefined ? parent : base(column, ofBefore)));
  };
  const unit = () => state.event ?? profile().event;

  const [pictures, setPictures] = createSignal<Picture[]>([]);
  const tips = createTips();
  const { toasts, toast } = createToasts();

  return {
    engine,
    kind: opened.kind,
    profile,
    setProfile(next) {
      batch(() => {
        known.clear();
        engine.forget();
        setProfileSignal(next);
        setGeneration(number => number + 1);
      });
    },
    state,
    update,
    option: (key, usual) => state.options[key] ?? usual,
    setOption(key, value, mode = 'replace') {
      const options = { ...unwrap(state).options };
      if (value === null) delete options[key];
      else options[key] = value;
      update({ options }, mode);
    },
    go: view => update({ view }),
    place,
    question,
    common,
    useAnswer: askHere,
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
      update({ selection: nameOf(func), view });
    },
    isSelected: func => sameName(state.selection, func),
    idOf: func => idOf(func).id,
    remember,
    name: func => printable(state.shorten ? shorten(fullName(func)) : fullName(func)),
    fullName: func => printable(fullName(func), 4000),
    cell: (cost, parent, column = 0, ofBefore = false) => spelled(cost, exact, parent, column, ofBefore),
    label: (cost, parent, column = 0) => spelled(cost, brief, parent, column),
    full(cost, column = 0, ofBefore = false) {
      const part = share(cost, base(column, ofBefore));
      const unitName = allColumns()[column] ?? '';
      return `${exact(cost)} ${unitName}${part === null ? '' : ` (${percent(part)})`}`;
    },
    palette: createPalette(),
    keys(handler) {
      onMount(() => handlers.push(handler));
      onCleanup(() => handlers.splice(handlers.indexOf(handler), 1));
    },
    handleKey: key => [...handlers].reverse().some(handler => handler(key)),
    tip: tips,
    toasts,
    toast,
    pictures,
    offerPicture(picture) {
      onMount(() => setPictures(all => [...all, picture]));
      onCleanup(() => setPictures(all => all.filter(one => one !== picture)));
    },
    async copy(text, what) {
      toast((await toClipboard(text)) ? `Copied ${what}` : 'The browser does not allow copying here');
    },
  };
}
