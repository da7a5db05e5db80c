// Does what takes a while, and cannot be pressed again meanwhile.

import type { JSX } from 'solid-js';

export function ActionButton(props: { text: string; title?: string; waits: boolean; onPress(): void }): JSX.Element {
  return (
    <button type="button" class="button" title={props.title} disabled={props.waits} onClick={() => props.onPress()}>
      {props.text}
    </button>
  );
}
