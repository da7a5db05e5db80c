// A panel beside the content of a view, resizable: its border is moved with the pointer, or with arrow keys when it has
// the focus. On a phone it is a sheet below the content, which a touch of its title opens.

import { createSignal, createUniqueId, type JSX, Show } from 'solid-js';
import { rememberedSize } from '../app/storage';
import { Icon } from './icon';
import { useIsPhone } from './media';
import './side_panel.css';

export interface SidePanelProps {
  name: string; // under which its width is remembered
  label: string; // of its width
  title: string; // of the sheet
  closed?: boolean; // the sheet, at first
  usual: number;
  least: number;
  most: number;
  atEnd?: boolean;
  class: string;
  role?: 'complementary';
  children: JSX.Element;
}

export function SidePanel(props: SidePanelProps): JSX.Element {
  const isPhone = useIsPhone();
  return (
    <Show when={isPhone()} fallback={<Beside {...props} />}>
      <Sheet {...props} />
    </Show>
  );
}

function Sheet(props: SidePanelProps): JSX.Element {
  const [isOpen, setOpen] = createSignal(!props.closed);
  const id = createUniqueId();
  return (
    <section class="sheet" classList={{ open: isOpen() }} aria-label={props.title}>
      <button
        type="button"
        class="sheet-title"
        aria-expanded={isOpen()}
        aria-controls={isOpen() ? id : undefined}
        onClick={() => setOpen(!isOpen())}
      >
        <span class="name">{props.title}</span>
        <Icon name={isOpen() ? 'down' : 'up'} />
      </button>
      <Show when={isOpen()}>
        <div class="sheet-body" id={id}>
          {props.children}
        </div>
      </Show>
    </section>
  );
}

function Beside(props: SidePanelProps): JSX.Element {
  const [width, setWidth] = rememberedSize(props.name, props.usual);
  const resize = (size: number) => setWidth(Math.round(Math.max(props.least, Math.min(props.most, size))));
  const sign = () => (props.atEnd ? -1 : 1);
  function onPointerDown(event: PointerEvent & { currentTarget: HTMLElement }) {
    const bar = event.currentTarget;
    const begin = width() - sign() * event.clientX;
    bar.setPointerCapture(event.pointerId);
    const move = (now: PointerEvent) => resize(begin + sign() * now.clientX);
    bar.addEventListener('pointermove', move);
    bar.addEventListener('lostpointercapture', () => bar.removeEventListener('pointermove', move), { once: true });
    event.preventDefault();
  }
  function onKey(event: KeyboardEvent) {
    const step = { ArrowLeft: -16, ArrowRight: 16 }[event.key];
    if (step === undefined || event.altKey) return;
    resize(width() + sign() * step);
    event.preventDefault();
    event.stopPropagation();
  }
  const border = () => (
    <div
      class="splitter"
      role="separator"
      tabindex="0"
      aria-label={props.label}
      aria-orientation="vertical"
      aria-valuenow={width()}
      aria-valuemin={props.least}
      aria-valuemax={props.most}
      onPointerDown={onPointerDown}
      onKeyDown={onKey}
    />
  );
  return (
    <>
      <Show when={props.atEnd}>{border()}</Show>
      <div class={`side-panel ${props.class}`} role={props.role} style={{ width: `${width()}px` }}>
        {props.children}
      </div>
      <Show when={!props.atEnd}>{border()}</Show>
    </>
  );
}
