// The flame graph: which paths cost how much, as boxes below the boxes that call them.

import { createEffect, createMemo, createSignal, type JSX, on, Show, untrack } from 'solid-js';
import type { App } from '../../app/app';
import type { MenuItem } from '../../components/menu';
import { flameLayout } from '../../model/flame_layout';
import { percent } from '../../model/format';
import { isFlat } from '../../model/tree';
import { hasCost } from '../pictures/frame_labels';
import { setOptions } from '../pictures/options';
import { type Chains, type TreeData, useTree } from '../pictures/tree_data';
import { type Half, TreeView, treeItems } from '../pictures/tree_view';
import { flameView } from './flame_view';
import { Overview } from './overview';

// Of the cost, by which a box of an inverted flame graph tells something.
const leastTold = 0.05;

export function FlameView(props: { app: App }): JSX.Element {
  const { app } = props;
  const { navigation } = app;
  const data = useTree(app, 'flame');
  createEffect(() => {
    const tree = data.asked.current() && data.whole();
    if (!tree || data.direction() !== 'callers' || data.root()) return;
    if (navigation.option('flame.flat', '') === 'draw' || !hasCost(tree) || !isFlat(tree, leastTold)) return;
    untrack(() => {
      const { 'flame.direction': _, 'tree.open': __, ...options } = app.state.options;
      navigation.update({ view: 'tree', options: { ...options, 'tree.direction': 'callers' } }, 'replace');
    });
    app.toasts.show(
      `No function has ${percent(leastTold)} of the cost itself: the call tree shows names, a picture does not`,
    );
  });
  return <Flame app={app} data={data} />;
}

export function Flame(props: { app: App; data: TreeData; half?: Half }): JSX.Element {
  const { app, data } = props;
  const rootsOnTop = () =>
    props.half ? props.half.is === 'callees' : app.navigation.option('flame.roots', 'top') !== 'bottom';
  const layout = createMemo(() => {
    const tree = data.tree();
    return tree && flameLayout(tree, data.sizes());
  });
  const [section, setSection] = createSignal<[number, number] | null>(null);
  createEffect(on([data.whole, data.zoom], () => setSection(null)));
  const roots = (top: boolean, label: string): MenuItem => ({
    kind: 'radio',
    label,
    checked: rootsOnTop() === top,
    run: () => setOptions(app, { 'flame.roots': top ? null : 'bottom' }),
  });
  const chains = (value: Chains, label: string): MenuItem => ({
    kind: 'radio',
    label,
    checked: data.chains() === value,
    run: () => data.setChains(value),
  });
  return (
    <TreeView
      app={app}
      data={data}
      label={data.direction() === 'callees' ? 'Flame graph' : 'Inverted flame graph'}
      file={data.direction() === 'callees' ? 'flame-graph' : 'inverted-flame-graph'}
      items={() => [
        ...(props.half
          ? []
          : [{ kind: 'title' as const, label: 'Roots' }, roots(true, 'On top'), roots(false, 'At the bottom')]),
        ...treeItems(app, data),
        { kind: 'title', label: 'Chains of single calls' },
        chains('long', 'Fold long ones'),
        chains('all', 'Fold all'),
        chains('none', 'Show every box'),
      ]}
      fromBottom={!rootsOnTop()}
      savedHeight={0}
      half={props.half}
      onSection={setSection}
      overview={view => (
        <Show when={layout()}>
          <Overview app={app} layout={layout()!} rootsOnTop={rootsOnTop()} view={view()} onSection={setSection} />
        </Show>
      )}
      picture={({ tree, style, width, height, cost }) =>
        flameView({
          tree,
          sizes: data.sizes(),
          layout: layout()!,
          style,
          zoom: data.zoom(),
          section: section(),
          rootsOnTop: rootsOnTop(),
          inverted: data.direction() === 'callers' && !data.root(),
          hatched: tree.answer.estimated && (data.size() === 'estimate' || data.size() === 'larger'),
          width,
          leastHeight: height,
          cost,
        })
      }
    />
  );
}
