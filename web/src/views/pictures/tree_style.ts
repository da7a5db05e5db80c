// Colours and labels of the boxes of a tree, in the theme of now.

import { type Accessor, createMemo } from 'solid-js';
import type { App } from '../../app';
import type { Frames } from '../../engine/protocol';
import { type Cost, to_number } from '../../model/cost';
import { label_choices } from '../../model/labels';
import {
  type ChangeKind,
  group_of,
  type PictureChange,
  picture_change,
  shade,
  shades_of,
  variants_of,
} from '../../model/picture_style';
import { blend } from '../../model/shades';
import { func_of, kinds } from '../../model/tree';
import type { Palette } from '../../theme';
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
  labels(row: number): readonly string[]; // the longest first
  dim(fill: string): string; // what a search did not find
  hatch: string;
}

// Filters leave out functions, too.
export function hides_functions(app: App): boolean {
  return app.state.chips.some(({ kind }) => kind !== 'focus' && kind !== 'ignore');
}

export function special_name(app: App, kind: number | undefined): string {
  if (kind === kinds.unbalanced) return '(unbalanced)';
  if (kind !== kinds.not_expanded) return '';
  return hides_functions(app) ? '… not shown' : '… not expanded';
}

export function use_style(app: App, data: TreeData): Accessor<TreeStyle | undefined> {
  // Names and colours of functions are made as they are needed, once for each.
  const names = createMemo(() => {
    const tree = data.tree();
    app.state.shorten;
    const known: (readonly string[])[] = [];
    return (row: number): readonly string[] => {
      const func = tree && func_of(tree, row);
      if (!tree || !func) return [special_name(app, tree?.frames.kind[row])];
      const index = tree.frames.function[row]!;
      known[index] ??= label_choices(app.name(func));
      return known[index];
    };
  });

  return createMemo(() => {
    const tree = data.tree();
    if (!tree) return undefined;
    const palette = app.palette();
    const shades = shades_of(palette);
    const by = data.colour_by();
    const comparing = app.comparing();
    const { frames } = tree;
    const selves = data.selves();
    const largest_self = greatest(selves);
    const largest_change = comparing ? most_changed(tree.frames) : 0;
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
      { ...plain(palette.warning_soft), line: palette.warning },
    ];
    const fills: BoxStyle[] = [];

    function of_function(index: number): BoxStyle {
      if (by === 'cost') return plain(shade(shades.heat, largest_self > 0 ? selves[index]! / largest_self : 0));
      const func = tree!.answer.functions[index];
      const group = func ? group_of(func, by) : '';
      const variants = variants_of(palette.fill(group), palette.surface);
      return plain(variants[(index * 7 + 3) % variants.length] ?? shades.neutral);
    }
    function changed(before: Cost | null | undefined, after: Cost | null | undefined): BoxStyle {
      const change = picture_change(before, after);
      const part = largest_change > 0 ? Math.abs(change.delta) / largest_change : 0;
      const style = { ...plain(shades.neutral), mark: change.mark, change: change.kind };
      if (change.delta > 0) return { ...style, fill: shade(shades.more, part), line: palette.more };
      if (change.kind === 'gone') return { ...style, fill: palette.surface, dashed: true, line: palette.less };
      return change.delta < 0 ? { ...style, fill: shade(shades.less, part), line: palette.less } : style;
    }
    function style_of(row: number, own: boolean): BoxStyle {
      const kind = frames.kind[row]!;
      if (kind !== kinds.function) return special[kind] ?? special[0]!;
      if (comparing) {
        const [before, after] = own
          ? [frames.self_before?.[row], frames.self[row]]
          : [frames.inclusive_before?.[row], frames.inclusive[row]];
        return changed(before, after);
      }
      const index = frames.function[row]!;
      fills[index] ??= of_function(index);
      return fills[index];
    }
    return {
      palette,
      box: row => style_of(row, false),
      own: row => style_of(row, true),
      labels: names(),
      dim: fill => blend(fill, palette.surface, 0.7),
      hatch: palette.surface,
    };
  });
}

function greatest(values: Float64Array): number {
  return values.reduce((most, value) => Math.max(most, value), 0);
}

function most_changed(frames: Frames): number {
  let most = 0;
  frames.inclusive.forEach((after, row) => {
    const before = frames.inclusive_before?.[row];
    if (after === null || after === undefined || before === null || before === undefined) return;
    most = Math.max(most, Math.abs(to_number(after) - to_number(before)));
  });
  return most;
}
