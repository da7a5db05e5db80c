// Copies text, and says whether it did.

import type { Toasts } from './notices';

export type Copy = (text: string, what: string) => Promise<void>; // `what` is named in the toast

// The clipboard of pages that browsers do not trust (file:// in some) is reached by a selection only.
async function toClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    area.className = 'offscreen';
    document.body.append(area);
    const before = document.activeElement;
    area.select();
    const copied = document.execCommand('copy');
    area.remove();
    if (before instanceof HTMLElement) before.focus();
    return copied;
  }
}

export function createCopy(toasts: Toasts): Copy {
  return async (text, what) =>
    toasts.show((await toClipboard(text)) ? `Copied ${what}` : 'The browser blocked copying');
}
