// A list of which more rows are fetched when they are asked for.

import { createEffect, createSignal, on } from 'solid-js';
import { type Asked, type Asking, isLoss } from '../app/answers';
import type { Answer, Question } from '../protocol/protocol';

type ListQuestion = Extract<Question, { ask: 'history' | 'history_functions' | 'history_entries' }>;
type RowOf<Q extends ListQuestion> = Answer<Q>['rows'][number];

export interface MoreRows<Q extends ListQuestion> {
  list: Asked<Answer<Q>>; // the first ones
  all(): RowOf<Q>[];
  left(): number;
  more(): Promise<void>;
}

export function useRows<Q extends ListQuestion>(asking: Asking, question: () => Q | null): MoreRows<Q> {
  const list = asking.follow(question);
  const [further, setFurther] = createSignal<RowOf<Q>[]>([]);
  createEffect(on(list.value, () => setFurther([])));
  const all = () => [...((list.value()?.rows ?? []) as RowOf<Q>[]), ...further()];
  return {
    list,
    all,
    left: () => Math.max(0, (list.value()?.matching ?? 0) - all().length),
    async more() {
      const [first, asked, offset] = [list.value(), question(), all().length];
      if (!asked) return;
      try {
        const { rows } = await asking.ask({ ...asked, offset });
        if (first === list.value() && offset === all().length) setFurther(known => [...known, ...(rows as RowOf<Q>[])]);
      } catch (reason) {
        if (isLoss(reason as Error)) asking.lose(reason as Error);
      }
    },
  };
}
