// The rows of a listing with calls and jumps below them, that unfold: which are shown, and which is active.

import { type Accessor, createEffect, createMemo, createSignal, on } from 'solid-js';
import type { GridControl } from '../../components/grid';
import { type Unfolding, unfolding } from '../../model/unfolding';

// Items have a number (of a line, an instruction), which is not their row.
export interface Listed {
  count(): number; // rows without those below
  rowOf(number: number): number;
  numberAt(row: number): number | undefined; // undefined: it cannot be chosen
  below(row: number): number; // how many are below it
  foldable(): readonly number[]; // which may have some below
  unfoldAll(): boolean;
  active(): number;
  onActive(number: number): void;
  goTo(): { at: number } | undefined; // to scroll to when this changes
  anew(): unknown; // all are folded as at first, when this changes
}

export interface Folding {
  rows: Accessor<Unfolding>;
  rowOf(number: number): number;
  active: Accessor<number>; // row, with those below
  setActive(row: number): void;
  expand(number: number, open: boolean): void;
  go(number: number): void;
  show(row: number): void;
  takeControl(control: GridControl): void;
}

export function useFolding(of: Listed): Folding {
  const [toggled, setToggled] = createSignal<ReadonlySet<number>>(new Set<number>()); // those unlike the others
  const [sub, setSub] = createSignal(0); // below the active one
  let control: GridControl | undefined;

  createEffect(on([of.anew, of.unfoldAll], () => setToggled(new Set<number>()), { defer: true }));
  const rows = createMemo(() => {
    const open = of.foldable().filter(number => toggled().has(number) !== of.unfoldAll());
    return unfolding(of.count(), open.map(of.rowOf), of.below);
  });
  const rowOf = (number: number) => rows().indexOf(of.rowOf(number));
  const active = createMemo(() => {
    const row = of.rowOf(of.active());
    return rows().indexOf(row, rows().isOpen(row) ? Math.min(sub(), of.below(row)) : 0);
  });
  const show = (row: number) => control?.show(row, 'middle');
  const showNumber = (number: number) => {
    setSub(0);
    queueMicrotask(() => show(rowOf(number)));
  };
  createEffect(
    on([of.goTo, of.anew], ([wanted]) => {
      if (wanted) showNumber(wanted.at);
    }),
  );
  return {
    rows,
    rowOf,
    active,
    setActive(at) {
      const place = rows().at(at);
      const number = of.numberAt(place.row);
      // Rows that cannot be selected are skipped.
      const chosen = number ?? of.numberAt(place.row + (at < active() ? -1 : 1));
      if (chosen === undefined) return;
      setSub(number === undefined ? 0 : place.sub);
      of.onActive(chosen);
    },
    expand(number, open) {
      const next = new Set(toggled());
      if (open === of.unfoldAll()) next.delete(number);
      else next.add(number);
      setToggled(next);
      if (!open) setSub(0);
    },
    go(number) {
      of.onActive(number);
      showNumber(number);
    },
    show,
    takeControl(now) {
      control = now;
    },
  };
}
