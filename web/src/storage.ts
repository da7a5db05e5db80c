// What the browser keeps for the reader. It may refuse: at file:// addresses, in private windows.
import { createSignal, type Signal } from 'solid-js';

export function recall(key: string): string | null {
  try {
    return localStorage.getItem(`callcost.${key}`);
  } catch {
    return null;
  }
}

export function remember(key: string, value: string | null) {
  try {
    if (value === null) localStorage.removeItem(`callcost.${key}`);
    else localStorage.setItem(`callcost.${key}`, value);
  } catch {
    // not kept, then
  }
}

const sizes = new Map<string, Signal<number>>();

// A size that the reader has chosen, and that stays.
export function remembered_size(key: string, usual: number): [() => number, (size: number) => void] {
  const [size, set_size] = sizes.get(key) ?? createSignal(Number(recall(`size.${key}`)) || usual);
  sizes.set(key, [size, set_size]);
  return [
    size,
    value => {
      set_size(value);
      remember(`size.${key}`, String(value));
    },
  ];
}

const most_recent = 8;

export function recent_files(): string[] {
  try {
    const names: unknown = JSON.parse(recall('recent') ?? '[]');
    return Array.isArray(names) ? names.filter(name => typeof name === 'string').slice(0, most_recent) : [];
  } catch {
    return [];
  }
}

// Names only: what was in them stays where it is.
export function add_recent(names: string[]) {
  const all = [...new Set([...names, ...recent_files()])].slice(0, most_recent);
  remember('recent', JSON.stringify(all));
}
