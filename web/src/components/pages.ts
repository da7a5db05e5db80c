// The rows of a long list, fetched in pages as they become visible.

import { createEffect, createSignal, on, onCleanup, type Signal } from 'solid-js';
import type { Answers, Asked } from '../app/answers';
import type { ListAnswer, Question } from '../protocol/protocol';
import type { Rows } from './grid';

export const pageSize = 200;

export interface Pages<Row> extends Rows<Row> {
  list: Asked<ListAnswer<Row>>; // the first page, and the members about the whole list
}

// `question` without offset and limit; its answer is a ListAnswer<Row>.
export function usePages<Row>(answers: Answers, question: () => Question | null): Pages<Row> {
  const list = answers.follow(() => {
    const asked = question();
    return asked && ({ ...asked, offset: 0, limit: pageSize } as Question);
  }) as unknown as Asked<ListAnswer<Row>>;

  let pages = new Map<number, Signal<readonly Row[] | undefined>>();
  let loading = new Map<number, AbortController>();
  const [range, setRange] = createSignal<[number, number]>([0, 0], {
    equals: (a, b) => a[0] === b[0] && a[1] === b[1],
  });

  function drop() {
    for (const stop of loading.values()) stop.abort();
    loading = new Map();
    pages = new Map();
  }
  onCleanup(drop);

  function page(number: number): Signal<readonly Row[] | undefined> {
    let known = pages.get(number);
    if (!known) {
      known = createSignal<readonly Row[] | undefined>();
      pages.set(number, known);
    }
    return known;
  }

  function load(number: number, asked: Question) {
    const [rows, setRows] = page(number);
    if (rows() || loading.has(number)) return;
    const stop = new AbortController();
    loading.set(number, stop);
    const wanted = { ...asked, offset: number * pageSize, limit: pageSize } as Question;
    answers.engine
      .ask(wanted, stop.signal)
      .then(answer => setRows((answer as unknown as ListAnswer<Row>).rows))
      .catch(() => {})
      .finally(() => loading.get(number) === stop && loading.delete(number));
  }

  // For a new list, further pages are fetched again.
  createEffect(on(list.value, drop));
  createEffect(
    on([range, list.value, list.current], ([[first, last], , current]) => {
      const asked = question();
      if (!asked || !current) return;
      const from = Math.floor(first / pageSize);
      const to = Math.floor(Math.max(first, last - 1) / pageSize);
      for (const [number, stop] of loading) if (number < from - 1 || number > to + 1) stop.abort();
      for (let number = Math.max(1, from); number <= to; number++) load(number, asked);
    }),
  );

  return {
    list,
    count: () => list.value()?.matching ?? 0,
    at(index) {
      const first = list.value()?.rows;
      if (index < pageSize) return first?.[index];
      return page(Math.floor(index / pageSize))[0]()?.[index % pageSize];
    },
    want: (first, last) => setRange([first, last]),
  };
}
