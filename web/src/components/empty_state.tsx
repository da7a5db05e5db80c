import { type JSX, Show } from 'solid-js';
import './empty_state.css';

// Why there is nothing to show, and what to do.
export function EmptyState(props: {
  title: string;
  text: string;
  command?: string;
  children?: JSX.Element;
}): JSX.Element {
  return (
    <div class="empty-state">
      <h2>{props.title}</h2>
      <p>{props.text}</p>
      <Show when={props.command}>
        <pre>
          <code>{props.command}</code>
        </pre>
      </Show>
      {props.children}
    </div>
  );
}
