// The call graph as SVG: boxes and lines that can be moved about, walked along, and heard.

import {
  createEffect,
  createMemo,
  createSignal,
  createUniqueId,
  For,
  type JSX,
  on,
  onCleanup,
  onMount,
  Show,
} from 'solid-js';
import type { App } from '../../app';
import { function_menu } from '../../components/function_menu';
import { ContextMenu, type MenuItem } from '../../components/menu';
import type { GraphArc } from '../../engine/protocol';
import type { Cost } from '../../model/cost';
import { share } from '../../model/cost';
import { brief, change } from '../../model/format';
import { arrow_head, curve, type Graph, line_width, type Move, next_node, type Placed } from '../../model/graph';
import { fitting } from '../../model/labels';
import { text_measure } from '../pictures/canvas_pen';
import { create_camera, Panner } from './camera';
import type { GraphData } from './graph_data';
import { type NodeLook, node_height } from './graph_style';
import { ArcTip, arc_label, NodeTip, node_label } from './graph_words';

const moves: Record<string, Move> = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right' };

export function GraphPicture(props: {
  app: App;
  data: GraphData;
  graph: Graph;
  placed: Placed;
  look(node: number): NodeLook;
  middle: number; // -1: none
  found: Uint8Array | null; // which nodes a search found
  drawn(svg: SVGGElement): void;
}): JSX.Element {
  const { app, data } = props;
  const id = createUniqueId();
  let area!: HTMLDivElement;
  let world!: SVGGElement;
  const [cursor, set_cursor] = createSignal(-1);
  const [focused, set_focused] = createSignal(false);
  const [menu, set_menu] = createSignal<{ x: number; y: number; node: number } | null>(null);
  const camera = create_camera(() => area);
  const item_id = (node: number) => `${id}-${node}`;
  const box_id = (node: number) => `${id}-box-${node}`;
  const measure = text_measure(app.palette().font);

  const selected = createMemo(() => props.graph.nodes.findIndex(node => node.id === app.selected()?.id));
  const active = () => (cursor() >= 0 ? cursor() : selected());
  const begin = () => (selected() >= 0 ? selected() : Math.max(props.middle, 0));
  const middle_cost = () => props.graph.nodes[props.middle]?.inclusive[0] ?? undefined;
  const part = (cost: Cost | null | undefined) => share(cost ?? 0, middle_cost() ?? app.base()) ?? 0;

  onMount(() => {
    props.drawn(world);
    onCleanup(camera.watch());
  });
  // Another graph is seen as a whole if names can still be read, else around its middle.
  createEffect(
    on(
      () => props.placed,
      placed => {
        set_cursor(-1);
        camera.show(placed, placed.nodes[begin()]);
      },
    ),
  );

  function go(node: number) {
    set_cursor(node);
    const place = props.placed.nodes[node];
    if (place) camera.keep_in_sight(place);
  }
  const show_around = (node: number) => {
    const func = props.graph.nodes[node];
    app.tip.hide();
    if (func) data.show_around(func);
  };
  const items_of = (node: number): MenuItem[] => {
    const func = props.graph.nodes[node]!;
    return [
      { label: 'In the middle', key: 'Enter', disabled: node === props.middle, run: () => show_around(node) },
      { kind: 'title', label: 'Go to' },
      ...function_menu(app, func),
    ];
  };
  function open_menu(node: number, x: number, y: number) {
    app.tip.hide();
    data.select(props.graph.nodes[node]!);
    set_menu({ x, y, node });
  }

  const is_found = (node: number) => props.found?.[node] === 1;
  function next_match(step: 1 | -1): boolean {
    const count = props.graph.nodes.length;
    let node = active() < 0 && step < 0 ? 0 : active();
    for (let tried = 0; tried < count; tried++) {
      node = (node + step + count) % count;
      if (!is_found(node)) continue;
      go(node);
      return true;
    }
    return false;
  }
  app.keys(event => (event.key === 'n' || event.key === 'p') && next_match(event.key === 'n' ? 1 : -1));

  function on_key(event: KeyboardEvent) {
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    const move = moves[event.key];
    const node = active() >= 0 ? active() : begin();
    if (!plain) return;
    if (move && event.shiftKey) camera.pan(move);
    else if (move) go(next_node(props.graph, props.placed, node, move, data.layout()));
    else if (event.key === 'Home') go(Math.max(props.middle, 0));
    else if (event.key === 'Enter') show_around(node);
    else if (event.key === ' ') data.select(props.graph.nodes[node]!);
    else if (event.key === '+' || event.key === '=') camera.zoom(1.25);
    else if (event.key === '-') camera.zoom(0.8);
    else if (event.key === 'w') camera.fit(props.placed);
    else if (event.key === 'm' || event.key === 'ContextMenu') {
      const box = document.getElementById(box_id(node))?.getBoundingClientRect();
      open_menu(node, (box?.left ?? 0) + 8, box?.bottom ?? 0);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  const is_active = (arc: GraphArc) => active() >= 0 && (arc.from === active() || arc.to === active());
  const arc_change = (arc: GraphArc) => {
    const before = arc.cost_before?.[0];
    if (!app.comparing() || before === undefined || before === null) return '';
    return change(before, arc.cost[0] ?? 0, brief).direction;
  };

  return (
    <div class="graph">
      <div
        class="graph-area"
        classList={{ waiting: data.asked.waiting() }}
        ref={area}
        role="listbox"
        tabindex="0"
        aria-label="Call graph"
        aria-busy={data.asked.waiting()}
        aria-activedescendant={active() >= 0 ? item_id(active()) : undefined}
        onFocus={() => {
          set_focused(area.matches(':focus-visible'));
          if (active() < 0) set_cursor(begin());
        }}
        onBlur={() => set_focused(false)}
        onKeyDown={event => {
          set_focused(true);
          on_key(event);
        }}
        onPointerDown={event => camera.drag(event)}
        onWheel={event => camera.wheel(event)}
        onPointerLeave={() => app.tip.hide()}
      >
        <svg class="graph-svg" width="100%" height="100%" aria-hidden="true">
          <g ref={world} transform={camera.transform()}>
            <g>
              <For each={props.graph.arcs}>
                {(arc, index) => {
                  const line = () => props.placed.arcs[index()];
                  // What recursion costs is counted again at each level: no part of anything.
                  const width = () => (arc.recursive ? 1.5 : line_width(part(arc.cost[0])));
                  const head = () => 7 + width() * 1.2;
                  return (
                    <g
                      class="graph-arc"
                      classList={{
                        active: is_active(arc),
                        recursive: arc.recursive,
                        [arc_change(arc)]: arc_change(arc) !== '',
                      }}
                      onPointerMove={event => {
                        if (!camera.is_dragging())
                          app.tip.show(event.clientX, event.clientY, () => (
                            <ArcTip app={app} graph={props.graph} arc={arc} />
                          ));
                      }}
                      onPointerLeave={() => app.tip.hide()}
                    >
                      <path class="graph-reach" data-file="no" d={curve(line()?.points ?? [], 0)} />
                      <path class="graph-line" d={curve(line()?.points ?? [], head() - 1)} stroke-width={width()} />
                      <path class="graph-head" d={arrow_head(line()?.points ?? [], head())} />
                    </g>
                  );
                }}
              </For>
              <For each={props.graph.arcs}>
                {(arc, index) => (
                  <Show when={props.placed.arcs[index()]?.label}>
                    {label => {
                      const text = () => `${arc.recursive ? '↻ ' : ''}${arc_label(app, arc, middle_cost())}`;
                      const width = () => measure(text(), 10) + 6;
                      return (
                        <g
                          class="graph-count"
                          classList={{ active: is_active(arc), [arc_change(arc)]: arc_change(arc) !== '' }}
                        >
                          <rect
                            class="graph-paper"
                            x={label().x - width() / 2}
                            y={label().y - 7}
                            width={width()}
                            height="14"
                            rx="3"
                          />
                          <text x={label().x} y={label().y + 3.5}>
                            {text()}
                          </text>
                        </g>
                      );
                    }}
                  </Show>
                )}
              </For>
            </g>
            <For each={props.graph.nodes}>
              {(node, index) => {
                const place = () => props.placed.nodes[index()];
                const look = createMemo(() => props.look(index()));
                const width = () => place()?.width ?? 0;
                const bar = (cost: Cost | null | undefined) =>
                  Math.max(0, Math.min(1, share(cost ?? 0, app.base()) ?? 0)) * (width() - 16);
                const cycle = () => (node.cycle !== undefined && app.state.cycles ? `↻ ${node.cycle}` : '');
                const room = () => width() - 16 - (cycle() ? 30 : 0) - (look().mark ? 14 : 0);
                return (
                  <Show when={place()}>
                    {at => (
                      <g
                        id={box_id(index())}
                        data-title={node_label(app, props.graph, index())}
                        class="graph-node"
                        classList={{
                          selected: index() === selected(),
                          middle: index() === props.middle,
                          cursor: focused() && index() === active(),
                          found: is_found(index()),
                          dim: props.found !== null && !is_found(index()),
                        }}
                        transform={`translate(${at().x - at().width / 2} ${at().y - at().height / 2})`}
                        onClick={() => {
                          if (camera.was_dragged()) return;
                          set_cursor(-1);
                          data.select(node);
                        }}
                        onDblClick={() => show_around(index())}
                        onContextMenu={event => {
                          event.preventDefault();
                          open_menu(index(), event.clientX, event.clientY);
                        }}
                        onPointerMove={event => {
                          if (!camera.is_dragging())
                            app.tip.show(event.clientX, event.clientY, () => <NodeTip app={app} node={node} />);
                        }}
                        onPointerLeave={() => app.tip.hide()}
                      >
                        <rect class="graph-back" width={at().width} height={node_height} rx="5" />
                        <rect class="graph-box" width={at().width} height={node_height} rx="5" fill={look().fill} />
                        <text class="graph-name" x="8" y="16">
                          {look().mark ? `${look().mark} ` : ''}
                          {fitting(look().labels, room(), text =>
                            measure(text, 12, index() === props.middle ? 600 : 400),
                          )}
                        </text>
                        <Show when={cycle()}>
                          <text class="graph-cycle" x={at().width - 8} y="16">
                            {cycle()}
                          </text>
                        </Show>
                        <text class="graph-cost" x="8" y="31">
                          {look().inclusive}
                        </text>
                        <text class="graph-cost end" x={at().width - 8} y="31">
                          {look().self}
                        </text>
                        <rect class="graph-track" x="8" y="36" width={width() - 16} height="4" rx="2" />
                        <rect class="graph-inclusive" x="8" y="36" width={bar(node.inclusive[0])} height="4" rx="2" />
                        <rect class="graph-self" x="8" y="36" width={bar(node.self[0])} height="4" rx="2" />
                      </g>
                    )}
                  </Show>
                );
              }}
            </For>
          </g>
        </svg>
        <div class="offscreen" role="presentation">
          <For each={props.graph.nodes}>
            {(_, index) => (
              <div id={item_id(index())} role="option" aria-selected={index() === selected()}>
                {node_label(app, props.graph, index())}
              </div>
            )}
          </For>
        </div>
      </div>
      <div class="graph-zoom" role="group" aria-label="Zoom">
        <button
          type="button"
          class="button"
          aria-label="Zoom in"
          title="Zoom in ( + )"
          onClick={() => camera.zoom(1.25)}
        >
          +
        </button>
        <button
          type="button"
          class="button"
          aria-label="Zoom out"
          title="Zoom out ( - )"
          onClick={() => camera.zoom(0.8)}
        >
          −
        </button>
        <button
          type="button"
          class="button"
          aria-label="Show all of it"
          title="Show all of it ( w )"
          onClick={() => camera.fit(props.placed)}
        >
          ⤢
        </button>
      </div>
      <Panner camera={camera} placed={props.placed} marked={active()} />
      <ArcTable app={app} graph={props.graph} />
      <Show when={menu()}>
        {one => (
          <ContextMenu
            x={one().x}
            y={one().y}
            label="What can be done with it"
            items={items_of(one().node)}
            on_close={() => set_menu(null)}
          />
        )}
      </Show>
    </div>
  );
}

const most_rows = 300;

// The lines of the picture for those who do not see them.
function ArcTable(props: { app: App; graph: Graph }): JSX.Element {
  const { app } = props;
  const name = (index: number) => app.name(props.graph.nodes[index]!);
  return (
    <table class="offscreen">
      <caption>Calls in this picture</caption>
      <thead>
        <tr>
          <th>Caller</th>
          <th>Callee</th>
          <th>Calls and cost</th>
        </tr>
      </thead>
      <tbody>
        <For each={props.graph.arcs.slice(0, most_rows)}>
          {arc => (
            <tr>
              <td>{name(arc.from)}</td>
              <td>{name(arc.to)}</td>
              <td>
                {arc_label(app, arc, undefined)}
                {arc.recursive ? ', recursive' : ''}
              </td>
            </tr>
          )}
        </For>
      </tbody>
    </table>
  );
}
