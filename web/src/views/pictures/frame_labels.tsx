// What a box of a tree is, in words: for tooltips, for the line below the picture, for the accessibility tree.

import { For, type JSX, Show } from 'solid-js';
import type { App } from '../../app';
import { is_zero, share } from '../../model/cost';
import { type Estimate, estimate_words, is_certain } from '../../model/estimates';
import { brief, change, percent } from '../../model/format';
import { children, func_of, kinds, path_of, type Tree } from '../../model/tree';
import { printable } from '../../model/visible';
import type { TreeData } from './tree_data';
import { hides_functions, special_name } from './tree_style';

type Member = 'inclusive' | 'self';

export function frame_name(app: App, tree: Tree, row: number): string {
  const func = func_of(tree, row);
  return func ? app.name(func) : special_name(app, tree.frames.kind[row]);
}

function estimate_of(tree: Tree, row: number, which: Member | `${Member}_before`): Estimate | null {
  const cost = tree.frames[which]?.[row];
  if (cost === null || cost === undefined) return null;
  const least = tree.frames[`${which}_least`]?.[row] ?? cost;
  const most = tree.frames[`${which}_most`]?.[row] ?? cost;
  return { cost, least, most };
}

// With its part of the whole profile, however costs are shown elsewhere.
function cost_words(app: App, estimate: Estimate | null): string {
  if (!estimate) return 'not known: it may be in what is not expanded';
  const part = share(is_certain(estimate) ? estimate.least : estimate.cost, app.base());
  return `${estimate_words(estimate, printable(app.unit(), 60))}${part === null ? '' : `, ${percent(part)}`}`;
}

function change_words(tree: Tree, row: number, which: Member): string {
  const before = estimate_of(tree, row, `${which}_before`);
  const after = estimate_of(tree, row, which);
  if (!before) return 'before: not known, it may be in what was not expanded';
  if (!after) return `before: ${estimate_words(before, '')}`;
  const { mark, ratio, text, direction } = change(before.cost, after.cost, brief);
  const estimated = is_certain(before) && is_certain(after) ? '' : 'estimated ';
  if (direction === 'same') return `before: ${estimated ? 'estimated to be the same' : 'the same'}`;
  return `before: ${estimate_words(before, '')}; ${estimated}${mark} ${text} (${ratio})`;
}

// What the two numbers of a frame mean.
function cost_rows(data: TreeData, tree: Tree, row: number): { title: string; which: Member }[] {
  if (tree.frames.kind[row] !== kinds.function) return [{ title: 'Cost', which: 'inclusive' }];
  return data.direction() === 'callees'
    ? [
        { title: 'Inclusive', which: 'inclusive' },
        { title: 'Self', which: 'self' },
      ]
    : [
        { title: 'On this path', which: 'inclusive' },
        { title: 'Begins here', which: 'self' },
      ];
}

export function explanation(app: App, tree: Tree, row: number, direction: 'callees' | 'callers'): string {
  const kind = tree.frames.kind[row];
  if (kind === kinds.not_expanded) {
    const what = direction === 'callees' ? 'Calls' : 'Callers';
    const filtered = hides_functions(app) ? ', or that the filters do not show' : '';
    return `${what} that are too light, or too many, for this picture${filtered}. Double click: only the function above, in more detail.`;
  }
  if (kind === kinds.unbalanced)
    return 'More was recorded as spent in the calls of the function above than it and its callees account for.';
  return tree.partly_paid.has(row) ? 'Its recorded callers paid for a part of this only; the rest enters here.' : '';
}

export function FrameTip(props: { app: App; data: TreeData; row: number; with_path?: boolean }): JSX.Element {
  const { app, data } = props;
  const tree = data.tree();
  if (!tree || props.row >= tree.count) return null;
  const { row } = props;
  const func = func_of(tree, row);
  const place = func && [func.object, func.file].filter(part => part && part !== '???').join(' · ');
  const above = path_of(tree, row).slice(0, -1);
  const shown = above.length > 8 ? [...above.slice(0, 3), -1, ...above.slice(-4)] : above;
  return (
    <>
      <div class="name-tip picture-tip-name">{func ? app.full_name(func) : frame_name(app, tree, row)}</div>
      <Show when={place}>
        <div class="muted">{printable(place ?? '', 300)}</div>
      </Show>
      <dl class="picture-tip">
        <For each={cost_rows(data, tree, row)}>
          {({ title, which }) => (
            <>
              <dt>{title}</dt>
              <dd>
                {cost_words(app, estimate_of(tree, row, which))}
                <Show when={app.comparing()}>
                  <div class="muted">{change_words(tree, row, which)}</div>
                </Show>
              </dd>
            </>
          )}
        </For>
      </dl>
      <Show when={explanation(app, tree, row, data.direction())}>
        {text => <p class="picture-tip-note">{text()}</p>}
      </Show>
      <Show when={props.with_path && above.length > 0}>
        <ol class="picture-tip-path muted">
          <For each={shown}>{one => <li class="name">{one < 0 ? '…' : frame_name(app, tree, one)}</li>}</For>
        </ol>
      </Show>
    </>
  );
}

// On one line.
export function frame_line(app: App, data: TreeData, tree: Tree, row: number): string {
  const parts = cost_rows(data, tree, row).map(({ title, which }) => {
    const estimate = estimate_of(tree, row, which);
    const change = app.comparing() ? `, ${change_words(tree, row, which)}` : '';
    return `${title.toLowerCase()} ${cost_words(app, estimate)}${change}`;
  });
  return parts.join(' · ');
}

// For readers that hear it.
export function frame_label(app: App, data: TreeData, tree: Tree, row: number): string {
  const below = tree.frames.kind[row] === kinds.function ? children(tree, row).length : 0;
  const found = data.found() && data.is_found(row) ? ', found' : '';
  const what = data.direction() === 'callees' ? 'callee' : 'caller';
  const number = below === 0 ? `no ${what}s` : `${below} ${what}${below === 1 ? '' : 's'}`;
  return `${frame_name(app, tree, row)}, ${frame_line(app, data, tree, row)}, ${number}${found}`;
}

// "79 % of this picture is certain" needs something to be a part of.
export function has_cost(tree: Tree): boolean {
  return !is_zero(tree.answer.whole) || !is_zero(tree.answer.whole_before ?? 0);
}
