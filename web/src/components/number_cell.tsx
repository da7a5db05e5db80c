import { type JSX, Show } from 'solid-js';
import type { explains } from './tooltip';
import './number_cell.css';

// A number with a bar for its share.
export function NumberCell(props: {
  text: string;
  share?: number | null;
  quiet?: boolean;
  cost?: boolean; // an upper bound, if its row says so
  hint?: ReturnType<typeof explains>;
}): JSX.Element {
  const width = () => Math.max(0, Math.min(1, props.share ?? 0));
  return (
    <>
      <Show when={width() >= 0.004}>
        <span class="number-bar" style={{ transform: `scaleX(${width()})` }} />
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
