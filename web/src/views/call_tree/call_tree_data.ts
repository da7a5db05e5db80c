// The call tree: which rows are open, and what was fetched of it.

import { type Accessor, createEffect, createMemo, createSignal, on, onCleanup } from 'solid-js';
import type { Asked } from '../../app/answers';
import type { App } from '../../app/app';
import { type Levels, openKeys, pathText, rowsOfTree, type TreeRow } from '../../model/call_tree';
import { withoutFilters } from '../../model/filter';
import { functionOptions, type Name, nameOf } from '../../model/state';
import type { CallTreeAnswer, CallTreeLevel, CallTreeQuestion, Func } from '../../protocol/protocol';
import { functionOption, oneOf, setOptions } from '../pictures/options';

export type Direction = 'callees' | 'callers';

export interface CallTreeData {
  direction: Accessor<Direction>;
  root: Accessor<Name | null>;
  rootMissing: Accessor<boolean>;
  begin(func: Func | Name | null, direction: Direction): void;
  asked: Asked<CallTreeAnswer>;
  rows: Accessor<TreeRow[]>;
  toggle(row: TreeRow, open: boolean): void;
  more(row: TreeRow): void;
  hottest(row: TreeRow | undefined): Promise<number>; // the row that it ends in
}

const pageSize = 50;
const mostRows = 5000; // at once
const pathsAtOnce = 100;

// `prefix`: of its options. `around`: it is one of the two trees of the selected function, without filters.
export function useCallTree(app: App, prefix: string, around?: Direction): CallTreeData {
  const { navigation, answers } = app;
  const opens = `${prefix}.open`;
  const direction = () => around ?? oneOf(navigation, `${prefix}.direction`, ['callees', 'callers'] as const);
  const root = createMemo(() =>
    around ? app.state.selection && nameOf(app.state.selection) : functionOption(navigation, `${prefix}.root`),
  );
  const rootId = app.selection.idOf(root);

  const common = createMemo<CallTreeQuestion | null>(() => {
    const id = rootId();
    if ((root() || around) && typeof id !== 'number') return null;
    return answers.question({
      ask: 'call_tree' as const,
      direction: direction(),
      ...(typeof id === 'number' && { root: id }),
      ...(app.state.search && { search: app.state.search }),
      ...(around && withoutFilters),
    });
  });
  const seeks = () => app.state.search !== '' || (!around && app.state.chips.some(chip => chip.kind === 'focus'));
  const asked = answers.follow(() => {
    const question = common();
    // At first, what is sought is open, or the hottest path while it has half of the cost.
    if (!question) return null;
    return seeks()
      ? { ...question, unfold: 'matches' as const }
      : { ...question, unfold: 'hottest' as const, least: 0.5 };
  });

  const [levels, setLevels] = createSignal<Levels>(new Map());
  const [found, setFound] = createSignal<ReadonlySet<string>>(new Set());
  // What was added to a level stays.
  const put = (more: readonly CallTreeLevel[]) =>
    setLevels(known => {
      const all = new Map(known);
      for (const level of more) {
        const key = pathText(level.path);
        if ((all.get(key)?.rows.length ?? -1) < level.rows.length) all.set(key, level);
      }
      return all;
    });
  let stop = new AbortController();
  let loading = new Set<string>();
  let listed = new Map<string, number>(); // how many rows of a level were asked for, if more than at first
  function restart() {
    stop.abort();
    stop = new AbortController();
    loading = new Set();
    listed = new Map();
  }
  onCleanup(restart);
  createEffect(
    on(asked.value, answer => {
      restart();
      setLevels(new Map());
      put(answer?.levels ?? []);
      setFound(new Set(openKeys(answer?.levels ?? [])));
    }),
  );
  createEffect(
    on(
      [() => app.state.search, answers.common, ...(around ? [rootId] : [])],
      () => setOptions(app, { [opens]: null }),
      { defer: true },
    ),
  );

  const opened = createMemo(() => {
    const chosen = navigation.option(opens, '');
    return chosen === '' ? found() : new Set(chosen.split('.'));
  });
  const view = createMemo(() => rowsOfTree(levels(), key => opened().has(key)));

  function fetch(members: Partial<CallTreeQuestion>): Promise<CallTreeLevel[]> {
    const question = common();
    if (!question) return Promise.resolve([]);
    return answers.engine
      .ask({ ...question, limit: pageSize, ...members }, stop.signal)
      .then(answer => (answer as CallTreeAnswer).levels);
  }
  // Whether a newer question took its place; else it is said why.
  function wasStopped(reason: unknown): boolean {
    if (reason instanceof Error && reason.name === 'AbortError') return true;
    app.toasts.show(reason instanceof Error ? reason.message : String(reason));
    return false;
  }
  const close = (keys: ReadonlySet<string>) =>
    open([...opened()].filter(key => !view().rows.some(row => row.key === key && keys.has(pathText(row.path)))));
  function load(paths: readonly number[][]) {
    for (const path of paths) loading.add(pathText(path));
    fetch({ paths: paths.map(pathText) }).then(
      more => {
        put(more);
        const there = new Set(more.map(level => pathText(level.path)));
        const missing = paths.filter(path => !there.has(pathText(path)));
        // One tree of several paths may be too large to have them all.
        if (paths.length > 1) for (const path of missing) load([path]);
        else if (missing.length > 0) close(new Set(missing.map(pathText)));
      },
      reason => {
        if (wasStopped(reason)) return;
        for (const path of paths) loading.delete(pathText(path));
        close(new Set(paths.map(pathText)));
      },
    );
  }
  // Few questions, however many are open.
  createEffect(() => {
    if (!asked.current()) return;
    const wanted = view().wanted.filter(path => path.length > 0 && !loading.has(pathText(path)));
    for (let at = 0; at < wanted.length; at += pathsAtOnce) load(wanted.slice(at, at + pathsAtOnce));
  });

  function open(keys: Iterable<string>) {
    setOptions(app, { [opens]: [...keys].join('.') || '-' });
  }
  function toggle(row: TreeRow, isOpen: boolean) {
    const keys = new Set(opened());
    if (isOpen) keys.add(row.key);
    else keys.delete(row.key);
    open(keys);
  }
  return {
    direction,
    root,
    rootMissing: () => root() !== null && rootId() === null,
    begin(func, to) {
      if (func && 'id' in func) app.selection.remember(func);
      const options = { ...functionOptions(`${prefix}.root`, func), [opens]: null };
      setOptions(app, { ...options, [`${prefix}.direction`]: to === 'callees' ? null : to }, 'push');
    },
    asked,
    rows: () => view().rows,
    toggle,
    more(row) {
      const key = pathText(row.path);
      const offset = listed.get(key) ?? pageSize;
      const limit = Math.min(mostRows, Math.max(4 * pageSize, offset));
      void fetch({ path: row.path, offset, limit }).then(([level]) => {
        const known = levels().get(key);
        if (!level || !known || (listed.get(key) ?? pageSize) !== offset) return;
        listed.set(key, offset + limit);
        setLevels(all => new Map(all).set(key, { ...level, rows: [...known.rows.slice(0, offset), ...level.rows] }));
      }, wasStopped);
    },
    async hottest(row) {
      const path = row?.is === 'path' && row.of.leads_on ? row.path : [];
      const more = await fetch({ path: [...path], unfold: 'hottest' }).catch(wasStopped);
      if (!Array.isArray(more)) return -1;
      put(more);
      const all = path.map((_, at) => levels().get(pathText(path.slice(0, at)))!);
      const keys = openKeys([...all, ...more]);
      open(new Set([...opened(), ...keys]));
      const last = pathText(more[more.length - 1]?.path ?? []);
      return view().rows.findIndex(one => one.is === 'path' && pathText(one.path) === last);
    },
  };
}
