// Small parts of the page of a store.

import { createEffect, createSignal, type JSX, on, onCleanup, Show } from 'solid-js';
import { Icon } from '../components/icon';
import { dotsOf, type Frame, pathOf } from '../model/chart';
import { change, counted, exact } from '../model/format';
import { type Cost, toNumber } from '../protocol/cost';
import type { Points } from '../protocol/protocol';

// "▲ +12.34 %"
export function ChangeText(props: { before: Cost | null | undefined; after: Cost | null | undefined }): JSX.Element {
  const found = () => (props.before == null || props.after == null ? null : change(props.before, props.after));
  return (
    <Show when={found()}>
      {one => (
        <span class={`number ${one().direction === 'same' ? 'muted' : one().direction}`} title={one().text}>
          {one().mark} {one().ratio || '='}
        </span>
      )}
    </Show>
  );
}

const sparkHeight = 30;

export function Sparkline(props: { points: Points; changed?: readonly number[] }): JSX.Element {
  const frame = (): Frame => {
    const { at, cost } = props.points;
    const costs = cost.map(toNumber);
    const ends = { first: at[0] ?? 0, last: at.at(-1) ?? 0, low: Math.min(...costs), high: Math.max(...costs) };
    return { left: 2, top: 2, width: 96, height: sparkHeight - 4, ...ends };
  };
  return (
    <svg class="spark" viewBox={`0 0 100 ${sparkHeight}`} preserveAspectRatio="none" aria-hidden="true">
      <path classList={{ lone: props.points.at.length === 1 }} d={`${pathOf(frame(), props.points)}h0`} />
      <path class="spark-dots" d={dotsOf(frame(), props.points, props.changed ?? [])} />
    </svg>
  );
}

export function SearchField(props: { label: string; value: string; onChange(text: string): void }): JSX.Element {
  const [text, setText] = createSignal(props.value);
  let timer: ReturnType<typeof setTimeout> | undefined;
  onCleanup(() => clearTimeout(timer));
  createEffect(on(() => props.value, setText, { defer: true }));
  return (
    <label class="history-search">
      <Icon name="search" />
      <input
        type="search"
        data-search=""
        aria-label={props.label}
        placeholder={props.label}
        spellcheck={false}
        autocomplete="off"
        value={text()}
        onInput={event => {
          const now = event.currentTarget.value;
          setText(now);
          clearTimeout(timer);
          timer = setTimeout(() => props.onChange(now.trim()), 200);
        }}
      />
    </label>
  );
}

export function MoreButton(props: {
  left: number;
  noun: string;
  plural?: string;
  onPress(): Promise<void>;
}): JSX.Element {
  const [waits, setWaits] = createSignal(false);
  return (
    <Show when={props.left > 0}>
      <p class="history-more">
        <button
          type="button"
          class="button"
          onClick={() => {
            if (waits()) return;
            setWaits(true);
            void props.onPress().finally(() => setWaits(false));
          }}
        >
          Show more
        </button>
        <span class="muted">{counted(props.left, props.noun, props.plural)} not shown</span>
      </p>
    </Show>
  );
}

export function costText(cost: Cost | null | undefined, event: string): string {
  return cost == null ? '–' : `${exact(cost)} ${event}`;
}
