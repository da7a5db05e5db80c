// What the browser keeps for the reader. It may refuse: at file:// addresses, in private windows.

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
