import { For, type JSX, Show } from 'solid-js';
import { Dynamic } from 'solid-js/web';
import type { App } from '../app';
import { EmptyState } from '../components/empty_state';
import { view_of, views } from '../views/registry';
import './shell.css';

export function Shell(props: { app: App }): JSX.Element {
  const view = () => view_of(props.app.state.view);
  const facts = () => props.app.profile();
  const missing = () => view().missing?.(facts()) ?? null;
  return (
    <div class="shell">
      <header class="shell-head">
        <h1>{facts().title}</h1>
      </header>
      <nav class="shell-views" aria-label="Views">
        <For each={views.filter(one => !one.hidden?.(facts()))}>
          {one => (
            <button
              type="button"
              aria-current={one === view() ? 'page' : undefined}
              onClick={() => props.app.go(one.id)}
            >
              {one.title}
            </button>
          )}
        </For>
      </nav>
      <main class="shell-view">
        <Show when={missing()} fallback={<Dynamic component={view().component} app={props.app} />}>
          {one => <EmptyState {...one()} />}
        </Show>
      </main>
    </div>
  );
}
