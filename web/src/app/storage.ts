// Local storage. It may be unavailable: at file:// addresses, in private windows.
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

// A size that the user chose, remembered.
export function rememberedSize(key: string, usual: number): [() => number, (size: number) => void] {
  const [size, setSize] = sizes.get(key) ?? createSignal(Number(recall(`size.${key}`)) || usual);
  sizes.set(key, [size, setSize]);
  return [
    size,
    value => {
      setSize(value);
      remember(`size.${key}`, String(value));
    },
  ];
}

const mostRecent = 8;

export function recentFiles(): string[] {
  try {
    const names: unknown = JSON.parse(recall('recent') ?? '[]');
    return Array.isArray(names) ? names.filter(name => typeof name === 'string').slice(0, mostRecent) : [];
  } catch {
    return [];
  }
}

// Names only, no contents.
export function addRecent(names: string[]) {
  const all = [...new Set([...names, ...recentFiles()])].slice(0, mostRecent);
  remember('recent', JSON.stringify(all));
}
