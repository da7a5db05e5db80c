import { type JSX, Show } from 'solid-js';
import { brief, change } from '../model/format';
import type { Cost } from '../protocol/cost';
import './number_cell.css';
import type { explains } from './tooltip';

// A change as sign, shape and color.
export function ChangeCell(props: {
  before: Cost | null | undefined;
  after: Cost | null;
  relative: boolean;
  share?: number | null; // of the whole: for the bar
  estimated?: boolean;
  room?: number; // characters: a longer change is made brief
  spell?(cost: Cost): string; // in its unit
  hint?: ReturnType<typeof explains>;
}): JSX.Element {
  const isKnown = () => props.after !== null && props.before != null;
  const delta = () => {
    const exact = change(props.before ?? 0, props.after ?? 0, props.spell);
    if (exact.text.length <= (props.room ?? 24) + 2) return exact;
    return change(props.before ?? 0, props.after ?? 0, brief);
  };
  const width = () => (isKnown() ? Math.max(0, Math.min(1, Math.abs(props.share ?? 0))) : 0);
  return (
    <>
      <Show when={width() >= 0.004}>
        <span class={`number-bar ${delta().direction}-bar`} style={{ transform: `scaleX(${width()})` }} />
      </Show>
      <span
        {...props.hint}
        class={`number-text ${isKnown() && delta().direction !== 'same' ? delta().direction : 'muted'}`}
      >
        <Show when={isKnown()} fallback="–">
          {props.estimated && '~'}
          {delta().mark} {props.relative ? delta().ratio || '0' : delta().text}
        </Show>
      </span>
    </>
  );
}
