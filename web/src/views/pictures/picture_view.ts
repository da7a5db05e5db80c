// A picture of a tree at a certain size: what is where, and how it is drawn.

import type { DrawingSurface } from '../../model/drawing_surface';

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

// What is outlined: it changes more often than the picture.
export interface Marks {
  cursor: number; // row; -1: none
  focused: boolean;
  hover: number;
  selected: ReadonlySet<number>; // of the answer's functions
}

export type Found = (row: number) => boolean;
export type Step = 'up' | 'down' | 'left' | 'right' | 'first';

export interface PictureView {
  width: number;
  height: number; // of all of it
  // `found`: what a search found; null: nothing is searched.
  draw(
    surface: DrawingSurface,
    top: number,
    bottom: number,
    found: Found | null,
    title?: (row: number) => string,
  ): void;
  drawMarks(surface: DrawingSurface, top: number, bottom: number, marks: Marks): void;
  rowAt(x: number, y: number): number; // -1: none
  boxOf(row: number): Box | null; // null: it is not drawn
  inSight(top: number, bottom: number): number[];
  step(row: number, step: Step): number; // -1: nowhere
}
