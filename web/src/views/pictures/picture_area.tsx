// The canvas of a tree: draws the visible part, handles pointer and keys, and is mirrored in the accessibility tree.

import { createEffect, createMemo, createSignal, createUniqueId, type JSX, on, onCleanup } from 'solid-js';
import type { App } from '../../app/app';
import { functionMenu } from '../../components/function_menu';
import { type MenuItem, useContextMenu } from '../../components/menu';
import { watchSize } from '../../components/watch_size';
import { funcOf, isFunction, kinds, parentOf, type Tree } from '../../model/tree';
import { CanvasSurface } from './canvas_surface';
import { FrameTip, frameLine, frameName } from './frame_labels';
import { useHands } from './hands';
import { setOptions } from './options';
import { moved, type PictureView, type Step } from './picture_view';
import { a11yRows, TreeA11y } from './tree_a11y';
import { canBeCertainOnly, toggleCertain } from './tree_bar';
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
  onSize(size: AreaSize): void;
  fromBottom?: boolean; // where to start
  withPath?: boolean; // tooltips say what a box is in
  onHover?(row: number): void;
  onSection?(section: [number, number] | null): void; // of `view.section`
}): JSX.Element {
  const { app, data } = props;
  const id = createUniqueId();
  let area!: HTMLDivElement;
  let canvas!: HTMLCanvasElement;
  const [size, setSize] = createSignal<CanvasSize>({ width: 0, height: 0, scale: 1 });
  const [top, setTop] = createSignal(0);
  const [focused, setFocused] = createSignal(false);
  const [hover, setHover] = createSignal(-1);
  let isTouch = false;
  const itemId = (row: number) => `${id}-${row}`;

  watchSize(
    () => area,
    () => {
      const now = { width: area.clientWidth, height: area.clientHeight, scale: window.devicePixelRatio || 1 };
      setSize(now);
      props.onSize(now);
    },
  );
  // Another picture is looked at from its begin.
  createEffect(
    on([data.whole, data.zoom, () => props.fromBottom, data.certainOnly], () => {
      area.scrollTop = props.fromBottom ? props.view.height : 0;
      setTop(area.scrollTop);
      hoverRow(-1);
    }),
  );

  createEffect(on([() => props.tree], () => hoverRow(-1)));
  // What was in sight stays there when more levels appear above.
  createEffect(
    on(
      () => props.view.height,
      (height, before) => {
        if (props.fromBottom && before !== undefined) area.scrollTop += height - before;
      },
    ),
  );

  function hoverRow(row: number) {
    if (row === hover()) return;
    setHover(row);
    props.onHover?.(row);
  }

  // Outlines change more often than the picture, which is cached. Both are drawn at most once per frame of
  // the screen.
  const base = document.createElement('canvas');
  let drawBase: (() => void) | null = null;
  let drawMarks = () => {};
  let planned = 0;
  function plan() {
    cancelAnimationFrame(planned);
    planned = requestAnimationFrame(() => {
      drawBase?.();
      drawBase = null;
      drawMarks();
    });
  }
  onCleanup(() => cancelAnimationFrame(planned));
  createEffect(() => {
    const { view } = props;
    const begin = top();
    const palette = app.palette();
    const found = data.found() && data.isFound;
    const { scale, width, height } = size();
    drawBase = () => {
      const context = sized(base, { scale, width, height });
      if (!context) return;
      context.setTransform(scale, 0, 0, scale, 0, 0);
      context.fillStyle = palette.surface;
      context.fillRect(0, 0, width, height);
      context.translate(0, -begin);
      view.draw(new CanvasSurface(context, scale, palette.font), begin, begin + height, found);
    };
    plan();
  });
  createEffect(() => {
    const marks = { cursor: data.cursor(), focused: focused(), hover: hover(), selected: data.selected() };
    const { view } = props;
    const { scale, width, height } = size();
    const begin = top();
    const { font } = app.palette();
    drawMarks = () => {
      const context = sized(canvas, { scale, width, height });
      if (!context) return;
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.drawImage(base, 0, 0);
      context.setTransform(scale, 0, 0, scale, 0, -begin * scale);
      view.drawMarks(new CanvasSurface(context, scale, font), begin, begin + height, marks);
    };
    plan();
  });

  // After the picture itself, which must not wait for it.
  const [shownRows, setShownRows] = createSignal<readonly number[]>([]);
  createEffect(() => {
    const { view, tree } = props;
    const begin = top();
    const { height } = size();
    const later = setTimeout(() => setShownRows(a11yRows(tree, data, view, view.inSight(begin, begin + height))), 60);
    onCleanup(() => clearTimeout(later));
  });
  const a11yItems = createMemo(() => {
    const rows = shownRows().filter(row => row < props.tree.count);
    const cursor = data.cursor();
    if (cursor < 0 || rows.includes(cursor)) return rows;
    return [...rows, cursor].sort((a, b) => a - b);
  });

  function place(event: MouseEvent): { x: number; y: number } {
    const box = area.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top + area.scrollTop };
  }
  function rowUnder(event: MouseEvent): number {
    const { x, y } = place(event);
    return props.view.rowAt(x, y);
  }
  function onMove(event: PointerEvent) {
    if (event.pointerType === 'touch') return;
    const row = rowUnder(event);
    hoverRow(row);
    if (row < 0) app.tip.hide();
    else
      app.tip.show(event.clientX, event.clientY, () => (
        <FrameTip app={app} data={data} row={row} merged={props.view.merged(row)} withPath={props.withPath} />
      ));
  }
  function leave() {
    hoverRow(-1);
    app.tip.hide();
  }
  onCleanup(() => app.tip.hide());

  const hands = useHands({
    area: () => area,
    section: () => props.view.section,
    onSection: section => {
      leave();
      props.onSection?.(section);
    },
  });

  // Shows what is drawn as one box.
  function magnify(row: number) {
    const section = props.view.sectionOf?.(row);
    if (section) props.onSection?.(section);
    else data.setGroup(props.view.merged(row)?.rows ?? [row]);
  }

  // False: it is not magnified.
  function showAll(): boolean {
    const { section } = props.view;
    if (!section || section.to - section.from >= section.most - section.least) return false;
    props.onSection?.(null);
    return true;
  }
  function choose(row: number) {
    if (props.view.merged(row)) data.setCursor(row);
    else if (props.tree.chains.has(row)) data.openChain(row);
    else data.select(row);
  }

  // Zooms into a box; for one that is not expanded, asks for the function above alone, or the table that has all.
  function enter(row: number) {
    const { tree } = props;
    app.tip.hide();
    if (row < 0) return;
    if (props.view.merged(row)) magnify(row);
    else if (tree.chains.has(row)) data.openChain(row);
    else if (isFunction(tree, row)) data.setZoom(row === data.zoom() ? parentOf(tree, row) : row);
    else if (tree.frames.kind[row] === kinds.notExpanded) {
      const above = funcOf(tree, parentOf(tree, row));
      if (above) data.setRoot(above);
      else {
        setOptions(app, { 'tree.direction': data.direction() === 'callers' ? 'callers' : null, 'tree.open': null });
        app.navigation.go('tree');
      }
    }
  }

  // The cursor stays in sight, wherever it is moved from.
  createEffect(
    on(data.cursor, row => {
      const { section, sectionOf } = props.view;
      let box = props.view.boxOf(row);
      if (!box && row >= 0 && section && sectionOf) {
        const [begin, end] = sectionOf(row);
        const width = section.to - section.from;
        if (end <= section.from || begin >= section.to)
          props.onSection?.(moved(section, ((begin + end) / 2 - section.from) / width - 0.5));
        box = props.view.boxOf(row);
      }
      if (!box) return;
      const { height } = size();
      if (box.y < area.scrollTop) area.scrollTop = box.y;
      else if (box.y + box.height > area.scrollTop + height)
        area.scrollTop = Math.min(box.y, box.y + box.height - height + 1);
    }),
  );

  const itemsOf = (row: number): MenuItem[] => {
    if (props.view.merged(row)) return [{ label: 'Magnify', key: 'Enter', run: () => magnify(row) }];
    const chain = props.tree.chains.get(row);
    if (chain)
      return [
        { label: `Show its ${chain.length} functions`, key: 'Enter', run: () => data.openChain(row) },
        { label: 'Zoom in', disabled: row === data.zoom(), run: () => data.setZoom(row) },
        { label: 'Zoom out', key: 'Esc', disabled: data.zoom() < 0, run: () => data.out() },
      ];
    const func = funcOf(props.tree, row);
    if (!func) return [{ label: 'Zoom out', key: 'Esc', run: () => data.out() }];
    return [
      { label: 'Zoom in', key: 'Enter', disabled: row === data.zoom(), run: () => data.setZoom(row) },
      { label: 'Zoom out', key: 'Esc', disabled: data.zoom() < 0, run: () => data.out() },
      { label: 'Only its callees', detail: 'from all callers', run: () => data.setRoot(func, 'callees') },
      { label: 'Only its callers', run: () => data.setRoot(func, 'callers') },
      { kind: 'title', label: 'Go to' },
      ...functionMenu(app, func),
    ];
  };
  const menu = useContextMenu('Actions', itemsOf);
  function openMenu(row: number, x: number, y: number) {
    if (row < 0) return;
    leave();
    if (props.tree.chains.has(row)) data.setCursor(row);
    else choose(row);
    menu.open(row, x, y);
  }

  function onKey(event: KeyboardEvent) {
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    const row = data.cursor();
    const step = steps[event.key];
    if (step && plain) {
      const next = props.view.step(props.view.boxOf(row) ? row : -1, step);
      if (next >= 0) data.setCursor(next);
    } else if (plain && hands.onKey(event.key)) app.tip.hide();
    else if (event.key === 'Enter' && plain) enter(row);
    else if (event.key === ' ' && plain) {
      if (row >= 0) choose(row);
    } else if ((event.key === 'm' || event.key === 'ContextMenu') && plain && row >= 0) {
      const box = props.view.boxOf(row);
      const bounds = area.getBoundingClientRect();
      openMenu(row, bounds.left + (box?.x ?? 0) + 8, bounds.top + (box ? box.y + box.height - area.scrollTop : 0));
    } else if (event.key === 'c' && (event.ctrlKey || event.metaKey) && row >= 0) {
      if (String(window.getSelection())) return;
      const { tree } = props;
      const merged = props.view.merged(row);
      void app.copy(`${frameName(app, tree, row, merged)}\t${frameLine(app, data, tree, row, merged)}`, 'the box');
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  app.keys.add(event => {
    if (event.key === 'r') {
      app.navigation.setOption(data.key('recursion'), data.folded() ? 'unfold' : null);
      app.toasts.show(data.folded() ? 'Recursion is folded' : 'Recursion is unfolded');
    } else if (event.key === 'c' && canBeCertainOnly(app, data)) toggleCertain(app, data);
    else if (event.key === 'n') return data.nextMatch(1);
    else if (event.key === 'p') return data.nextMatch(-1);
    else if (event.key === 'Escape') return !menu.isOpen() && !app.tip.now() && (showAll() || data.out());
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
        aria-activedescendant={data.cursor() >= 0 ? itemId(data.cursor()) : undefined}
        onScroll={() => setTop(area.scrollTop)}
        onFocus={() => {
          setFocused(area.matches(':focus-visible'));
          if (!props.view.boxOf(data.cursor())) data.setCursor(props.view.step(-1, 'first'));
        }}
        onBlur={() => setFocused(false)}
        onKeyDown={event => {
          setFocused(true);
          onKey(event);
        }}
        onPointerDown={event => {
          isTouch = event.pointerType === 'touch';
          hands.onDown(event);
        }}
        onPointerMove={event => {
          if (!hands.onMove(event)) onMove(event);
        }}
        onPointerUp={hands.onUp}
        onPointerCancel={hands.onUp}
        onPointerLeave={leave}
        onClick={event => {
          if (hands.hasDragged()) return;
          const row = rowUnder(event);
          setFocused(false);
          if (row < 0) return;
          // A finger has no second button.
          if (isTouch && row === data.cursor()) openMenu(row, event.clientX, event.clientY);
          else choose(row);
        }}
        onDblClick={event => !menu.isOpen() && enter(rowUnder(event))}
        onContextMenu={event => {
          const row = rowUnder(event);
          if (row < 0) return;
          event.preventDefault();
          openMenu(row, event.clientX, event.clientY);
        }}
      >
        <canvas class="picture-canvas" ref={canvas} aria-hidden="true" />
        <div aria-hidden="true" style={{ height: `${Math.max(0, props.view.height - size().height)}px` }} />
        <TreeA11y
          app={app}
          data={data}
          tree={props.tree}
          rows={a11yItems()}
          merged={row => props.view.merged(row)}
          itemId={itemId}
        />
      </div>
      <menu.Menu />
    </>
  );
}
