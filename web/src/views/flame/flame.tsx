// The flame graph: which paths cost how much, as boxes below the boxes that call them.

import { createMemo, type JSX } from 'solid-js';
import type { App } from '../../app';
import type { MenuItem } from '../../components/menu';
import { flame_layout } from '../../model/flame_layout';
import { set_options } from '../pictures/options';
import { use_tree } from '../pictures/tree_data';
import { TreeView, tree_items } from '../pictures/tree_view';
import { flame_view } from './flame_view';

export function FlameView(props: { app: App }): JSX.Element {
  const { app } = props;
  const data = use_tree(app, 'flame');
  const roots_on_top = () => app.option('flame.roots', 'top') !== 'bottom';
  const layout = createMemo(() => {
    const tree = data.tree();
    return tree && flame_layout(tree, data.sizes());
  });
  const roots = (top: boolean, label: string): MenuItem => ({
    kind: 'radio',
    label,
    checked: roots_on_top() === top,
    run: () => set_options(app, { 'flame.roots': top ? null : 'bottom' }),
  });
  return (
    <TreeView
      app={app}
      data={data}
      label={data.direction() === 'callees' ? 'Flame graph' : 'Inverted flame graph'}
      file={data.direction() === 'callees' ? 'flame-graph' : 'inverted-flame-graph'}
      items={() => [
        { kind: 'title', label: 'Roots' },
        roots(true, 'On top'),
        roots(false, 'At the bottom'),
        ...tree_items(app, data),
      ]}
      from_bottom={!roots_on_top()}
      saved_height={0}
      picture={({ tree, style, width, height, cost }) =>
        flame_view({
          tree,
          sizes: data.sizes(),
          layout: layout()!,
          style,
          zoom: data.zoom(),
          roots_on_top: roots_on_top(),
          hatched: data.size() === 'estimate' || data.size() === 'larger',
          width,
          least_height: height,
          cost,
        })
      }
    />
  );
}
