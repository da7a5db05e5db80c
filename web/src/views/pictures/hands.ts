// Magnifying and moving a picture: Ctrl and wheel, two fingers, dragging, + and - and 0.

import { onCleanup, onMount } from 'solid-js';
import { magnified, moved, type Section } from './picture_view';

const slack = 4; // pixels: a click may move so far

export function useHands(of: {
  area(): HTMLElement;
  section(): Section | undefined;
  onSection(section: [number, number] | null): void;
}) {
  const fingers = new Map<number, { x: number; y: number }>();
  let grasped: { x: number; y: number } | null = null;
  let isDragging = false;

  const placeOf = (x: number) => {
    const box = of.area().getBoundingClientRect();
    return Math.max(0, Math.min(1, (x - box.left) / Math.max(1, box.width)));
  };
  function magnify(factor: number, at: number) {
    const section = of.section();
    if (section) of.onSection(magnified(section, factor, at));
  }
  function move(pixels: number) {
    const section = of.section();
    if (!section || section.to - section.from >= section.most - section.least) return;
    of.onSection(moved(section, pixels / Math.max(1, of.area().clientWidth)));
  }

  // The browser's own zoom needs to be stopped, which handlers of JSX cannot.
  function onWheel(event: WheelEvent) {
    if (!of.section()) return;
    const pixels = event.deltaMode === 1 ? 16 : 1;
    if (event.ctrlKey || event.metaKey) magnify(Math.exp(event.deltaY * pixels * 0.004), placeOf(event.clientX));
    else if (event.shiftKey) move((event.deltaY + event.deltaX) * pixels);
    else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) move(event.deltaX * pixels);
    else return;
    event.preventDefault();
  }
  onMount(() => {
    const area = of.area();
    area.addEventListener('wheel', onWheel, { passive: false });
    onCleanup(() => area.removeEventListener('wheel', onWheel));
  });

  function onPinch(event: PointerEvent) {
    const [a, b] = [...fingers.values()];
    if (!a || !b) return;
    const before = { size: Math.abs(a.x - b.x), middle: (a.x + b.x) / 2 };
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const [c, d] = [...fingers.values()];
    const after = { size: Math.abs(c!.x - d!.x), middle: (c!.x + d!.x) / 2 };
    if (before.size > 8 && after.size > 8) magnify(before.size / after.size, placeOf(after.middle));
    move(before.middle - after.middle);
  }

  return {
    onDown(event: PointerEvent) {
      if (!of.section() || event.button !== 0) return;
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      grasped = { x: event.clientX, y: event.clientY };
      isDragging = false;
    },
    // Whether the picture was moved.
    onMove(event: PointerEvent): boolean {
      const last = fingers.get(event.pointerId);
      if (!last || !grasped) return false;
      if (fingers.size === 2) {
        isDragging = true;
        onPinch(event);
        return true;
      }
      const isFar = Math.abs(event.clientX - grasped.x) > slack || Math.abs(event.clientY - grasped.y) > slack;
      if (!isDragging && !isFar) return false;
      isDragging = true;
      of.area().setPointerCapture?.(event.pointerId);
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      move(last.x - event.clientX);
      // A finger scrolls by itself.
      if (event.pointerType !== 'touch') of.area().scrollTop += last.y - event.clientY;
      return true;
    },
    onUp(event: PointerEvent) {
      fingers.delete(event.pointerId);
      if (fingers.size === 0) grasped = null;
    },
    // Once: the click that ends a drag is none.
    hasDragged(): boolean {
      const was = isDragging;
      isDragging = false;
      return was;
    },
    onKey(key: string): boolean {
      if (!of.section()) return false;
      if (key === '+' || key === '=') magnify(1 / 1.5, 0.5);
      else if (key === '-') magnify(1.5, 0.5);
      else return false;
      return true;
    },
  };
}
