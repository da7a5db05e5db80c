// What is shared of the page: its state as a fragment of an address, a note, the lines above a picture.

import { encode } from './address';
import type { State } from './state';
import { printable } from './visible';

export const mostOfNote = 200; // characters

// Nothing is left to what the reader chose last.
export function sharedFragment(state: State): string {
  return `${encode(state)}${state.relative === 'relative' ? '&numbers=relative' : ''}`;
}

// On one line.
export const noteOf = (text: string) => printable(text.replace(/\s+/g, ' ').trim(), mostOfNote);

export function captionOf(of: {
  title: string;
  view: string;
  total: string;
  filters: string[];
  day: string;
  note: string;
}) {
  const facts = [of.total, ...of.filters.map(one => printable(one, 80)), of.day];
  return [`${printable(of.title, 80)}: ${of.view}`, facts.filter(one => one).join(' · '), of.note].filter(line => line);
}
