// The call tree: which rows are open, and what was fetched of it.

import { type Accessor, createEffect, createMemo, createSignal, on, onCleanup } from 'solid-js';
import type { Asked } from '../../app/answers';
import type { App } from '../../app/app';
import { type Levels, openKeys, pathText, rowsOfTree, type TreeRow } from '../../model/call_tree';
import { functionOptions, type Name } from '../../model/state';
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
const mostRows = 5000;

export function useCallTree(app: App): CallTreeData {
  const { navigation, answers } = app;
  const direction = () => oneOf(navigation, 'tree.direction', ['callees', 'callers'] as const);
  const root = createMemo(() => functionOption(navigation, 'tree.root'));
  const rootId = app.selection.idOf(root);

  const common = createMemo<CallTreeQuestion | null>(() => {
    const id = rootId();
    if (root() && typeof id !== 'number') return null;
    return answers.question({
      ask: 'call_tree' as const,
      direction: direction(),
      ...(typeof id === 'number' && { root: id }),
      ...(app.state.search && { search: app.state.search }),
    });
  });
  const seeks = () => app.state.search !== '' || app.state.chips.some(chip => chip.kind === 'focus');
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
  const put = (more: readonly CallTreeLevel[]) =>
    setLevels(known => new Map([...known, ...more.map(level => [pathText(level.path), level] as const)]));
  let stop = new AbortController();
  let loading = new Set<string>();
  function restart() {
    stop.abort();
    stop = new AbortController();
    loading = new Set();
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
    on([() => app.state.search, answers.common], () => setOptions(app, { 'tree.open': null }), { defer: true }),
  );

  const opened = createMemo(() => {
    const chosen = navigation.option('tree.open', '');
    return chosen === '' ? found() : new Set(chosen.split('.'));
  });
  const view = createMemo(() => rowsOfTree(levels(), key => opened().has(key)));

  function fetch(path: readonly number[], limit = pageSize, unfold: CallTreeQuestion['unfold'] = 'path') {
    const question = common();
    if (!question) return Promise.resolve([]);
    const { search, ...rest } = question;
    return answers.engine
      .ask({ ...rest, path: [...path], unfold, limit }, stop.signal)
      .then(answer => (answer as CallTreeAnswer).levels);
  }
  // Whether a newer question took its place; else it is said why.
  function wasStopped(reason: unknown): boolean {
    if (reason instanceof Error && reason.name === 'AbortError') return true;
    app.toasts.show(reason instanceof Error ? reason.message : String(reason));
    return false;
  }
  createEffect(() => {
    if (!asked.current()) return;
    for (const path of view().wanted) {
      const key = pathText(path);
      if (path.length === 0 || loading.has(key)) continue;
      loading.add(key);
      fetch(path).then(put, reason => {
        if (wasStopped(reason)) return;
        loading.delete(key);
        const row = view().rows.find(one => one.is === 'path' && pathText(one.path) === key);
        if (row) toggle(row, false);
      });
    }
  });

  function open(keys: Iterable<string>) {
    setOptions(app, { 'tree.open': [...keys].join('.') || '-' });
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
      const options = { ...functionOptions('tree.root', func), 'tree.open': null };
      setOptions(app, { ...options, 'tree.direction': to === 'callees' ? null : to }, 'push');
    },
    asked,
    rows: () => view().rows,
    toggle,
    more(row) {
      const shown = levels().get(pathText(row.path))?.rows.length ?? 0;
      void fetch(row.path, Math.min(mostRows, shown + 4 * pageSize)).then(put, wasStopped);
    },
    async hottest(row) {
      const path = row?.is === 'path' && row.of.leads_on ? row.path : [];
      const more = await fetch(path, pageSize, 'hottest').catch(wasStopped);
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
