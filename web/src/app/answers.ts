// Questions to the engine, with what the state says for all of them.

import { type Accessor, batch, createEffect, createMemo, createSignal, onCleanup } from 'solid-js';
import type { Engine } from '../engine/engine';
import { commonOf, type State } from '../model/state';
import { CallcostError } from '../protocol/callcost_error';
import type { Answer, Common, ProfileAnswer, Question } from '../protocol/protocol';

// An answer that follows its question. The last one stays until the next arrives.
export interface Asked<T> {
  value: Accessor<T | undefined>;
  error: Accessor<Error | undefined>;
  waiting: Accessor<boolean>; // for so long that it should be shown
  current: Accessor<boolean>; // whether `value` answers the present question
}

export interface Asking {
  engine: Engine;
  ask<Q extends Question>(question: Q): Promise<Answer<Q>>;
  follow<Q extends Question>(question: () => Q | null): Asked<Answer<Q>>;
  lost: Accessor<Error | null>; // the engine, or the store, does not answer: what was answered stays
  lose(reason: Error): void;
  found(): void; // it does again: what was asked meanwhile is asked again
  again(): void; // everything is asked again
}

export interface Answers extends Asking {
  common: Accessor<Common>;
  // The question with the members that all have from the state: question({ ask: 'tree', direction: 'callees' }).
  question<Q extends Question>(members: Q): Q;
}

export const isLoss = (reason: Error) => !(reason instanceof CallcostError) || reason.code === 'no-store';

function follow<Q extends Question>(
  engine: () => Engine,
  question: () => Q | null,
  onLost: (reason: Error) => void,
): Asked<Answer<Q>> {
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
      (reason: Error) =>
        done(() => {
          // The engine is gone, which is no answer: the last one stays.
          if (isLoss(reason)) onLost(reason);
          if (!isLoss(reason) || value() === undefined) setError(reason);
        }),
    );
    onCleanup(() => {
      clearTimeout(patience);
      stop.abort();
    });
  });
  return { value, error, waiting, current };
}

// Everything is asked again when `track` reads something that has changed.
export function createAsking(engine: Engine, track?: () => void): Asking {
  const [lost, lose] = createSignal<Error | null>(null);
  const [isAgain, askAgain] = createSignal(undefined, { equals: false });
  const restart = () => {
    engine.forget();
    lose(null);
    askAgain(undefined);
  };
  return {
    engine,
    lost,
    lose,
    found: () => lost() && restart(),
    again: restart,
    ask: asked => engine.ask(asked),
    follow: asked =>
      follow(
        () => {
          track?.();
          isAgain();
          return engine;
        },
        asked,
        lose,
      ),
  };
}

// Everything is asked again when the profile was read again.
export function createAnswers(engine: Engine, profile: Accessor<ProfileAnswer>, state: State): Answers {
  const common = createMemo(() => commonOf(state, profile().event, profile().has.before), undefined, {
    equals: (a, b) => JSON.stringify(a) === JSON.stringify(b),
  });
  return {
    ...createAsking(engine, profile),
    common,
    question: members => ({ ...members, ...common(), ...members }),
  };
}
