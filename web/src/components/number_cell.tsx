import { type JSX, Show } from 'solid-js';
import type { explains } from './tooltip';
import './number_cell.css';

// A number with a bar for its share.
export function NumberCell(props: {
  text: string;
  share?: number | null;
  certain?: number | null; // as much of it, if that is less: the rest is hatched
  quiet?: boolean;
  cost?: boolean; // an upper bound, if its row says so
  hint?: ReturnType<typeof explains>;
}): JSX.Element {
  const width = () => Math.max(0, Math.min(1, props.share ?? 0));
  const certain = () => Math.max(0, Math.min(width(), props.certain ?? width()));
  return (
    <>
      <Show when={width() >= 0.004}>
        <span class="number-bar" style={{ transform: `scaleX(${width()})` }} />
      </Show>
      <Show when={width() - certain() >= 0.004}>
        <span
          class="number-bar estimated"
          style={{ 'clip-path': `inset(0 ${100 * (1 - width())}% 0 ${100 * certain()}%)` }}
        />
      </Show>
      <span
        class="number-text"
        {...props.hint}
        classList={{
          muted: props.quiet === true,
          cost: props.cost === true,
        }}
      >
        {props.text}
      </span>
    </>
  );
}
