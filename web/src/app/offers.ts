// What the view that is shown adds to the page while it is there: keys, and what can be saved of it.

import { type Accessor, createSignal, onCleanup, onMount } from 'solid-js';

// True if the key was for this handler.
export type KeyHandler = (event: KeyboardEvent) => boolean;

export interface Keys {
  add(handler: KeyHandler): void; // while the calling component is there; before the page's own keys
  handle(event: KeyboardEvent): boolean;
}

export function createKeys(): Keys {
  const handlers: KeyHandler[] = [];
  return {
    add(handler) {
      onMount(() => handlers.push(handler));
      onCleanup(() => handlers.splice(handlers.indexOf(handler), 1));
    },
    handle: event => [...handlers].reverse().some(handler => handler(event)),
  };
}

export interface Picture {
  label: string; // "Picture (SVG)"
  save(caption?: readonly string[]): void; // lines above a picture
}

export interface Pictures {
  all: Accessor<Picture[]>; // what the present view can save of itself: pictures, tables
  offer(picture: Picture): void; // while the calling component is there
}

export function createPictures(): Pictures {
  const [all, setAll] = createSignal<Picture[]>([]);
  return {
    all,
    offer(picture) {
      onMount(() => setAll(offered => [...offered, picture]));
      onCleanup(() => setAll(offered => offered.filter(one => one !== picture)));
    },
  };
}
