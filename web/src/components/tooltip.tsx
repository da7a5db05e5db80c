import { createEffect, createSignal, getOwner, type JSX, onCleanup, onMount, Show } from 'solid-js';
import { Portal } from 'solid-js/web';
import type { Tips } from '../app/notices';
import './tooltip.css';

// Shows what app.tip holds, near the pointer and inside the window. The shell has one.
export function TooltipLayer(props: { tip: Tips }): JSX.Element {
  const [size, setSize] = createSignal({ width: 0, height: 0 });
  let box: HTMLDivElement | undefined;
  createEffect(() => {
    if (props.tip.now() && box) setSize({ width: box.offsetWidth, height: box.offsetHeight });
  });
  // It does not stay when what it is about may have moved.
  const hide = () => props.tip.now() && props.tip.hide();
  onMount(() => {
    for (const event of ['keydown', 'scroll', 'wheel', 'blur']) {
      window.addEventListener(event, hide, { capture: true, passive: true });
      onCleanup(() => window.removeEventListener(event, hide, { capture: true }));
    }
  });
  const left = (x: number) => Math.max(4, Math.min(x + 12, window.innerWidth - size().width - 8));
  const top = (y: number) =>
    y + 18 + size().height > window.innerHeight - 4 ? Math.max(4, y - size().height - 10) : y + 18;
  return (
    <Show when={props.tip.now()}>
      {tip => (
        <Portal>
          <div
            class="tooltip"
            role="tooltip"
            ref={box}
            style={{ transform: `translate(${Math.round(left(tip().x))}px, ${Math.round(top(tip().y))}px)` }}
          >
            {tip().content()}
          </div>
        </Portal>
      )}
    </Show>
  );
}

// Handlers for an element with a tooltip: <span {...explains(app.tip, () => 'text')}>.
export function explains(tip: Tips, content: () => JSX.Element) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  if (getOwner()) onCleanup(() => clearTimeout(timer));
  return {
    onPointerEnter(event: PointerEvent) {
      if (event.pointerType === 'touch') return;
      timer = setTimeout(() => tip.show(event.clientX, event.clientY, content), 350);
    },
    onPointerLeave() {
      clearTimeout(timer);
      tip.hide();
    },
    onPointerDown() {
      clearTimeout(timer);
      tip.hide();
    },
  };
}
