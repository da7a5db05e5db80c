// A panel at an element, over everything else; Esc or a click outside closes it. It stays at its place in
// the page's order, but in the browser's top layer, so that nothing clips it.

import { createEffect, createSignal, type JSX, onCleanup, onMount, Show } from 'solid-js';
import { Icon } from './icon';
import './popover.css';

export interface PopoverProps {
  at: HTMLElement | { x: number; y: number };
  label: string;
  role?: 'menu' | 'dialog' | 'listbox';
  align?: 'start' | 'end';
  onClose(): void;
  children: JSX.Element;
  class?: string;
  passive?: boolean; // the focus stays where it is
}

export function Popover(props: PopoverProps): JSX.Element {
  let box!: HTMLDivElement;
  const before = document.activeElement;

  function arrange() {
    const anchor =
      props.at instanceof HTMLElement ? props.at.getBoundingClientRect() : new DOMRect(props.at.x, props.at.y, 0, 0);
    const { offsetWidth: width, offsetHeight: height } = box;
    const wanted = props.align === 'end' ? anchor.right - width : anchor.left;
    const left = Math.max(8, Math.min(wanted, window.innerWidth - width - 8));
    const below = anchor.bottom + 4;
    const fits = below + height <= window.innerHeight - 8;
    const top = fits ? below : Math.max(8, Math.min(anchor.top - height - 4, window.innerHeight - height - 8));
    box.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  }
  function outside(event: PointerEvent) {
    const target = event.target as Node;
    if (box.contains(target)) return;
    if (props.at instanceof HTMLElement && props.at.contains(target)) return;
    props.onClose();
  }
  onMount(() => {
    box.showPopover();
    arrange();
    const first = box.querySelector<HTMLElement>('[data-first], [role^="menuitem"], input, button');
    if (!props.passive) (first ?? box).focus();
    const observer = new ResizeObserver(arrange);
    observer.observe(box);
    window.addEventListener('resize', arrange);
    document.addEventListener('pointerdown', outside, true);
    onCleanup(() => {
      observer.disconnect();
      window.removeEventListener('resize', arrange);
      document.removeEventListener('pointerdown', outside, true);
      const hasFocus = box.contains(document.activeElement) || document.activeElement === document.body;
      if (hasFocus && before instanceof HTMLElement) before.focus();
    });
  });

  return (
    <div
      popover="manual"
      class={`popover ${props.class ?? ''}`}
      ref={box}
      role={props.role ?? 'dialog'}
      aria-label={props.label}
      tabindex="-1"
      onKeyDown={event => {
        if (event.key === 'Escape') {
          props.onClose();
          event.preventDefault();
        }
        event.stopPropagation();
      }}
    >
      {props.children}
    </div>
  );
}

// A button that opens one.
export function PopoverButton(props: {
  label: string; // of the panel
  title?: string; // of the button
  name?: string; // of the button, if it has no text
  class?: string;
  role?: PopoverProps['role'];
  align?: 'start' | 'end';
  button?: JSX.Element;
  text?: JSX.Element; // of a button that says what it opens
  children: (close: () => void) => JSX.Element;
  open?: boolean; // opens when it becomes true
  onToggle?(open: boolean): void;
}): JSX.Element {
  const [open, setOpen] = createSignal(false);
  let button!: HTMLButtonElement;
  const toggle = (now: boolean) => {
    setOpen(now);
    props.onToggle?.(now);
  };
  createEffect(() => props.open !== undefined && setOpen(props.open));
  return (
    <>
      <button
        type="button"
        ref={button}
        class={props.class ?? 'button quiet'}
        title={props.title}
        aria-label={props.name}
        aria-haspopup={props.role === 'menu' ? 'menu' : 'dialog'}
        aria-expanded={open()}
        onClick={() => toggle(!open())}
      >
        {props.button}
        <Show when={props.text}>
          {props.text} <Icon name="down" />
        </Show>
      </button>
      <Show when={open()}>
        <Popover at={button} label={props.label} role={props.role} align={props.align} onClose={() => toggle(false)}>
          {props.children(() => toggle(false))}
        </Popover>
      </Show>
    </>
  );
}
