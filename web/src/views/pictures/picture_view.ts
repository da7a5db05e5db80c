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

// The part of a picture that is drawn, from left to right, in whatever unit; it can be magnified and moved.
export interface Section {
  from: number;
  to: number;
  least: number; // how far it can be moved
  most: number;
}

const mostMagnified = 2 ** 20;

// `factor` below 1 shows less. `at`, from 0 to 1, stays where it is; all of it: null.
export function magnified(section: Section, factor: number, at: number): [number, number] | null {
  const { from, to, least, most } = section;
  const all = most - least;
  const size = Math.max(all / mostMagnified, (to - from) * factor);
  if (!(size < all)) return null;
  return placed(section, from + (to - from) * at - size * at, size);
}

// `by` is a part of what is drawn.
export function moved(section: Section, by: number): [number, number] {
  const size = section.to - section.from;
  return placed(section, section.from + size * by, size);
}

function placed({ least, most }: Section, from: number, size: number): [number, number] {
  const begin = Math.max(least, Math.min(most - size, from));
  return [begin, begin + size];
}

// Boxes beside each other that are too small: they are drawn as one, and named by the row of the first.
export interface Merged {
  rows: readonly number[]; // of the boxes
  frames: number; // with all below them
}

export interface PictureView {
  section?: Section; // if it can be magnified
  width: number;
  height: number; // of all of it
  // `found`: what a search found; null: nothing is searched.
  draw(
    surface: DrawingSurface,
    top: number,
    bottom: number,
    found: Found | null,
    title?: (row: number, merged: Merged | null) => string,
  ): void;
  drawMarks(surface: DrawingSurface, top: number, bottom: number, marks: Marks): void;
  rowAt(x: number, y: number): number; // -1: none
  merged(row: number): Merged | null;
  sectionOf?(row: number): [number, number]; // that the row fills
  boxOf(row: number): Box | null; // null: it is not drawn
  inSight(top: number, bottom: number): number[];
  step(row: number, step: Step): number; // -1: nowhere
}
