// Pan and zoom of a picture, by pointer, wheel and keys.

import { createMemo, createSignal, For, type JSX, Show } from 'solid-js';
import { watchSize } from '../../components/watch_size';
import type { Move, Placed, PlacedNode, Point } from '../../model/graph';

export interface View {
  x: number; // of the window's corner in the picture, times the scale
  y: number;
  scale: number;
}

const leastScale = 0.05;
const mostScale = 3;
const mostFitting = 1.15;
const clamp = (value: number, least: number, most: number) => Math.max(least, Math.min(most, value));

interface Part {
  left: number;
  right: number;
  top: number;
  bottom: number;
}
const partPad = 16;
function joined(part: Part | null, { x, y, width, height }: PlacedNode): Part {
  const left = x - width / 2 - partPad;
  const right = x + width / 2 + partPad;
  const top = y - height / 2 - partPad;
  const bottom = y + height / 2 + partPad;
  if (!part) return { left, right, top, bottom };
  return {
    left: Math.min(left, part.left),
    right: Math.max(right, part.right),
    top: Math.min(top, part.top),
    bottom: Math.max(bottom, part.bottom),
  };
}

// Sizes of text in the picture: 11 pixels on the screen at least, in steps. 0: too small for any.
const steps = [1, 0.8, 0.64, 0.5, 0.4];
export const leastText = 11;
const textScale = (scale: number) => steps.find(step => step <= scale + 0.001) ?? 0;

export type Camera = ReturnType<typeof createCamera>;

export function createCamera(area: () => HTMLElement) {
  const [view, setView] = createSignal<View>({ x: 0, y: 0, scale: 1 });
  const [size, setSize] = createSignal({ width: 0, height: 0 });
  let dragging = false;
  let dragged = false;
  const fingers = new Map<number, Point>();
  // The middle of the fingers, and how far they are from it.
  function spread() {
    const all = [...fingers.values()];
    const x = all.reduce((sum, at) => sum + at.x, 0) / all.length;
    const y = all.reduce((sum, at) => sum + at.y, 0) / all.length;
    return { x, y, size: all.reduce((sum, at) => sum + Math.hypot(at.x - x, at.y - y), 0) };
  }

  function measured() {
    const { clientWidth: width, clientHeight: height } = area();
    if (width !== size().width || height !== size().height) setSize({ width, height });
    return { width, height };
  }
  function centre(x: number, y: number, scale: number) {
    const { width, height } = measured();
    setView({ x: x * scale - width / 2, y: y * scale - height / 2, scale });
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
    textScale: createMemo(() => textScale(view().scale)),
    isDragging: () => dragging && dragged,
    wasDragged: () => dragged,
    // As large as it is readable: all of it if that fits, else the part with the first boxes, and as many more as fit.
    show(placed: Placed, boxes: readonly number[]) {
      const { width, height } = measured();
      const scale = clamp(Math.min(width / placed.width, height / placed.height), 1, mostFitting);
      const room = { width: width / scale, height: height / scale };
      let part: Part | null = null;
      for (const box of boxes) {
        const node = placed.nodes[box];
        if (!node) continue;
        const more = joined(part, node);
        if (part && (more.right - more.left > room.width || more.bottom - more.top > room.height)) continue;
        part = more;
      }
      const within = (from: number, to: number, whole: number, window: number) =>
        whole <= window ? whole / 2 : clamp((from + to) / 2, window / 2, whole - window / 2);
      const { left, right, top, bottom } = part ?? { left: 0, right: placed.width, top: 0, bottom: placed.height };
      centre(within(left, right, placed.width, room.width), within(top, bottom, placed.height, room.height), scale);
    },
    // However small that is.
    fit(placed: Placed) {
      const { width, height } = measured();
      const scale = Math.min((width - 2 * partPad) / placed.width, (height - 2 * partPad) / placed.height);
      centre(placed.width / 2, placed.height / 2, clamp(scale, leastScale, mostFitting));
    },
    // Where a box is in the window, and the same for another one.
    cornerOf: (node: PlacedNode) => ({
      x: (node.x - node.width / 2) * view().scale - view().x,
      y: (node.y - node.height / 2) * view().scale - view().y,
    }),
    putCorner(node: PlacedNode, corner: Point) {
      const { x, y } = this.cornerOf(node);
      moveBy(x - corner.x, y - corner.y);
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
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (fingers.size > 1) {
        dragged = true;
        return;
      }
      const begin = { x: event.clientX, y: event.clientY };
      dragging = true;
      dragged = false;
      const move = (now: PointerEvent) => {
        const last = fingers.get(now.pointerId);
        if (!last) return;
        if (!dragged && Math.hypot(now.clientX - begin.x, now.clientY - begin.y) < 4) return;
        dragged = true;
        const before = spread();
        fingers.set(now.pointerId, { x: now.clientX, y: now.clientY });
        const after = spread();
        moveBy(before.x - after.x, before.y - after.y);
        const bounds = area().getBoundingClientRect();
        if (before.size > 8 && after.size > 8)
          zoomAt(after.size / before.size, after.x - bounds.left, after.y - bounds.top);
      };
      const end = (now: PointerEvent) => {
        fingers.delete(now.pointerId);
        if (fingers.size > 0) return;
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
