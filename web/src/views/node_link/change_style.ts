// How boxes show changes.

import type { App } from '../../app/app';
import { brief, change } from '../../model/format';
import { type PictureChange, type Shades, shade } from '../../model/picture_style';
import type { Cost } from '../../protocol/cost';

export function changeFill(shades: Shades, { delta }: PictureChange, largest: number): string {
  if (delta === 0) return shades.neutral;
  return shade(delta > 0 ? shades.more : shades.less, largest > 0 ? Math.abs(delta) / largest : 0);
}

// A cost, and how much more or less it is than before if that is known.
export function costLabel(
  app: App,
  now: Cost | null | undefined,
  before: Cost | null | undefined,
  whole?: Cost,
): string {
  if (now === null || now === undefined) return '–';
  if (!app.measure.comparing() || before === null || before === undefined) return app.measure.label(now, whole);
  const { direction, text, ratio } = change(before, now, brief);
  if (direction === 'same') return app.measure.label(now, whole);
  return `${app.measure.label(now, whole)} ${app.state.relative === 'absolute' ? text : ratio || text}`;
}
