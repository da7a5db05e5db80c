// Descriptions of a box: for tooltips, the line below the picture, the accessibility tree.

import { For, type JSX, Show } from 'solid-js';
import type { App } from '../../app/app';
import type { Measure } from '../../app/measure';
import { type Estimate, estimateText, isCertain } from '../../model/estimates';
import { brief, change, exact, percent } from '../../model/format';
import type { State } from '../../model/state';
import { children, funcOf, inlinedMark, kinds, parentOf, pathOf, restOf, sumOf, type Tree } from '../../model/tree';
import { printable } from '../../model/visible';
import { isZero, share } from '../../protocol/cost';
import type { Merged } from './picture_view';
import type { TreeData } from './tree_data';
import { areOutermost, chainSize, hidesFunctions, mergedName, specialName } from './tree_style';

type Member = 'inclusive' | 'self';

export function frameName(app: App, tree: Tree, row: number, merged: Merged | null = null): string {
  if (merged) return mergedName(merged.rows.length, areOutermost(tree, merged.rows));
  const rest = restOf(tree, row);
  if (rest > 0) return mergedName(rest, true);
  const chain = tree.chains.get(row);
  const of = (index: number) => app.names.short(tree.answer.functions[index]!);
  if (chain) return `${of(chain[0]!)} … ${of(chain[chain.length - 1]!)} ${chainSize(chain)}`;
  const func = funcOf(tree, row);
  if (func && tree.inlined.has(row)) return `${app.names.short(func)} (inlined)`;
  return func ? app.names.short(func) : specialName(app.state, tree.frames.kind[row]);
}

function estimateOf(tree: Tree, rows: readonly number[], which: Member | `${Member}_before`): Estimate | null {
  const cost = sumOf(tree.frames[which], rows);
  if (cost === null) return null;
  const least = sumOf(tree.frames[`${which}_least`], rows) ?? cost;
  const most = sumOf(tree.frames[`${which}_most`], rows) ?? cost;
  return { cost, least, most };
}

// With its part of the whole profile, however costs are shown elsewhere.
function costText(measure: Measure, tree: Tree, rows: readonly number[], which: Member): string {
  const estimate = estimateOf(tree, rows, which);
  if (!estimate) return 'unknown: may be in frames not expanded';
  const part = share(isCertain(estimate) ? estimate.least : estimate.cost, measure.base());
  return `${estimateText(estimate, printable(measure.event(), 60), !tree.answer.estimated)}${part === null ? '' : `, ${percent(part)}`}`;
}

function changeText(tree: Tree, rows: readonly number[], which: Member): string {
  const before = estimateOf(tree, rows, `${which}_before`);
  const after = estimateOf(tree, rows, which);
  if (!before) return 'before: unknown, may be in frames not expanded';
  if (!after) return `before: ${estimateText(before, '', !tree.answer.estimated)}`;
  const { mark, ratio, text, direction } = change(before.cost, after.cost, brief);
  const estimated = isCertain(before) && isCertain(after) ? '' : 'estimated ';
  if (direction === 'same') return `before: ${estimated ? 'estimated to be unchanged' : 'unchanged'}`;
  return `before: ${estimateText(before, '', !tree.answer.estimated)}; ${estimated}${mark} ${text} (${ratio})`;
}

// What the two numbers of a frame mean.
function costRows(data: TreeData, tree: Tree, row: number, merged: Merged | null): { title: string; which: Member }[] {
  if (merged || tree.frames.kind[row] !== kinds.function) return [{ title: 'Cost', which: 'inclusive' }];
  return data.direction() === 'callees'
    ? [
        { title: 'Inclusive', which: 'inclusive' },
        { title: 'Self', which: 'self' },
      ]
    : [
        { title: 'On this path', which: 'inclusive' },
        { title: 'Starts here', which: 'self' },
      ];
}

export function explanation(state: State, tree: Tree, row: number, direction: 'callees' | 'callers'): string {
  const kind = tree.frames.kind[row];
  if (kind === kinds.notExpanded) {
    const what = direction === 'callees' ? 'Calls' : 'Callers';
    const filtered = hidesFunctions(state) ? ', or hidden by filters' : '';
    const next = parentOf(tree, row) < 0 ? 'for the call tree, which has them' : 'to zoom into the function above';
    return `${what} below the limits of this picture${filtered}. Double-click ${next}.`;
  }
  if (kind === kinds.unbalanced)
    return 'The recorded cost of calls to the function above exceeds what it and its callees account for.';
  if (kind === kinds.unrecorded)
    return 'Callgrind has lost these calls of the function above; their cost is known from its callers.';
  if (kind === kinds.unattributed)
    return 'Callgrind counted these events for calls of the function above, but in no function.';
  if (tree.inlined.has(row))
    return `${inlinedMark} inlined: the compiler put its code into the ${direction === 'callees' ? 'function above' : 'function that calls it'}.`;
  return tree.partlyPaid.has(row)
    ? 'Its recorded callers account for only a part of this cost; the rest starts here.'
    : '';
}

// The most expensive of boxes that are drawn as one come first.
function mergedText(app: App, tree: Tree, { rows, frames }: Merged): string {
  const names = rows.slice(0, 4).map(row => frameName(app, tree, row));
  const deeper = frames > rows.length ? `, with ${exact(frames - rows.length)} boxes below them` : '';
  return `Too small to draw: ${names.join(', ')}${rows.length > 4 ? ' …' : ''}${deeper}. Double-click to magnify.`;
}

export function FrameTip(props: {
  app: App;
  data: TreeData;
  row: number;
  merged: Merged | null;
  withPath?: boolean;
}): JSX.Element {
  const { app, data } = props;
  const tree = data.tree();
  if (!tree || props.row >= tree.count) return null;
  const { row, merged } = props;
  const rows = merged?.rows ?? [row];
  const chain = merged ? undefined : tree.chains.get(row);
  const func = merged || chain ? undefined : funcOf(tree, row);
  const place = func && [func.object, func.file].filter(part => part && part !== '???').join(' · ');
  const above = pathOf(tree, row).slice(0, -1);
  const shown = above.length > 8 ? [...above.slice(0, 3), -1, ...above.slice(-4)] : above;
  return (
    <>
      <div class="name-tip picture-tip-name">{func ? app.names.full(func) : frameName(app, tree, row, merged)}</div>
      <Show when={place}>
        <div class="muted">{printable(place ?? '', 300)}</div>
      </Show>
      <dl class="picture-tip">
        <For each={costRows(data, tree, row, merged)}>
          {({ title, which }) => (
            <>
              <dt>{title}</dt>
              <dd>
                {costText(app.measure, tree, rows, which)}
                <Show when={app.measure.comparing()}>
                  <div class="muted">{changeText(tree, rows, which)}</div>
                </Show>
              </dd>
            </>
          )}
        </For>
      </dl>
      <Show when={chain}>
        <p class="picture-tip-note">Each does little but call the next. Click to show them.</p>
        <ol class="picture-tip-path muted">
          <For each={chain!.length > 12 ? [...chain!.slice(0, 6), -1, ...chain!.slice(-5)] : chain}>
            {index => <li class="name">{index < 0 ? '…' : app.names.short(tree.answer.functions[index]!)}</li>}
          </For>
        </ol>
      </Show>
      <Show when={merged ? mergedText(app, tree, merged) : explanation(app.state, tree, row, data.direction())}>
        {text => <p class="picture-tip-note">{text()}</p>}
      </Show>
      <Show when={props.withPath && above.length > 0}>
        <ol class="picture-tip-path muted">
          <For each={shown}>{one => <li class="name">{one < 0 ? '…' : frameName(app, tree, one)}</li>}</For>
        </ol>
      </Show>
    </>
  );
}

// On one line.
export function frameLine(app: App, data: TreeData, tree: Tree, row: number, merged: Merged | null = null): string {
  const rows = merged?.rows ?? [row];
  const parts = costRows(data, tree, row, merged).map(({ title, which }) => {
    const change = app.measure.comparing() ? `, ${changeText(tree, rows, which)}` : '';
    return `${title.toLowerCase()} ${costText(app.measure, tree, rows, which)}${change}`;
  });
  return parts.join(' · ');
}

// For screen readers.
export function frameLabel(app: App, data: TreeData, tree: Tree, row: number, merged: Merged | null): string {
  if (merged) return `${frameName(app, tree, row, merged)}, ${frameLine(app, data, tree, row, merged)}`;
  const below = tree.frames.kind[row] === kinds.function ? children(tree, row).length : 0;
  const found = data.found() && data.isFound(row) ? ', found' : '';
  const what = data.direction() === 'callees' ? 'callee' : 'caller';
  const number = below === 0 ? `no ${what}s` : `${below} ${what}${below === 1 ? '' : 's'}`;
  return `${frameName(app, tree, row)}, ${frameLine(app, data, tree, row)}, ${number}${found}`;
}

// "79 % of this picture is certain" needs a cost other than 0.
export function hasCost(tree: Tree): boolean {
  return !isZero(tree.answer.whole) || !isZero(tree.answer.whole_before ?? 0);
}
