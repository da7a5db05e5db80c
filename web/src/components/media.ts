// Media queries that are followed.

import { type Accessor, createSignal, onCleanup } from 'solid-js';

export function useMedia(query: string): Accessor<boolean> {
  const list = matchMedia(query);
  const [holds, setHolds] = createSignal(list.matches);
  const listen = () => setHolds(list.matches);
  list.addEventListener('change', listen);
  onCleanup(() => list.removeEventListener('change', listen));
  return holds;
}

// As narrow as a phone held upright: lists have two numbers, panels are sheets. Styles use the same width.
export const useIsPhone = () => useMedia('(width < 700px)');
