import { For, type JSX } from 'solid-js';
import type { App } from '../../app';
import { is_below, type Tree } from '../../model/tree';
import { frame_label } from './frame_labels';
import type { TreeData } from './tree_data';

const most_items = 200;

// What the canvas shows, in the accessibility tree: the largest boxes in sight, and those around the cursor.
export function twin_rows(tree: Tree, data: TreeData, in_sight: readonly number[]): number[] {
  const { of } = data.sizes();
  const chosen = new Set(
    [...in_sight]
      .sort((a, b) => of[b]! - of[a]! || a - b)
      .slice(0, most_items)
      .filter(row => is_below(tree, row, data.zoom())),
  );
  if (data.cursor() >= 0) chosen.add(data.cursor());
  return [...chosen].sort((a, b) => a - b);
}

export function TreeTwin(props: {
  app: App;
  data: TreeData;
  tree: Tree;
  rows: readonly number[];
  item_id(row: number): string;
}): JSX.Element {
  return (
    <div class="offscreen" role="presentation">
      <For each={props.rows}>
        {row => (
          <div
            id={props.item_id(row)}
            role="treeitem"
            aria-level={props.tree.frames.level[row]}
            aria-selected={row === props.data.cursor()}
          >
            {frame_label(props.app, props.data, props.tree, row)}
          </div>
        )}
      </For>
    </div>
  );
}
