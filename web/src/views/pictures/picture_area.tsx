// The canvas of a tree: draws what is in sight, follows pointer and keys, and has a twin in the accessibility tree.

import { createEffect, createMemo, createSignal, createUniqueId, type JSX, on, onCleanup } from 'solid-js';
import type { App } from '../../app';
import { function_menu } from '../../components/function_menu';
import { type MenuItem, use_context_menu } from '../../components/menu';
import { watch_size } from '../../components/watch_size';
import { func_of, is_function, kinds, parent_of, type Tree } from '../../model/tree';
import { CanvasPen } from './canvas_surface';
import { FrameTip, frame_line, frame_name } from './frame_labels';
import type { PictureView, Step } from './picture_view';
import { TreeTwin, twin_rows } from './tree_a11y';
import { toggle_certain } from './tree_bar';
import type { TreeData } from './tree_data';

const steps: Record<string, Step> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
  Home: 'first',
};

export interface AreaSize {
  width: number;
  height: number;
}

interface CanvasSize extends AreaSize {
  scale: number; // pixels of the canvas for one of CSS
}

// The canvas in that size; null: there is nothing to draw on.
function sized(canvas: HTMLCanvasElement, { width, height, scale }: CanvasSize): CanvasRenderingContext2D | null {
  if (width <= 0 || height <= 0) return null;
  const pixels = { width: Math.round(width * scale), height: Math.round(height * scale) };
  if (canvas.width !== pixels.width) canvas.width = pixels.width;
  if (canvas.height !== pixels.height) canvas.height = pixels.height;
  return canvas.getContext('2d');
}

export function PictureArea(props: {
  app: App;
  data: TreeData;
  tree: Tree;
  label: string;
  view: PictureView;
  on_size(size: AreaSize): void;
  from_bottom?: boolean; // where one begins to look
  with_path?: boolean; // tooltips say what a box is in
  on_hover?(row: number): void;
}): JSX.Element {
  const { app, data } = props;
  const id = createUniqueId();
  let area!: HTMLDivElement;
  let canvas!: HTMLCanvasElement;
  const [size, set_size] = createSignal<CanvasSize>({ width: 0, height: 0, scale: 1 });
  const [top, set_top] = createSignal(0);
  const [focused, set_focused] = createSignal(false);
  const [hover, set_hover] = createSignal(-1);
  const item_id = (row: number) => `${id}-${row}`;

  watch_size(
    () => area,
    () => {
      const now = { width: area.clientWidth, height: area.clientHeight, scale: window.devicePixelRatio || 1 };
      set_size(now);
      props.on_size(now);
    },
  );
  // Another picture is looked at from its begin.
  createEffect(
    on([() => props.tree, data.zoom, () => props.from_bottom, data.certain_only], () => {
      area.scrollTop = props.from_bottom ? props.view.height : 0;
      set_top(area.scrollTop);
      hover_row(-1);
    }),
  );

  function hover_row(row: number) {
    if (row === hover()) return;
    set_hover(row);
    props.on_hover?.(row);
  }

  // What is framed changes faster than what is drawn: the picture itself is kept. Both are done once for each frame of
  // the screen, however much has changed for it.
  const base = document.createElement('canvas');
  let draw_base: (() => void) | null = null;
  let draw_marks = () => {};
  let planned = 0;
  function plan() {
    cancelAnimationFrame(planned);
    planned = requestAnimationFrame(() => {
      draw_base?.();
      draw_base = null;
      draw_marks();
    });
  }
  onCleanup(() => cancelAnimationFrame(planned));
  createEffect(() => {
    const { view } = props;
    const begin = top();
    const palette = app.palette();
    const found = data.found() && data.is_found;
    const { scale, width, height } = size();
    draw_base = () => {
      const context = sized(base, { scale, width, height });
      if (!context) return;
      context.setTransform(scale, 0, 0, scale, 0, 0);
      context.fillStyle = palette.surface;
      context.fillRect(0, 0, width, height);
      context.translate(0, -begin);
      view.draw(new CanvasPen(context, scale, palette.font), begin, begin + height, found);
    };
    plan();
  });
  createEffect(() => {
    const marks = { cursor: data.cursor(), focused: focused(), hover: hover(), selected: data.selected() };
    const { view } = props;
    const { scale, width, height } = size();
    const begin = top();
    const { font } = app.palette();
    draw_marks = () => {
      const context = sized(canvas, { scale, width, height });
      if (!context) return;
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.drawImage(base, 0, 0);
      context.setTransform(scale, 0, 0, scale, 0, -begin * scale);
      view.draw_marks(new CanvasPen(context, scale, font), begin, begin + height, marks);
    };
    plan();
  });

  // After the picture itself, which must not wait for it.
  const [twins, set_twins] = createSignal<readonly number[]>([]);
  createEffect(() => {
    const { view, tree } = props;
    const begin = top();
    const { height } = size();
    const later = setTimeout(() => set_twins(twin_rows(tree, data, view.in_sight(begin, begin + height))), 60);
    onCleanup(() => clearTimeout(later));
  });
  const twin_items = createMemo(() => {
    const rows = twins().filter(row => row < props.tree.count);
    const cursor = data.cursor();
    if (cursor < 0 || rows.includes(cursor)) return rows;
    return [...rows, cursor].sort((a, b) => a - b);
  });

  function place(event: MouseEvent): { x: number; y: number } {
    const box = area.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top + area.scrollTop };
  }
  function row_under(event: MouseEvent): number {
    const { x, y } = place(event);
    return props.view.row_at(x, y);
  }
  function on_move(event: PointerEvent) {
    if (event.pointerType === 'touch') return;
    const row = row_under(event);
    hover_row(row);
    if (row < 0) app.tip.hide();
    else
      app.tip.show(event.clientX, event.clientY, () => (
        <FrameTip app={app} data={data} row={row} with_path={props.with_path} />
      ));
  }
  function leave() {
    hover_row(-1);
    app.tip.hide();
  }
  onCleanup(() => app.tip.hide());

  // Into a box; into what is not expanded by asking for the function above alone.
  function enter(row: number) {
    const { tree } = props;
    app.tip.hide();
    if (row < 0) return;
    if (is_function(tree, row)) data.set_zoom(row === data.zoom() ? parent_of(tree, row) : row);
    else if (tree.frames.kind[row] === kinds.not_expanded) {
      const above = func_of(tree, parent_of(tree, row));
      if (above) data.set_root(above);
    }
  }

  // The cursor stays in sight, wherever it is moved from.
  createEffect(
    on(data.cursor, row => {
      const box = props.view.box_of(row);
      if (!box) return;
      const { height } = size();
      if (box.y < area.scrollTop) area.scrollTop = box.y;
      else if (box.y + box.height > area.scrollTop + height)
        area.scrollTop = Math.min(box.y, box.y + box.height - height + 1);
    }),
  );

  const items_of = (row: number): MenuItem[] => {
    const func = func_of(props.tree, row);
    if (!func) return [{ label: 'Zoom out', key: 'Esc', run: () => data.out() }];
    return [
      { label: 'Zoom in', key: 'Enter', disabled: row === data.zoom(), run: () => data.set_zoom(row) },
      { label: 'Zoom out', key: 'Esc', disabled: data.zoom() < 0, run: () => data.out() },
      { label: 'Only what it calls', detail: 'whoever called it', run: () => data.set_root(func, 'callees') },
      { label: 'Only what calls it', run: () => data.set_root(func, 'callers') },
      { kind: 'title', label: 'Go to' },
      ...function_menu(app, func),
    ];
  };
  const menu = use_context_menu('What can be done with it', items_of);
  function open_menu(row: number, x: number, y: number) {
    if (row < 0) return;
    leave();
    data.select(row);
    menu.open(row, x, y);
  }

  function on_key(event: KeyboardEvent) {
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    const row = data.cursor();
    const step = steps[event.key];
    if (step && plain) {
      const next = props.view.step(props.view.box_of(row) ? row : -1, step);
      if (next >= 0) data.set_cursor(next);
    } else if (event.key === 'Enter' && plain) enter(row);
    else if (event.key === ' ' && plain) {
      if (row >= 0) data.select(row);
    } else if ((event.key === 'm' || event.key === 'ContextMenu') && plain && row >= 0) {
      const box = props.view.box_of(row);
      const bounds = area.getBoundingClientRect();
      open_menu(row, bounds.left + (box?.x ?? 0) + 8, bounds.top + (box ? box.y + box.height - area.scrollTop : 0));
    } else if (event.key === 'c' && (event.ctrlKey || event.metaKey) && row >= 0) {
      if (String(window.getSelection())) return;
      const { tree } = props;
      void app.copy(`${frame_name(app, tree, row)}\t${frame_line(app, data, tree, row)}`, 'the box');
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  app.keys(event => {
    if (event.key === 'r') {
      app.set_option(data.key('recursion'), data.folded() ? 'unfold' : null);
      app.toast(data.folded() ? 'Recursion is folded' : 'Recursion is unfolded');
    } else if (event.key === 'c' && !app.comparing()) toggle_certain(app, data);
    else if (event.key === 'n') return data.next_match(1);
    else if (event.key === 'p') return data.next_match(-1);
    else if (event.key === 'Escape') return !menu.is_open() && !app.tip.now() && data.out();
    else return false;
    return true;
  });

  return (
    <>
      <div
        class="picture-area"
        classList={{ waiting: data.asked.waiting() }}
        ref={area}
        role="tree"
        tabindex="0"
        aria-label={props.label}
        aria-busy={data.asked.waiting()}
        aria-activedescendant={data.cursor() >= 0 ? item_id(data.cursor()) : undefined}
        onScroll={() => set_top(area.scrollTop)}
        onFocus={() => {
          set_focused(area.matches(':focus-visible'));
          if (!props.view.box_of(data.cursor())) data.set_cursor(props.view.step(-1, 'first'));
        }}
        onBlur={() => set_focused(false)}
        onKeyDown={event => {
          set_focused(true);
          on_key(event);
        }}
        onPointerMove={on_move}
        onPointerLeave={leave}
        onClick={event => {
          const row = row_under(event);
          set_focused(false);
          if (row >= 0) data.select(row);
        }}
        onDblClick={event => enter(row_under(event))}
        onContextMenu={event => {
          const row = row_under(event);
          if (row < 0) return;
          event.preventDefault();
          open_menu(row, event.clientX, event.clientY);
        }}
      >
        <canvas class="picture-canvas" ref={canvas} aria-hidden="true" />
        <div aria-hidden="true" style={{ height: `${Math.max(0, props.view.height - size().height)}px` }} />
        <TreeTwin app={app} data={data} tree={props.tree} rows={twin_items()} item_id={item_id} />
      </div>
      <menu.Menu />
    </>
  );
}
