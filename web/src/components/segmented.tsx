import { For, type JSX } from 'solid-js';
import './segmented.css';

export interface Choice<T extends string> {
  value: T;
  label: JSX.Element;
  hint?: string;
}

// A few choices of which one holds; arrows move between them. As tabs: what they show is the caller's business, give it
// role="tabpanel".
export function Segmented<T extends string>(props: {
  label: string;
  choices: Choice<T>[];
  value: T;
  on_change(value: T): void;
  tabs?: boolean;
}): JSX.Element {
  const is_tabs = props.tabs === true;
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
    event.currentTarget.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
    event.preventDefault();
    event.stopPropagation();
  }
  return (
    <div
      class={is_tabs ? 'tabs' : 'segmented'}
      role={is_tabs ? 'tablist' : 'radiogroup'}
      aria-label={props.label}
      onKeyDown={on_key}
    >
      <For each={props.choices}>
        {choice => (
          <button
            type="button"
            role={is_tabs ? 'tab' : 'radio'}
            aria-checked={is_tabs ? undefined : choice.value === props.value}
            aria-selected={is_tabs ? choice.value === props.value : undefined}
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
