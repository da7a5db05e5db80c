import { type JSX, onMount } from 'solid-js';
import './dialog.css';
import { IconButton } from './icon_button';

// A modal dialog. Esc, the cross and a click beside it close it.
export function Dialog(props: {
  title: string;
  onClose(): void;
  children: JSX.Element;
  class?: string;
  bare?: boolean; // without a head
}): JSX.Element {
  let dialog!: HTMLDialogElement;
  onMount(() => {
    dialog.showModal();
    dialog.querySelector<HTMLElement>('[data-first]')?.focus();
  });
  return (
    <dialog
      class={`dialog ${props.class ?? ''}`}
      ref={dialog}
      aria-label={props.title}
      onClose={() => props.onClose()}
      onKeyDown={event => event.stopPropagation()}
      onClick={event => {
        if (event.target === dialog) dialog.close();
      }}
    >
      <div class="dialog-inside">
        {!props.bare && (
          <header class="dialog-head">
            <h2>{props.title}</h2>
            <IconButton icon="close" label="Close" onPress={() => dialog.close()} />
          </header>
        )}
        {props.children}
      </div>
    </dialog>
  );
}
