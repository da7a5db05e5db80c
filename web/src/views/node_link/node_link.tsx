// Boxes and lines as SVG, with pan and zoom, keyboard navigation and accessible text.

import {
  type Accessor,
  createEffect,
  createMemo,
  createSignal,
  createUniqueId,
  For,
  type JSX,
  on,
  onMount,
  Show,
} from 'solid-js';
import type { App } from '../../app/app';
import { type MenuItem, useContextMenu } from '../../components/menu';
import {
  arrowHead,
  curve,
  type Move,
  nextNode,
  type Placed,
  type PlacedNode,
  type Point,
  type Ways,
} from '../../model/graph';
import { textMeasure } from '../pictures/canvas_surface';
import { createCamera, leastText, Panner } from './camera';
import './node_link.css';

const moves: Record<string, Move> = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right' };

export interface LineLook {
  kind: string; // a class, or several
  head: number; // the length of its arrow's head
  width?: number; // if the kind does not say it
  label: string;
}

export interface LineTableText {
  caption: string;
  heads: string[];
  cells(arc: number): string[];
}
const mostRows = 300;

export function NodeLink(props: {
  app: App;
  label: string;
  ways: Ways;
  placed: Placed;
  home: number; // the node where one begins
  hot?: readonly number[]; // what is to be seen first, the most important one first
  stays?: number; // the node that takes the place of the one that was opened before; -1: none
  selected?: number; // -1: none is; left out: the one that the cursor is at
  hottest?: number; // "h" goes there
  found: Uint8Array | null; // which nodes a search found
  waiting?: boolean;
  kind(node: number): string; // classes
  draw(node: number, at: PlacedNode, textScale: Accessor<number>): JSX.Element;
  describe(node: number): string;
  tip(node: number): JSX.Element;
  line(arc: number): LineLook;
  lineTip(arc: number): JSX.Element;
  table: LineTableText;
  onSelect?(node: number): void; // click, Space
  onOpen(node: number): void; // double click, Enter
  opens?(node: number): boolean; // by a click, too
  keys?: Record<string, (node: number) => void>;
  items(node: number): MenuItem[];
  drawn(world: SVGGElement, withTexts: (save: () => void) => void): void;
}): JSX.Element {
  const { app } = props;
  const id = createUniqueId();
  let area!: HTMLDivElement;
  let world!: SVGGElement;
  const [cursor, setCursor] = createSignal(-1);
  let isTouch = false;
  const [focused, setFocused] = createSignal(false);
  const camera = createCamera(() => area);
  const measure = textMeasure(app.palette().font);
  const itemId = (node: number) => `${id}-${node}`;
  const boxId = (node: number) => `${id}-box-${node}`;

  const active = () => (cursor() >= 0 ? cursor() : (props.selected ?? -1));
  const begin = () => ((props.selected ?? -1) >= 0 ? props.selected! : props.home);
  const isSelected = (node: number) => node === (props.selected ?? cursor());
  const isFound = (node: number) => props.found?.[node] === 1;
  const lines = createMemo(() => props.placed.arcs.map((_, arc) => props.line(arc)));
  const texts = createMemo(() => props.placed.nodes.map((_, node) => props.describe(node)));

  // Files have all texts, however small the picture is shown.
  const [isSaving, setSaving] = createSignal(false);
  const textScale = () => (isSaving() ? 1 : camera.textScale());
  onMount(() =>
    props.drawn(world, save => {
      setSaving(true);
      save();
      setSaving(false);
    }),
  );
  const show = () => {
    const chosen = props.selected ?? -1;
    camera.show(props.placed, [...(chosen >= 0 ? [chosen] : []), ...(props.hot ?? []), props.home]);
  };
  // A new graph begins at its hot part; one where a box was opened stays where it is.
  let corner: Point | null = null;
  createEffect(
    on(
      () => props.placed,
      placed => {
        const stays = placed.nodes[props.stays ?? -1];
        setCursor(stays && focused() ? props.stays! : -1);
        if (stays && corner) camera.putCorner(stays, corner);
        else show();
        corner = null;
      },
    ),
  );

  function go(node: number) {
    setCursor(node);
    const place = props.placed.nodes[node];
    if (place) camera.keepInSight(place);
  }
  function keepPlace(node: number) {
    const place = props.placed.nodes[node];
    corner = place ? camera.cornerOf(place) : null;
  }
  function select(node: number) {
    setCursor(props.onSelect ? -1 : node);
    props.onSelect?.(node);
  }
  function open(node: number) {
    app.tip.hide();
    keepPlace(node);
    props.onOpen(node);
  }
  const menu = useContextMenu('Actions', props.items);
  function openMenu(node: number, x: number, y: number) {
    app.tip.hide();
    keepPlace(node);
    select(node);
    menu.open(node, x, y);
  }
  function showTip(event: PointerEvent, tip: () => JSX.Element) {
    if (!camera.isDragging()) app.tip.show(event.clientX, event.clientY, tip);
  }
  function nextMatch(step: 1 | -1): boolean {
    const count = props.placed.nodes.length;
    let node = active() < 0 && step < 0 ? 0 : active();
    for (let tried = 0; tried < count; tried++) {
      node = (node + step + count) % count;
      if (!isFound(node)) continue;
      go(node);
      return true;
    }
    return false;
  }
  app.keys.add(event => {
    if (event.key === 'n' || event.key === 'p') return nextMatch(event.key === 'n' ? 1 : -1);
    if (event.key !== 'h' || props.hottest === undefined) return false;
    go(props.hottest);
    return true;
  });

  const zooms = [
    { keys: '+=', sign: '+', title: 'Zoom in', run: () => camera.zoom(1.25) },
    { keys: '-', sign: '−', title: 'Zoom out', run: () => camera.zoom(0.8) },
    { keys: 'w', sign: '◎', title: 'Hot part', run: show },
    { keys: 'a', sign: '⤢', title: 'Fit all', run: () => camera.fit(props.placed) },
  ];
  function onKey(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    const move = moves[key];
    const node = active() >= 0 ? active() : begin();
    if (move && event.shiftKey) camera.pan(move);
    else if (move) go(nextNode(props.ways, props.placed, node, move));
    else if (key === 'Home') go(props.home);
    else if (key === 'End') go(props.placed.nodes.length - 1);
    else if (key === 'Enter') open(node);
    else if (key === ' ' && !props.opens?.(node)) select(node);
    else if (key === ' ') open(node);
    else if (key === 'm' || key === 'ContextMenu') {
      const box = document.getElementById(boxId(node))?.getBoundingClientRect();
      openMenu(node, (box?.left ?? 0) + 8, box?.bottom ?? 0);
    } else {
      const run = props.keys?.[key] ?? zooms.find(({ keys }) => keys.includes(key))?.run;
      if (!run) return;
      keepPlace(node);
      run(node);
    }
    event.preventDefault();
    event.stopPropagation();
  }

  const isActive = (arc: number) => {
    const way = props.ways.arcs[arc];
    return active() >= 0 && (way?.from === active() || way?.to === active());
  };
  return (
    <div class="graph">
      <div class="graph-zoom" role="group" aria-label="Zoom">
        <For each={zooms}>
          {({ keys, sign, title, run }) => (
            <button type="button" class="button" aria-label={title} title={`${title} ( ${keys[0]} )`} onClick={run}>
              {sign}
            </button>
          )}
        </For>
      </div>
      <div
        class="graph-area"
        classList={{ waiting: props.waiting === true }}
        ref={area}
        role="listbox"
        tabindex="0"
        aria-label={props.label}
        aria-busy={props.waiting}
        aria-activedescendant={active() >= 0 ? itemId(active()) : undefined}
        onFocus={() => {
          setFocused(area.matches(':focus-visible'));
          if (active() < 0) setCursor(begin());
        }}
        onBlur={() => setFocused(false)}
        onKeyDown={event => {
          setFocused(true);
          onKey(event);
        }}
        onPointerDown={event => {
          isTouch = event.pointerType === 'touch';
          camera.drag(event);
        }}
        onWheel={event => camera.wheel(event)}
        onPointerLeave={() => app.tip.hide()}
      >
        <svg class="graph-svg" classList={{ small: textScale() < 1 }} width="100%" height="100%" aria-hidden="true">
          <g ref={world} transform={camera.transform()}>
            <For each={props.placed.arcs}>
              {({ points }, arc) => {
                const look = () => lines()[arc()]!;
                return (
                  <g
                    class="graph-arc"
                    classList={{ active: isActive(arc()), [look().kind]: true }}
                    onPointerMove={event => showTip(event, () => props.lineTip(arc()))}
                    onPointerLeave={() => app.tip.hide()}
                  >
                    <path class="graph-reach" data-file="no" d={curve(points, 0)} />
                    <path class="graph-line" d={curve(points, look().head - 1)} stroke-width={look().width} />
                    <path class="graph-head" d={arrowHead(points, look().head)} />
                  </g>
                );
              }}
            </For>
            <For each={props.placed.arcs}>
              {({ label }, arc) => {
                const look = () => lines()[arc()]!;
                const width = () => measure(look().label, leastText) + 6;
                return (
                  <Show when={label}>
                    {at => (
                      <g class="graph-count" classList={{ active: isActive(arc()), [look().kind]: true }}>
                        <rect
                          class="graph-paper"
                          x={at().x - width() / 2}
                          y={at().y - 7.5}
                          width={width()}
                          height="15"
                          rx="3"
                        />
                        <text x={at().x} y={at().y + 4}>
                          {look().label}
                        </text>
                      </g>
                    )}
                  </Show>
                );
              }}
            </For>
            <For each={props.placed.nodes}>
              {(at, node) => (
                <g
                  id={boxId(node())}
                  data-title={texts()[node()]}
                  class="graph-node"
                  classList={{
                    selected: isSelected(node()),
                    cursor: focused() && node() === active(),
                    found: isFound(node()),
                    dim: props.found !== null && !isFound(node()),
                    [props.kind(node())]: true,
                  }}
                  transform={`translate(${at.x - at.width / 2} ${at.y - at.height / 2})`}
                  onClick={event => {
                    if (camera.wasDragged()) return;
                    if (props.opens?.(node())) open(node());
                    else if (isTouch && isSelected(node())) openMenu(node(), event.clientX, event.clientY);
                    else select(node());
                  }}
                  onDblClick={() => open(node())}
                  onContextMenu={event => {
                    event.preventDefault();
                    openMenu(node(), event.clientX, event.clientY);
                  }}
                  onPointerMove={event => showTip(event, () => props.tip(node()))}
                  onPointerLeave={() => app.tip.hide()}
                >
                  <rect class="graph-back" width={at.width} height={at.height} rx="5" />
                  {props.draw(node(), at, textScale)}
                </g>
              )}
            </For>
          </g>
        </svg>
        <div class="offscreen" role="presentation">
          <For each={props.placed.nodes}>
            {(_, node) => (
              <div id={itemId(node())} role="option" aria-selected={isSelected(node())}>
                {texts()[node()]}
              </div>
            )}
          </For>
        </div>
      </div>
      <Panner camera={camera} placed={props.placed} marked={active()} />
      <LineTable table={props.table} arcs={props.placed.arcs.length} />
      <menu.Menu />
    </div>
  );
}

// The lines of the picture as an accessible table.
function LineTable(props: { table: LineTableText; arcs: number }): JSX.Element {
  const arcs = () => Array.from({ length: Math.min(props.arcs, mostRows) }, (_, arc) => arc);
  return (
    <table class="offscreen">
      <caption>{props.table.caption}</caption>
      <thead>
        <tr>
          <For each={props.table.heads}>{head => <th>{head}</th>}</For>
        </tr>
      </thead>
      <tbody>
        <For each={arcs()}>
          {arc => (
            <tr>
              <For each={props.table.cells(arc)}>{cell => <td>{cell}</td>}</For>
            </tr>
          )}
        </For>
      </tbody>
    </table>
  );
}
