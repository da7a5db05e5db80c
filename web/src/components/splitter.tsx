// A border between two parts that can be moved: with the pointer, or with arrows when it has the focus.

import type { JSX } from 'solid-js';
import './splitter.css';

export function Splitter(props: {
  label: string;
  direction: 'columns' | 'rows'; // how the parts lie
  size: number; // of the part that is measured, in pixels
  least: number;
  most: number;
  on_change(size: number): void;
  reversed?: boolean; // the measured part comes after the border
}): JSX.Element {
  const clamp = (size: number) => Math.round(Math.max(props.least, Math.min(props.most, size)));
  const sign = () => (props.reversed ? -1 : 1);
  function on_pointer_down(event: PointerEvent & { currentTarget: HTMLElement }) {
    const bar = event.currentTarget;
    const where = (now: PointerEvent) => (props.direction === 'columns' ? now.clientX : now.clientY);
    const begin = where(event);
    const size = props.size;
    bar.setPointerCapture(event.pointerId);
    const move = (now: PointerEvent) => props.on_change(clamp(size + sign() * (where(now) - begin)));
    const end = () => {
      bar.removeEventListener('pointermove', move);
      bar.removeEventListener('pointerup', end);
      bar.removeEventListener('pointercancel', end);
    };
    bar.addEventListener('pointermove', move);
    bar.addEventListener('pointerup', end);
    bar.addEventListener('pointercancel', end);
    event.preventDefault();
  }
  function on_key(event: KeyboardEvent) {
    const steps: Record<string, number> =
      props.direction === 'columns' ? { ArrowLeft: -16, ArrowRight: 16 } : { ArrowUp: -16, ArrowDown: 16 };
    const step = steps[event.key];
    if (step === undefined || event.altKey) return;
    props.on_change(clamp(props.size + sign() * step));
    event.preventDefault();
    event.stopPropagation();
  }
  return (
    <div
      class={`splitter ${props.direction}`}
      role="separator"
      tabindex="0"
      aria-label={props.label}
      aria-orientation={props.direction === 'columns' ? 'vertical' : 'horizontal'}
      aria-valuenow={props.size}
      aria-valuemin={props.least}
      aria-valuemax={props.most}
      onPointerDown={on_pointer_down}
      onKeyDown={on_key}
    />
  );
}
