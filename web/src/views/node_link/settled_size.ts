// The size of the window that a graph is laid out for.

import { type Accessor, createSignal, onCleanup } from 'solid-js';
import { watchSize } from '../../components/watch_size';
import type { Size } from '../../model/graph';

const bar = 40;
const settles = 300; // milliseconds
const small = { width: 40, height: 120 }; // changes not worth another layout

// 0 until it is known; follows the element when that has not changed for a while.
export function useSettledSize(element: () => HTMLElement): Accessor<Size> {
  const [size, setSize] = createSignal<Size>({ width: 0, height: 0 });
  let timer: ReturnType<typeof setTimeout> | undefined;
  function take() {
    const { clientWidth: width, clientHeight } = element();
    const height = Math.max(1, clientHeight - bar);
    const now = size();
    if (Math.abs(width - now.width) >= small.width || Math.abs(height - now.height) >= small.height)
      setSize({ width, height });
  }
  watchSize(element, () => {
    clearTimeout(timer);
    if (size().width === 0) take();
    else timer = setTimeout(take, settles);
  });
  onCleanup(() => clearTimeout(timer));
  return size;
}
