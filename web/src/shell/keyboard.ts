// The keys of the page. A view's own keys come first (app.keys.add), and whatever has the focus before both.

import type { History } from '../app/history';
import type { Keys } from '../app/offers';

export interface PageKeys {
  palette(): void;
  help(): void;
  filter(): void;
  find(): void;
  view(key: string): boolean; // whether one has this key
  shorten(): void;
  level(): void; // the next one
  relative(): void;
  escape(): void;
  intoView(event: KeyboardEvent): boolean; // whether it went there
}

// Keys for moving and opening, which go to the view if nothing has the focus.
const moves = /^(Arrow.*|Page.*|Home|End|Enter|\+|-)$/;

function takesText(target: EventTarget | null): boolean {
  const element = target as HTMLElement | null;
  return element?.closest?.('input, textarea, select, [contenteditable="true"]') != null;
}

export function onPageKey(
  history: History,
  viewKeys: Keys,
  keys: PageKeys,
  isDialogOpen: boolean,
  event: KeyboardEvent,
) {
  if (event.defaultPrevented || event.isComposing || isDialogOpen) return;
  const control = event.ctrlKey || event.metaKey;
  if (control && !event.altKey && event.key.toLowerCase() === 'k') keys.palette();
  else if (event.altKey && !control && event.key === 'ArrowLeft') history.back();
  else if (event.altKey && !control && event.key === 'ArrowRight') history.forward();
  else if (control || event.altKey || takesText(event.target)) return;
  else if (viewKeys.handle(event)) {
    // the view's
  } else if (event.key === '/') keys.palette();
  else if (event.key === '?') keys.help();
  else if (event.key === 'f') keys.filter();
  else if (event.key === '\\') keys.find();
  else if (event.key === 't') keys.shorten();
  else if (event.key === 'l') keys.level();
  else if (event.key === '%') keys.relative();
  else if (event.key === 'Escape') keys.escape();
  else if (keys.view(event.key)) {
    // it is shown
  } else if (!moves.test(event.key) || !keys.intoView(event)) return;
  event.preventDefault();
}
