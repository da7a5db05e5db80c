// Colors and labels of the boxes of a tree, in the current theme.

import { type Accessor, createMemo } from 'solid-js';
import type { App } from '../../app/app';
import type { Palette } from '../../app/theme';
import { hueOf } from '../../model/color';
import { exact } from '../../model/format';
import {
  type ChangeKind,
  groupOf,
  type PictureChange,
  pictureChange,
  shade,
  shadesOf,
  toned,
  tones,
  tonesOf,
} from '../../model/picture_style';
import { blend } from '../../model/shades';
import type { State } from '../../model/state';
import {
  funcOf,
  inlinedMark,
  kinds,
  parentOf,
  restOf,
  type Tree,
  unattributedName,
  unrecordedName,
} from '../../model/tree';
import { type Cost, toNumber } from '../../protocol/cost';
import type { Frames } from '../../protocol/protocol';
import type { Merged } from './picture_view';
import type { TreeData } from './tree_data';

export interface BoxStyle {
  fill: string;
  text: string;
  mark: PictureChange['mark'];
  change: ChangeKind;
  dashed: boolean; // outlined so, with little fill
  line: string; // of the outline, '' if there is none
}

export interface TreeStyle {
  palette: Palette;
  box(row: number): BoxStyle; // as it is
  own(row: number): BoxStyle; // of its self cost
  merged: BoxStyle; // of boxes that are drawn as one
  labels(row: number): readonly string[]; // the longest first
  mergedLabels(merged: Merged): readonly string[];
  dim(fill: string): string; // what a search did not find
  hatch: string;
}

// Filters leave out functions, too.
export function hidesFunctions(state: State): boolean {
  return state.chips.some(({ kind }) => kind !== 'focus' && kind !== 'ignore');
}

export function specialName(state: State, kind: number | undefined): string {
  if (kind === kinds.unbalanced) return '(unbalanced)';
  if (kind === kinds.unrecorded) return unrecordedName;
  if (kind === kinds.unattributed) return unattributedName;
  if (kind !== kinds.notExpanded) return '';
  return hidesFunctions(state) ? '… not shown' : '… not expanded';
}

export const chainSize = (chain: readonly number[]) => `(${chain.length} functions)`;

export function mergedName(count: number, areFunctions = false): string {
  return `${exact(count)} more${areFunctions ? ' functions' : ''}`;
}

// Boxes of an inverted tree that are functions, each once.
export function areOutermost(tree: Tree, rows: readonly number[]): boolean {
  return tree.rest !== undefined && parentOf(tree, rows[0]!) < 0;
}

export function useStyle(app: App, data: TreeData): Accessor<TreeStyle | undefined> {
  // Names and colors of functions are made as they are needed, once for each.
  const names = createMemo(() => {
    const tree = data.tree();
    const known: (readonly string[])[] = [];
    return (row: number): readonly string[] => {
      const func = tree && funcOf(tree, row);
      const rest = tree ? restOf(tree, row) : 0;
      if (rest > 0) return [mergedName(rest, true), mergedName(rest), String(rest)];
      if (!tree || !func) return [specialName(app.state, tree?.frames.kind[row])];
      const chain = tree.chains.get(row);
      if (chain) {
        const [first, last] = [chain[0]!, chain[chain.length - 1]!].map(index =>
          app.names.labels(tree.answer.functions[index]!),
        ) as [string[], string[]];
        const size = chainSize(chain);
        return [
          [first[0], last[0]],
          [first.at(-1), last.at(-1)],
        ].map(([a, b]) => `${a} … ${b} ${size}`);
      }
      const index = tree.frames.function[row]!;
      known[index] ??= app.names.labels(func);
      return tree.inlined.has(row) ? known[index].map(label => `${inlinedMark} ${label}`) : known[index];
    };
  });

  return createMemo(() => {
    const tree = data.tree();
    if (!tree) return undefined;
    const palette = app.palette();
    const shades = shadesOf({ ...palette, hues: palette.boxes });
    const by = data.colorBy();
    const comparing = app.measure.comparing();
    const isOld = data.size() === 'before';
    const { frames } = tree;
    const selves = data.selves();
    const largestSelf = greatest(selves);
    const largestChange = comparing ? mostChanged(tree.frames) : 0;
    const plain = (fill: string): BoxStyle => ({
      fill,
      text: palette.text,
      mark: '',
      change: 'same',
      dashed: false,
      line: '',
    });
    const special: BoxStyle[] = [
      plain(shades.neutral),
      { ...plain(palette.surface), text: palette.muted, dashed: true, line: palette.faint },
      { ...plain(palette.warningSoft), line: palette.warning },
      { ...plain(palette.surface), text: palette.muted, line: palette.faint },
    ];
    const groups = tree.answer.functions.map(func => hueOf(groupOf(func, by)));
    const isByGroup = !comparing && by !== 'cost';
    const tone = tonesOf(tree, row => (isByGroup ? (groups[frames.function[row]!] ?? -1) : 0));
    const fills: BoxStyle[] = [];

    function ofFunction(index: number, variant: number): BoxStyle {
      const heat = () => shade(shades.heat, largestSelf > 0 ? selves[index]! / largestSelf : 0);
      return plain(toned(isByGroup ? palette.boxes[groups[index]!]! : heat(), variant, palette));
    }
    function changed(before: Cost | null | undefined, after: Cost | null | undefined, variant: number): BoxStyle {
      const change = pictureChange(before, after);
      const part = largestChange > 0 ? Math.abs(change.delta) / largestChange : 0;
      const filled = (fill: string) => ({
        ...plain(toned(fill, variant, palette)),
        mark: change.mark,
        change: change.kind,
      });
      if (change.delta > 0) return { ...filled(shade(shades.more, part)), line: palette.more };
      if (change.kind === 'removed')
        return {
          ...filled(palette.surface),
          fill: isOld ? shade(shades.less, 1) : palette.surface,
          dashed: true,
          line: palette.less,
        };
      return change.delta < 0 ? { ...filled(shade(shades.less, part)), line: palette.less } : filled(shades.neutral);
    }
    function styleOf(row: number, own: boolean): BoxStyle {
      const kind = frames.kind[row]!;
      if (kind !== kinds.function) return special[kind] ?? special[0]!;
      if (comparing) {
        const [before, after] = own
          ? [frames.self_before?.[row], frames.self[row]]
          : [frames.inclusive_before?.[row], frames.inclusive[row]];
        return changed(before, after, tone[row]!);
      }
      const index = frames.function[row]! * tones + tone[row]!;
      fills[index] ??= ofFunction(frames.function[row]!, tone[row]!);
      return fills[index];
    }
    return {
      palette,
      box: row => styleOf(row, false),
      own: row => styleOf(row, true),
      merged: { ...plain(blend(shades.neutral, palette.surface, 0.5)), line: shades.neutral },
      labels: names(),
      mergedLabels: ({ rows }) => [
        ...(areOutermost(tree, rows) ? [mergedName(rows.length, true)] : []),
        mergedName(rows.length),
        String(rows.length),
      ],
      dim: fill => blend(fill, palette.surface, 0.7),
      hatch: palette.surface,
    };
  });
}

function greatest(values: Float64Array): number {
  return values.reduce((most, value) => Math.max(most, value), 0);
}

function mostChanged(frames: Frames): number {
  let most = 0;
  frames.inclusive.forEach((after, row) => {
    const before = frames.inclusive_before?.[row];
    if (after === null || after === undefined || before === null || before === undefined) return;
    most = Math.max(most, Math.abs(toNumber(after) - toNumber(before)));
  });
  return most;
}
