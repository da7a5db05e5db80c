// The flame graph: which paths cost how much, as boxes below the boxes that call them.

import { createMemo, type JSX } from 'solid-js';
import type { App } from '../../app/app';
import type { MenuItem } from '../../components/menu';
import { flameLayout } from '../../model/flame_layout';
import { setOptions } from '../pictures/options';
import { useTree } from '../pictures/tree_data';
import { TreeView, treeItems } from '../pictures/tree_view';
import { flameView } from './flame_view';

export function FlameView(props: { app: App }): JSX.Element {
  const { app } = props;
  const data = useTree(app, 'flame');
  const rootsOnTop = () => app.navigation.option('flame.roots', 'top') !== 'bottom';
  const layout = createMemo(() => {
    const tree = data.tree();
    return tree && flameLayout(tree, data.sizes());
  });
  const roots = (top: boolean, label: string): MenuItem => ({
    kind: 'radio',
    label,
    checked: rootsOnTop() === top,
    run: () => setOptions(app, { 'flame.roots': top ? null : 'bottom' }),
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
        ...treeItems(app, data),
      ]}
      fromBottom={!rootsOnTop()}
      savedHeight={0}
      picture={({ tree, style, width, height, cost }) =>
        flameView({
          tree,
          sizes: data.sizes(),
          layout: layout()!,
          style,
          zoom: data.zoom(),
          rootsOnTop: rootsOnTop(),
          hatched: data.size() === 'estimate' || data.size() === 'larger',
          width,
          leastHeight: height,
          cost,
        })
      }
    />
  );
}
