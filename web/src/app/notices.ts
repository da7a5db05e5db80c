// What appears above the page for a while: a tooltip, and messages.

import { type Accessor, createSignal, type JSX } from 'solid-js';

export interface Tip {
  x: number;
  y: number;
  content: () => JSX.Element;
}

export interface Tips {
  now: Accessor<Tip | null>;
  show(x: number, y: number, content: () => JSX.Element): void;
  hide(): void;
}

export function createTips(): Tips {
  const [now, setNow] = createSignal<Tip | null>(null);
  return { now, show: (x, y, content) => setNow({ x, y, content }), hide: () => setNow(null) };
}

export interface Toasts {
  all: Accessor<{ number: number; text: string }[]>;
  show(text: string): void;
}

export function createToasts(): Toasts {
  const [all, setAll] = createSignal<{ number: number; text: string }[]>([]);
  let numbers = 0;
  return {
    all,
    show(text) {
      const number = ++numbers;
      setAll(shown => [...shown.slice(-2), { number, text }]);
      setTimeout(() => setAll(shown => shown.filter(one => one.number !== number)), 4000);
    },
  };
}
