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
export const noteOf = (text: string) =>
  text
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\ufffe\uffff]/gu, '')
    .trim()
    .slice(0, mostOfNote)
    .replace(/\p{Cs}$/u, '');

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
