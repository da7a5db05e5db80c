// The heading of a column of names; says how many characters of a name the column has room for, and how wide its table is.

import type { JSX } from 'solid-js';
import { watchSize } from './watch_size';

const sample = 'std::vector<Item>::assign_memory(unsigned long)';
const besideNames = 22; // pixels: the color of the object, gaps

// How wide a usual character of the page's font is, and a digit (the unit `ch`).
let widths: { character: number; digit: number } | undefined;
export function fontWidths(): { character: number; digit: number } {
  if (widths) return widths;
  const context = document.createElement('canvas').getContext('2d');
  if (context) context.font = getComputedStyle(document.body).font;
  const width = (text: string) => (context?.measureText(text).width ?? 0) / text.length || 7;
  widths = { character: width(sample), digit: width('0') };
  return widths;
}

export function NameTitle(props: {
  children: JSX.Element;
  onRoom(characters: number, table: number): void;
}): JSX.Element {
  let element!: HTMLSpanElement;
  const column = () => element.closest<HTMLElement>('[role=columnheader]')!;
  const table = () => element.closest('.grid')!;
  const measure = () => {
    const characters = Math.floor((column().clientWidth - besideNames) / fontWidths().character);
    props.onRoom(Math.max(12, characters), table().clientWidth);
  };
  watchSize(column, measure);
  watchSize(table, measure);
  return <span ref={element}>{props.children}</span>;
}
