import { createMemo, For, type JSX, Show } from 'solid-js';
import type { App } from '../../app/app';
import { MenuButton } from '../../components/menu';
import { pathOf } from '../../model/tree';
import { frameName } from './frame_labels';
import type { TreeData } from './tree_data';
import { mergedName } from './tree_style';

const mostShown = 6;

// The path to the current zoom; each step zooms out. Always present, so that the picture
// does not move on zooming.
export function Breadcrumbs(props: { app: App; data: TreeData }): JSX.Element {
  const { app, data } = props;
  const path = createMemo(() => {
    const tree = data.tree();
    return tree && data.zoom() >= 0 ? pathOf(tree, data.zoom()) : [];
  });
  const name = (row: number) => frameName(app, data.tree()!, row);
  const hidden = () => (path().length > mostShown ? path().slice(1, -(mostShown - 2)) : []);
  const shown = () => (path().length > mostShown ? path().slice(-(mostShown - 2)) : path().slice(1));
  const crumb = (row: number) => (
    <li>
      <button
        type="button"
        class="link name"
        aria-current={row === data.zoom() && !data.group() ? 'location' : undefined}
        title={name(row)}
        onClick={() => data.setZoom(row)}
      >
        {name(row)}
      </button>
    </li>
  );
  return (
    <nav class="breadcrumbs" aria-label={`Path to the current zoom, ${data.direction()}`}>
      <ol>
        <li>
          <button
            type="button"
            class="link"
            aria-current={path().length === 0 && !data.group() ? 'location' : undefined}
            onClick={() => data.setZoom(-1)}
            title="Zoom out (Esc)"
          >
            All
          </button>
        </li>
        <For each={path().slice(0, 1)}>{crumb}</For>
        <Show when={hidden().length > 0}>
          <li>
            <MenuButton
              label="Functions between"
              title={`${hidden().length} functions between`}
              class="link"
              button="…"
              items={() =>
                hidden()
                  .slice(0, 200)
                  .map(row => ({ label: name(row), run: () => data.setZoom(row) }))
              }
            />
          </li>
        </Show>
        <For each={shown()}>{crumb}</For>
        <Show when={data.group()}>
          {rows => (
            <li>
              <span aria-current="location">{mergedName(rows().length)}</span>
            </li>
          )}
        </Show>
      </ol>
    </nav>
  );
}
