import { For, type JSX } from 'solid-js';
import './segmented.css';

export interface Choice<T extends string> {
  value: T;
  label: JSX.Element;
  hint?: string;
}

// A few choices of which one holds; arrows move between them. As tabs: the caller gives their panel
// role="tabpanel".
export function Segmented<T extends string>(props: {
  label: string;
  choices: Choice<T>[];
  value: T;
  onChange(value: T): void;
  tabs?: boolean;
}): JSX.Element {
  const isTabs = props.tabs === true;
  function onKey(event: KeyboardEvent & { currentTarget: HTMLElement }) {
    const step =
      event.key === 'ArrowRight' || event.key === 'ArrowDown'
        ? 1
        : event.key === 'ArrowLeft' || event.key === 'ArrowUp'
          ? -1
          : 0;
    if (step === 0 || event.altKey) return;
    const at = props.choices.findIndex(choice => choice.value === props.value);
    const next = props.choices[(at + step + props.choices.length) % props.choices.length];
    if (next) props.onChange(next.value);
    event.currentTarget.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
    event.preventDefault();
    event.stopPropagation();
  }
  return (
    <div
      class={isTabs ? 'tabs' : 'segmented'}
      role={isTabs ? 'tablist' : 'radiogroup'}
      aria-label={props.label}
      onKeyDown={onKey}
    >
      <For each={props.choices}>
        {choice => (
          <button
            type="button"
            role={isTabs ? 'tab' : 'radio'}
            aria-checked={isTabs ? undefined : choice.value === props.value}
            aria-selected={isTabs ? choice.value === props.value : undefined}
            tabindex={choice.value === props.value ? 0 : -1}
            title={choice.hint}
            onClick={() => props.onChange(choice.value)}
          >
            {choice.label}
          </button>
        )}
      </For>
    </div>
  );
}
