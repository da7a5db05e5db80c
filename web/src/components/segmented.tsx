import { For, type JSX } from 'solid-js';
import './segmented.css';

export interface Choice<T extends string> {
  value: T;
  label: JSX.Element;
  hint?: string;
}

// A few choices of which one holds; arrows move between them.
export function Segmented<T extends string>(props: {
  label: string;
  choices: Choice<T>[];
  value: T;
  on_change(value: T): void;
}): JSX.Element {
  function on_key(event: KeyboardEvent & { currentTarget: HTMLElement }) {
    const step =
      event.key === 'ArrowRight' || event.key === 'ArrowDown'
        ? 1
        : event.key === 'ArrowLeft' || event.key === 'ArrowUp'
          ? -1
          : 0;
    if (step === 0 || event.altKey) return;
    const at = props.choices.findIndex(choice => choice.value === props.value);
    const next = props.choices[(at + step + props.choices.length) % props.choices.length];
    if (next) props.on_change(next.value);
    event.currentTarget.querySelector<HTMLElement>('[aria-checked="true"]')?.focus();
    event.preventDefault();
    event.stopPropagation();
  }
  return (
    <div class="segmented" role="radiogroup" aria-label={props.label} onKeyDown={on_key}>
      <For each={props.choices}>
        {choice => (
          <button
            type="button"
            role="radio"
            aria-checked={choice.value === props.value}
            tabindex={choice.value === props.value ? 0 : -1}
            title={choice.hint}
            onClick={() => props.on_change(choice.value)}
          >
            {choice.label}
          </button>
        )}
      </For>
    </div>
  );
}
