import { For, type JSX } from 'solid-js';
import './tabs.css';

export interface Tab {
  id: string;
  title: JSX.Element;
  hint?: string;
}

// Inside a view; what a tab shows is the caller's business: give it role="tabpanel".
export function Tabs(props: { label: string; tabs: Tab[]; value: string; on_change(id: string): void }): JSX.Element {
  function on_key(event: KeyboardEvent & { currentTarget: HTMLElement }) {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0 || event.altKey) return;
    const at = props.tabs.findIndex(tab => tab.id === props.value);
    const next = props.tabs[(at + step + props.tabs.length) % props.tabs.length];
    if (next) props.on_change(next.id);
    event.currentTarget.querySelector<HTMLElement>('[aria-selected="true"]')?.focus();
    event.preventDefault();
    event.stopPropagation();
  }
  return (
    <div class="tabs" role="tablist" aria-label={props.label} onKeyDown={on_key}>
      <For each={props.tabs}>
        {tab => (
          <button
            type="button"
            role="tab"
            aria-selected={tab.id === props.value}
            tabindex={tab.id === props.value ? 0 : -1}
            title={tab.hint}
            onClick={() => props.on_change(tab.id)}
          >
            {tab.title}
          </button>
        )}
      </For>
    </div>
  );
}
