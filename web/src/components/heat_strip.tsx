// A strip beside a listing: where the cost is, and which part is visible. A click scrolls there; for the keyboard there
// are the listing itself and "n" and "p".

import { createEffect, createSignal, type JSX } from 'solid-js';
import type { App } from '../app/app';
import { heatOfBins, type Weight } from '../model/heat';
import './heat_strip.css';
import type { Sight } from './grid';
import { watchSize } from './watch_size';

export function HeatStrip(props: {
  app: App;
  weights: readonly Weight[];
  rows: number;
  sight: Sight;
  onGo(row: number): void;
}): JSX.Element {
  let canvas!: HTMLCanvasElement;
  const [size, setSize] = createSignal({ width: 0, height: 0 });
  watchSize(
    () => canvas,
    () => setSize({ width: canvas.clientWidth, height: canvas.clientHeight }),
  );

  createEffect(() => {
    const { width, height } = size();
    const palette = props.app.palette();
    const context = canvas.getContext('2d');
    if (!context || width === 0 || height === 0) return;
    const ratio = window.devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    context.scale(ratio, ratio);
    const rows = Math.max(1, props.rows);
    // A short file is not stretched.
    const tall = Math.min(height, Math.max(rows * 3, 1));
    const first = (props.sight.first / rows) * tall;
    const last = Math.min(tall, (props.sight.last / rows) * tall);
    context.fillStyle = palette.line;
    context.globalAlpha = 0.7;
    context.fillRect(0, first, width, Math.max(4, last - first));
    const heat = heatOfBins(props.weights, rows, Math.max(1, Math.floor(tall / 2)));
    const step = tall / heat.length;
    context.fillStyle = palette.accent;
    heat.forEach((value, bin) => {
      if (value <= 0) return;
      context.globalAlpha = 0.25 + 0.75 * Math.sqrt(value);
      const wide = Math.max(3, (width - 4) * Math.sqrt(value));
      context.fillRect(2, bin * step, wide, Math.max(2, step));
    });
  });

  function rowAt(event: PointerEvent): number {
    const rows = Math.max(1, props.rows);
    const tall = Math.min(size().height, Math.max(rows * 3, 1));
    const at = (event.clientY - canvas.getBoundingClientRect().top) / tall;
    return Math.max(0, Math.min(rows - 1, Math.floor(at * rows)));
  }
  return (
    <canvas
      ref={canvas}
      class="heat-strip"
      aria-hidden="true"
      title="Cost distribution: click to jump"
      onPointerDown={event => {
        canvas.setPointerCapture(event.pointerId);
        props.onGo(rowAt(event));
      }}
      onPointerMove={event => {
        if (event.buttons & 1) props.onGo(rowAt(event));
      }}
    />
  );
}
