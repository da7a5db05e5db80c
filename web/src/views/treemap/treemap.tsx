// The treemap: what each path costs as an area, inside the area of what calls it.

import type { JSX } from 'solid-js';
import type { App } from '../../app';
import type { MenuItem } from '../../components/menu';
import type { Tiling } from '../../model/treemap_layout';
import { number_option, one_of, set_options } from '../pictures/options';
import { use_tree } from '../pictures/tree_data';
import { TreeView, tree_items } from '../pictures/tree_view';
import { treemap_view } from './treemap_view';

const usual_area = 100;
const no_limit = 10_000;

export function TreemapView(props: { app: App }): JSX.Element {
  const { app } = props;
  const data = use_tree(app, 'treemap');
  const tiling = () => one_of(app, 'treemap.tiling', ['squares', 'halves', 'slices'] as const);
  const levels = () => number_option(app, 'treemap.levels', no_limit, 1, no_limit);
  const least_area = () => number_option(app, 'treemap.area', usual_area, 1, 100_000);
  const names = () => app.option('treemap.names', 'yes') === 'yes';
  const costs = () => app.option('treemap.costs', 'yes') === 'yes';

  const choice = (key: string, usual: string, value: string, now: string, label: string): MenuItem => ({
    kind: 'radio',
    label,
    checked: now === value,
    run: () => set_options(app, { [key]: value === usual ? null : value }),
  });
  const check = (key: string, now: () => boolean, label: string): MenuItem => ({
    kind: 'check',
    label,
    get checked() {
      return now();
    },
    run: () => set_options(app, { [key]: now() ? 'no' : null }),
  });
  const tile = (value: Tiling, label: string) => choice('treemap.tiling', 'squares', value, tiling(), label);
  const level = (value: number, label = String(value)) =>
    choice('treemap.levels', String(no_limit), String(value), String(levels()), label);
  const area = (value: number) =>
    choice('treemap.area', String(usual_area), String(value), String(least_area()), `${value} pixels`);

  return (
    <TreeView
      app={app}
      data={data}
      label={data.direction() === 'callees' ? 'Treemap of callees' : 'Treemap of callers'}
      file={data.direction() === 'callees' ? 'callee-map' : 'caller-map'}
      with_path
      items={() => [
        { kind: 'title', label: 'Boxes are' },
        tile('squares', 'As square as can be'),
        tile('halves', 'Cut in halves'),
        tile('slices', 'Columns and rows by turns'),
        { kind: 'title', label: 'Draw' },
        check('treemap.names', names, 'Names (areas are less exact)'),
        check('treemap.costs', costs, 'Costs'),
        { kind: 'title', label: 'Levels' },
        level(no_limit, 'All'),
        ...[3, 6, 10, 20].map(one => level(one)),
        { kind: 'title', label: 'Look into boxes of' },
        ...[25, usual_area, 400, 1600].map(area),
        ...tree_items(app, data),
      ]}
      picture={({ tree, style, width, height, cost }) =>
        treemap_view({
          tree,
          sizes: data.sizes(),
          style,
          root: data.zoom(),
          width,
          height,
          tiling: tiling(),
          levels: levels(),
          least_area: least_area(),
          heads: names(),
          names: names(),
          costs: costs(),
          hatched: data.size() === 'estimate' || data.size() === 'larger',
          cost,
        })
      }
    />
  );
}
