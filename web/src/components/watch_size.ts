import { onCleanup, onMount } from 'solid-js';

// Measures now, and whenever the size has changed.
export function watchSize(element: () => Element, measure: () => void) {
  onMount(() => {
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element());
    onCleanup(() => observer.disconnect());
  });
}
