// The treemap: what each path costs as an area, inside the area of what calls it.

import type { JSX } from 'solid-js';
import type { App } from '../../app/app';
import type { MenuItem } from '../../components/menu';
import type { Tiling } from '../../model/treemap_layout';
import { numberOption, oneOf, setOptions } from '../pictures/options';
import { useTree } from '../pictures/tree_data';
import { TreeView, treeItems } from '../pictures/tree_view';
import { treemapView } from './treemap_view';

const usualArea = 100;
const noLimit = 10_000;

export function TreemapView(props: { app: App }): JSX.Element {
  const { app } = props;
  const data = useTree(app, 'treemap');
  const tiling = () => oneOf(app.navigation, 'treemap.tiling', ['squares', 'halves', 'slices'] as const);
  const levels = () => numberOption(app.navigation, 'treemap.levels', noLimit, 1, noLimit);
  const leastArea = () => numberOption(app.navigation, 'treemap.area', usualArea, 1, 100_000);
  const names = () => app.navigation.option('treemap.names', 'yes') === 'yes';
  const costs = () => app.navigation.option('treemap.costs', 'yes') === 'yes';

  const choice = (key: string, usual: string, value: string, now: string, label: string): MenuItem => ({
    kind: 'radio',
    label,
    checked: now === value,
    run: () => setOptions(app, { [key]: value === usual ? null : value }),
  });
  const check = (key: string, now: () => boolean, label: string): MenuItem => ({
    kind: 'check',
    label,
    get checked() {
      return now();
    },
    run: () => setOptions(app, { [key]: now() ? 'no' : null }),
  });
  const tile = (value: Tiling, label: string) => choice('treemap.tiling', 'squares', value, tiling(), label);
  const level = (value: number, label = String(value)) =>
    choice('treemap.levels', String(noLimit), String(value), String(levels()), label);
  const area = (value: number) =>
    choice('treemap.area', String(usualArea), String(value), String(leastArea()), `${value} pixels`);

  return (
    <TreeView
      app={app}
      data={data}
      label={data.direction() === 'callees' ? 'Treemap of callees' : 'Treemap of callers'}
      file={data.direction() === 'callees' ? 'callee-map' : 'caller-map'}
      withPath
      items={() => [
        { kind: 'title', label: 'Boxes are' },
        tile('squares', 'Squarified'),
        tile('halves', 'Binary'),
        tile('slices', 'Slice and dice'),
        { kind: 'title', label: 'Draw' },
        check('treemap.names', names, 'Names (areas less exact)'),
        check('treemap.costs', costs, 'Costs'),
        { kind: 'title', label: 'Levels' },
        level(noLimit, 'All'),
        ...[3, 6, 10, 20].map(one => level(one)),
        { kind: 'title', label: 'Expand boxes of' },
        ...[25, usualArea, 400, 1600].map(area),
        ...treeItems(app, data),
      ]}
      picture={({ tree, style, width, height, cost }) =>
        treemapView({
          tree,
          sizes: data.sizes(),
          style,
          root: data.zoom(),
          group: data.group(),
          width,
          height,
          tiling: tiling(),
          levels: levels(),
          leastArea: leastArea(),
          heads: names(),
          names: names(),
          costs: costs(),
          hatched: tree.answer.estimated && (data.size() === 'estimate' || data.size() === 'larger'),
          cost,
        })
      }
    />
  );
}
