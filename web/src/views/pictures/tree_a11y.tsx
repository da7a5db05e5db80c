import { For, type JSX } from 'solid-js';
import type { App } from '../../app/app';
import { isBelow, type Tree } from '../../model/tree';
import { frameLabel } from './frame_labels';
import type { Merged, PictureView } from './picture_view';
import type { TreeData } from './tree_data';

const mostItems = 200;

// The canvas in the accessibility tree: the largest visible boxes, and those around the cursor.
export function a11yRows(tree: Tree, data: TreeData, view: PictureView, inSight: readonly number[]): number[] {
  const of = new Map(
    inSight.map(row => {
      const rows = view.merged(row)?.rows ?? [row];
      return [row, rows.reduce((sum, one) => sum + data.sizes().of[one]!, 0)];
    }),
  );
  const chosen = new Set(
    [...inSight]
      .sort((a, b) => of.get(b)! - of.get(a)! || a - b)
      .slice(0, mostItems)
      .filter(row => isBelow(tree, row, data.zoom())),
  );
  if (data.cursor() >= 0) chosen.add(data.cursor());
  return [...chosen].sort((a, b) => a - b);
}

export function TreeA11y(props: {
  app: App;
  data: TreeData;
  tree: Tree;
  rows: readonly number[];
  merged(row: number): Merged | null;
  itemId(row: number): string;
}): JSX.Element {
  return (
    <div class="offscreen" role="presentation">
      <For each={props.rows}>
        {row => (
          <div
            id={props.itemId(row)}
            role="treeitem"
            aria-level={props.tree.frames.level[row]}
            aria-expanded={props.tree.chains.has(row) ? 'false' : undefined}
            aria-selected={row === props.data.cursor()}
          >
            {frameLabel(props.app, props.data, props.tree, row, props.merged(row))}
          </div>
        )}
      </For>
    </div>
  );
}
