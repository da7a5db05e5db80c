// The heading of a column of names; says how many characters of a name the column has room for.

import type { JSX } from 'solid-js';
import { watchSize } from './watch_size';

const sample = 'std::vector<Item>::operator[](unsigned long)';
const besideNames = 22; // pixels: the colour of the object, gaps

// The width of a usual character of the page's font.
let width = 0;
function characterWidth(): number {
  if (width > 0) return width;
  const context = document.createElement('canvas').getContext('2d');
  if (context) context.font = getComputedStyle(document.body).font;
  width = (context?.measureText(sample).width ?? 0) / sample.length || 7;
  return width;
}

export function NameTitle(props: { children: JSX.Element; onRoom(characters: number): void }): JSX.Element {
  let element!: HTMLSpanElement;
  const column = () => element.closest<HTMLElement>('[role=columnheader]')!;
  watchSize(column, () => {
    const characters = Math.floor((column().clientWidth - besideNames) / characterWidth());
    props.onRoom(Math.max(12, characters - (characters % 2)));
  });
  return <span ref={element}>{props.children}</span>;
}
