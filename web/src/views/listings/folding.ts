// The rows of a listing with calls and jumps below them, that unfold: which are shown, and which is active.

import { type Accessor, createEffect, createMemo, createSignal, on } from 'solid-js';
import type { GridControl } from '../../components/grid';
import { type Unfolding, unfolding } from '../../model/unfolding';

// What is listed is known by a number: a line's, an instruction's. The row where it stands is another one.
export interface Listed {
  count(): number; // rows without those below
  row_of(number: number): number;
  number_at(row: number): number | undefined; // undefined: it cannot be chosen
  below(row: number): number; // how many are below it
  foldable(): readonly number[]; // which may have some below
  unfold_all(): boolean;
  active(): number;
  on_active(number: number): void;
  go_to(): { at: number } | undefined; // to be brought in sight, when this changes
  anew(): unknown; // all are folded as at first, when this changes
}

export interface Folding {
  rows: Accessor<Unfolding>;
  row_of(number: number): number;
  active: Accessor<number>; // row, with those below
  set_active(row: number): void;
  expand(number: number, open: boolean): void;
  go(number: number): void;
  show(row: number): void;
  take_control(control: GridControl): void;
}

export function use_folding(of: Listed): Folding {
  const [toggled, set_toggled] = createSignal<ReadonlySet<number>>(new Set<number>()); // those unlike the others
  const [sub, set_sub] = createSignal(0); // below the active one
  let control: GridControl | undefined;

  createEffect(on([of.anew, of.unfold_all], () => set_toggled(new Set<number>()), { defer: true }));
  const rows = createMemo(() => {
    const open = of.foldable().filter(number => toggled().has(number) !== of.unfold_all());
    return unfolding(of.count(), open.map(of.row_of), of.below);
  });
  const row_of = (number: number) => rows().index_of(of.row_of(number));
  const active = createMemo(() => {
    const row = of.row_of(of.active());
    return rows().index_of(row, rows().is_open(row) ? Math.min(sub(), of.below(row)) : 0);
  });
  const show = (row: number) => control?.show(row, 'middle');
  const show_number = (number: number) => {
    set_sub(0);
    queueMicrotask(() => show(row_of(number)));
  };
  createEffect(
    on([of.go_to, of.anew], ([wanted]) => {
      if (wanted) show_number(wanted.at);
    }),
  );
  return {
    rows,
    row_of,
    active,
    set_active(at) {
      const place = rows().at(at);
      const number = of.number_at(place.row);
      // What cannot be chosen is passed over.
      const chosen = number ?? of.number_at(place.row + (at < active() ? -1 : 1));
      if (chosen === undefined) return;
      set_sub(number === undefined ? 0 : place.sub);
      of.on_active(chosen);
    },
    expand(number, open) {
      const next = new Set(toggled());
      if (open === of.unfold_all()) next.delete(number);
      else next.add(number);
      set_toggled(next);
      if (!open) set_sub(0);
    },
    go(number) {
      of.on_active(number);
      show_number(number);
    },
    show,
    take_control(now) {
      control = now;
    },
  };
}
