// Pan and zoom of a picture, by pointer, wheel and keys.

import { createMemo, createSignal, For, type JSX, Show } from 'solid-js';
import { watchSize } from '../../components/watch_size';
import type { Move, Placed, PlacedNode } from '../../model/graph';

export interface View {
  x: number; // of the window's corner in the picture, times the scale
  y: number;
  scale: number;
}

const leastScale = 0.05;
const mostScale = 3;
const readable = 0.6;
const stillReadable = 0.85;
const clamp = (value: number, least: number, most: number) => Math.max(least, Math.min(most, value));

export type Camera = ReturnType<typeof createCamera>;

export function createCamera(area: () => HTMLElement) {
  const [view, setView] = createSignal<View>({ x: 0, y: 0, scale: 1 });
  const [size, setSize] = createSignal({ width: 0, height: 0 });
  let dragging = false;
  let dragged = false;

  function measured() {
    const { clientWidth: width, clientHeight: height } = area();
    if (width !== size().width || height !== size().height) setSize({ width, height });
    return { width, height };
  }
  function centre(x: number, y: number, scale: number) {
    const { width, height } = measured();
    setView({ x: x * scale - width / 2, y: y * scale - height / 2, scale });
  }
  function fittingScale(placed: Placed): number {
    const { width, height } = measured();
    return clamp(Math.min(width / Math.max(1, placed.width), height / Math.max(1, placed.height)), leastScale, 1.15);
  }
  function zoomAt(factor: number, x: number, y: number) {
    const now = view();
    const scale = clamp(now.scale * factor, leastScale, mostScale);
    const ratio = scale / now.scale;
    setView({ x: (now.x + x) * ratio - x, y: (now.y + y) * ratio - y, scale });
  }
  const moveBy = (x: number, y: number) => setView(now => ({ ...now, x: now.x + x, y: now.y + y }));

  watchSize(area, measured);
  return {
    view,
    size,
    transform: () => `translate(${-view().x} ${-view().y}) scale(${view().scale})`,
    isDragging: () => dragging && dragged,
    wasDragged: () => dragged,
    fit(placed: Placed) {
      centre(placed.width / 2, placed.height / 2, fittingScale(placed));
    },
    show(placed: Placed, node: PlacedNode | undefined) {
      const scale = fittingScale(placed);
      if (scale >= readable || !node) return centre(placed.width / 2, placed.height / 2, scale);
      centre(node.x, node.y, stillReadable);
      // Keeps the picture in view.
      const { width, height } = measured();
      const within = (at: number, whole: number, window: number) =>
        whole <= window ? (whole - window) / 2 : clamp(at, 0, whole - window);
      setView(({ x, y, scale: now }) => ({
        x: within(x, placed.width * now, width),
        y: within(y, placed.height * now, height),
        scale: now,
      }));
    },
    centre,
    zoom(factor: number) {
      const { width, height } = measured();
      zoomAt(factor, width / 2, height / 2);
    },
    pan(move: Move) {
      const step = 80;
      if (move === 'left' || move === 'right') moveBy(move === 'left' ? -step : step, 0);
      else moveBy(0, move === 'up' ? -step : step);
    },
    keepInSight(node: PlacedNode) {
      const { width, height } = measured();
      const { x, y, scale } = view();
      const pad = 24;
      const left = (node.x - node.width / 2) * scale - pad;
      const right = (node.x + node.width / 2) * scale + pad;
      const top = (node.y - node.height / 2) * scale - pad;
      const bottom = (node.y + node.height / 2) * scale + pad;
      setView({
        x: right - left > width || left < x ? left : right > x + width ? right - width : x,
        y: bottom - top > height || top < y ? top : bottom > y + height ? bottom - height : y,
        scale,
      });
    },
    wheel(event: WheelEvent) {
      event.preventDefault();
      const bounds = area().getBoundingClientRect();
      const lines = event.deltaMode === 1 ? 30 : 1;
      zoomAt(
        Math.exp(-clamp(event.deltaY * lines, -200, 200) / 400),
        event.clientX - bounds.left,
        event.clientY - bounds.top,
      );
    },
    drag(event: PointerEvent) {
      if (event.button !== 0) return;
      const begin = { x: event.clientX, y: event.clientY };
      let last = begin;
      dragging = true;
      dragged = false;
      const move = (now: PointerEvent) => {
        if (!dragged && Math.hypot(now.clientX - begin.x, now.clientY - begin.y) < 4) return;
        dragged = true;
        moveBy(last.x - now.clientX, last.y - now.clientY);
        last = { x: now.clientX, y: now.clientY };
      };
      const end = () => {
        dragging = false;
        window.removeEventListener('pointermove', move);
        window.removeEventListener('pointerup', end);
        window.removeEventListener('pointercancel', end);
      };
      window.addEventListener('pointermove', move);
      window.addEventListener('pointerup', end);
      window.addEventListener('pointercancel', end);
    },
  };
}

const pannerWidth = 150;
const pannerHeight = 110;

// An overview map while only a part of the picture is visible.
export function Panner(props: { camera: Camera; placed: Placed; marked: number }): JSX.Element {
  const { camera } = props;
  const scale = () =>
    Math.min(pannerWidth / Math.max(1, props.placed.width), pannerHeight / Math.max(1, props.placed.height));
  const seen = createMemo(() => {
    const { x, y, scale: zoom } = camera.view();
    const { width, height } = camera.size();
    return { x: x / zoom, y: y / zoom, width: width / zoom, height: height / zoom };
  });
  const isNeeded = () => {
    const { x, y, width, height } = seen();
    return x > 1 || y > 1 || x + width < props.placed.width - 1 || y + height < props.placed.height - 1;
  };
  function lookAt(event: PointerEvent & { currentTarget: SVGSVGElement }) {
    const bounds = event.currentTarget.getBoundingClientRect();
    camera.centre((event.clientX - bounds.left) / scale(), (event.clientY - bounds.top) / scale(), camera.view().scale);
  }
  return (
    <Show when={isNeeded()}>
      <svg
        class="graph-panner"
        aria-hidden="true"
        width={Math.ceil(props.placed.width * scale())}
        height={Math.ceil(props.placed.height * scale())}
        onPointerDown={event => {
          event.currentTarget.setPointerCapture(event.pointerId);
          lookAt(event);
        }}
        onPointerMove={event => event.currentTarget.hasPointerCapture(event.pointerId) && lookAt(event)}
      >
        <g transform={`scale(${scale()})`}>
          <For each={props.placed.nodes}>
            {(node, index) => (
              <rect
                class="graph-panner-node"
                classList={{ marked: index() === props.marked }}
                x={node.x - node.width / 2}
                y={node.y - node.height / 2}
                width={node.width}
                height={node.height}
              />
            )}
          </For>
          <rect class="graph-panner-seen" {...seen()} stroke-width={1.5 / scale()} />
        </g>
      </svg>
    </Show>
  );
}
