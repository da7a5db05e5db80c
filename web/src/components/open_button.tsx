// Unfolds a row, or folds it. For the keyboard there are the arrows.

import type { JSX } from 'solid-js';
import { Icon } from './icon';
import './open_button.css';

export function OpenButton(props: { open: boolean; what: string; onOpen(open: boolean): void }): JSX.Element {
  return (
    <button
      type="button"
      class="open-button"
      classList={{ open: props.open }}
      tabindex="-1"
      aria-label={`${props.open ? 'Hide' : 'Show'} ${props.what}`}
      onClick={event => {
        event.stopPropagation();
        props.onOpen(!props.open);
      }}
    >
      <Icon name="right" />
    </button>
  );
}
