// All of a flame graph, small, and which part of it is drawn below. The part is moved with the pointer or arrow keys.

import { createEffect, createSignal, type JSX } from 'solid-js';
import type { App } from '../../app/app';
import { watchSize } from '../../components/watch_size';
import { eachBetween, type FlameLayout } from '../../model/flame_layout';
import { moved, type PictureView } from '../pictures/picture_view';
import './overview.css';

// Down to the deepest box that is wide enough to be seen.
function seenLevels(layout: FlameLayout): number {
  const least = 1 / 300;
  for (let level = layout.first.length - 1; level > 4; level--) {
    for (let at = layout.first[level - 1]!; at < layout.first[level]!; at++) {
      const row = layout.rows[at]!;
      if (layout.end[row]! - layout.begin[row]! >= least) return level;
    }
  }
  return Math.min(4, layout.first.length - 1);
}

export function Overview(props: {
  app: App;
  layout: FlameLayout;
  rootsOnTop: boolean;
  view: PictureView;
  onSection(section: [number, number]): void;
}): JSX.Element {
  let strip!: HTMLDivElement;
  let canvas!: HTMLCanvasElement;
  const [size, setSize] = createSignal({ width: 0, height: 0 });
  watchSize(
    () => strip,
    () => setSize({ width: strip.clientWidth, height: strip.clientHeight }),
  );
  createEffect(() => {
    const { width, height } = size();
    const scale = window.devicePixelRatio || 1;
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    const context = canvas.getContext('2d');
    const { layout, rootsOnTop } = props;
    const levels = seenLevels(layout);
    if (!context || levels < 1 || width === 0) return;
    context.fillStyle = props.app.palette().muted;
    const tall = canvas.height / levels;
    for (let level = 1; level <= levels; level++) {
      const y = rootsOnTop ? (level - 1) * tall : canvas.height - level * tall;
      let drawn = -1; // up to this pixel
      eachBetween(layout, level, 0, 1, row => {
        const begin = Math.max(drawn, Math.floor(layout.begin[row]! * canvas.width));
        const end = Math.ceil(layout.end[row]! * canvas.width);
        if (end > begin) context.fillRect(begin, y, end - begin, Math.max(1, tall));
        drawn = Math.max(drawn, end);
      });
    }
  });
  const section = () => props.view.section ?? { from: 0, to: 1, least: 0, most: 1 };
  const at = (place: number) => `${place * 100}%`;
  function move(event: PointerEvent) {
    const box = strip.getBoundingClientRect();
    const now = section();
    const middle = (event.clientX - box.left) / Math.max(1, box.width);
    props.onSection(moved(now, (middle - (now.from + now.to) / 2) / (now.to - now.from)));
  }
  return (
    <div
      class="overview"
      ref={strip}
      role="scrollbar"
      tabindex="0"
      aria-label="Part of the flame graph that is shown"
      aria-orientation="horizontal"
      aria-controls="view"
      aria-valuenow={Math.round(section().from * 100)}
      aria-valuetext={`${(section().from * 100).toFixed(1)} % to ${(section().to * 100).toFixed(1)} %`}
      onPointerDown={event => {
        strip.setPointerCapture(event.pointerId);
        move(event);
      }}
      onPointerMove={event => strip.hasPointerCapture(event.pointerId) && move(event)}
      onKeyDown={event => {
        const step = { ArrowLeft: -0.2, ArrowRight: 0.2 }[event.key];
        if (step === undefined || event.altKey) return;
        props.onSection(moved(section(), step));
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <canvas ref={canvas} aria-hidden="true" />
      <div class="overview-part" style={{ left: at(section().from), width: at(section().to - section().from) }} />
    </div>
  );
}
