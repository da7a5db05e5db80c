// A picture of a tree at a certain size: what is where, and how it is drawn.

import type { Pen } from '../../model/pen';

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Marks {
  cursor: number; // row; -1: none
  focused: boolean;
  hover: number;
  is_selected(row: number): boolean;
  found: ((row: number) => boolean) | null; // null: nothing is searched
}

export type Step = 'up' | 'down' | 'left' | 'right' | 'first';

export interface PictureView {
  width: number;
  height: number; // of all of it
  draw(pen: Pen, top: number, bottom: number, marks: Marks, title?: (row: number) => string): void;
  row_at(x: number, y: number): number; // -1: none
  box_of(row: number): Box | null; // null: it is not drawn
  in_sight(top: number, bottom: number): number[];
  step(row: number, step: Step): number; // -1: nowhere
}

export const no_marks: Marks = { cursor: -1, focused: false, hover: -1, is_selected: () => false, found: null };
