// The control flow graph as SVG: blocks and ways between them, to be moved about, walked along, and heard.

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
import { ContextMenu, type MenuItem } from '../../components/menu';
import type { InstructionsAnswer } from '../../engine/protocol';
import { type Block, edge_words, type Flow, type FlowEdge } from '../../model/control_flow';
import { exact, percent } from '../../model/format';
import { arrow_head, curve, type Move, next_node, type Placed } from '../../model/graph';
import { printable } from '../../model/visible';
import { create_camera, Panner } from '../graph/camera';
import { text_measure } from '../pictures/canvas_pen';
import { type BlockLook, edge_label, head_height, line_height } from './block_look';

const moves: Record<string, Move> = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right' };

export interface FlowPictureProps {
  app: App;
  answer: InstructionsAnswer;
  flow: Flow;
  looks: readonly BlockLook[];
  placed: Placed;
  on_open(block: Block): void; // its machine code
  on_source(block: Block): void;
  found: ReadonlySet<number> | null; // blocks that a search found
  drawn(world: SVGGElement): void;
}

export function FlowPicture(props: FlowPictureProps): JSX.Element {
  const { app } = props;
  const id = createUniqueId();
  let area!: HTMLDivElement;
  let world!: SVGGElement;
  const [cursor, set_cursor] = createSignal(-1);
  const [focused, set_focused] = createSignal(false);
  const [menu, set_menu] = createSignal<{ x: number; y: number; block: number } | null>(null);
  const camera = create_camera(() => area);
  const measure = text_measure(app.palette().font);
  const item_id = (block: number) => `${id}-${block}`;

  const hottest = createMemo(() => {
    let best = 0;
    props.flow.blocks.forEach((block, index) => {
      if (block.share > (props.flow.blocks[best]?.share ?? 0)) best = index;
    });
    return best;
  });
  onMount(() => {
    props.drawn(world);
    onCleanup(camera.watch());
    // Solid's wheel listeners are passive; this one keeps the page where it is.
    const wheel = (event: WheelEvent) => camera.wheel(event);
    area.addEventListener('wheel', wheel, { passive: false });
    onCleanup(() => area.removeEventListener('wheel', wheel));
  });
  createEffect(
    on(
      () => props.placed,
      placed => {
        set_cursor(-1);
        // As a whole if it can still be read, else from its begin.
        camera.show(placed, placed.nodes[0]);
      },
    ),
  );
  function go(block: number) {
    set_cursor(block);
    const place = props.placed.nodes[block];
    if (place) camera.keep_in_sight(place);
  }
  const block_at = (index: number) => props.flow.blocks[index]!;
  const items_of = (index: number): MenuItem[] => [
    { label: 'Machine code', key: 'Enter', run: () => props.on_open(block_at(index)) },
    { label: 'Source', key: 's', run: () => props.on_source(block_at(index)) },
  ];
  function next_match(step: 1 | -1): boolean {
    const count = props.flow.blocks.length;
    const found = props.found;
    if (!found || found.size === 0) return false;
    let block = cursor() < 0 && step > 0 ? -1 : Math.max(0, cursor());
    for (let tried = 0; tried < count; tried++) {
      block = (block + step + count) % count;
      if (!found.has(block)) continue;
      go(block);
      return true;
    }
    return false;
  }
  app.keys(event => {
    if (event.key === 'n' || event.key === 'p') return next_match(event.key === 'n' ? 1 : -1);
    if (event.key === 'h') go(hottest());
    else return false;
    return true;
  });
  function on_key(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const move = moves[event.key];
    const block = cursor() >= 0 ? cursor() : 0;
    if (move && event.shiftKey) camera.pan(move);
    else if (move) go(cursor() < 0 ? 0 : next_node(props.flow, props.placed, block, move, 'down'));
    else if (event.key === 'Home') go(0);
    else if (event.key === 'End') go(props.flow.blocks.length - 1);
    else if (event.key === 'Enter') props.on_open(block_at(block));
    else if (event.key === 's') props.on_source(block_at(block));
    else if (event.key === '+' || event.key === '=') camera.zoom(1.25);
    else if (event.key === '-') camera.zoom(0.8);
    else if (event.key === 'w') camera.fit(props.placed);
    else if (event.key === 'm' || event.key === 'ContextMenu') {
      const box = document.getElementById(item_id(block))?.getBoundingClientRect();
      set_menu({ x: (box?.left ?? 0) + 8, y: box?.bottom ?? 0, block });
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
  const is_active = (edge: FlowEdge) => cursor() >= 0 && (edge.from === cursor() || edge.to === cursor());
  const is_found = (index: number) => props.found?.has(index) ?? false;

  return (
    <div class="graph">
      <div
        class="graph-area"
        ref={area}
        role="listbox"
        tabindex="0"
        aria-label="Control flow graph"
        aria-activedescendant={cursor() >= 0 ? item_id(cursor()) : undefined}
        onFocus={() => {
          set_focused(area.matches(':focus-visible'));
          if (cursor() < 0) set_cursor(0);
        }}
        onBlur={() => set_focused(false)}
        onKeyDown={event => {
          set_focused(true);
          on_key(event);
        }}
        onPointerDown={event => camera.drag(event)}
        onPointerLeave={() => app.tip.hide()}
      >
        <svg class="graph-svg" width="100%" height="100%" role="presentation">
          <g ref={world} transform={camera.transform()} role="presentation">
            <g aria-hidden="true">
              <For each={props.flow.arcs}>
                {(edge, index) => {
                  const line = () => props.placed.arcs[index()]?.points ?? [];
                  return (
                    <g
                      class={`flow-edge ${edge.kind}`}
                      classList={{ active: is_active(edge) }}
                      onPointerMove={event => {
                        if (!camera.is_dragging())
                          app.tip.show(event.clientX, event.clientY, () => <EdgeTip {...props} edge={edge} />);
                      }}
                      onPointerLeave={() => app.tip.hide()}
                    >
                      <path class="graph-reach" data-file="no" d={curve(line(), 0)} />
                      <path class="flow-line" d={curve(line(), 8)} />
                      <path class="flow-head" d={arrow_head(line(), 9)} />
                    </g>
                  );
                }}
              </For>
              <For each={props.flow.arcs}>
                {(edge, index) => (
                  <Show when={edge_label(edge) !== '' && props.placed.arcs[index()]?.label}>
                    {label => {
                      const width = () => measure(edge_label(edge), 10) + 6;
                      return (
                        <g class="graph-count" classList={{ active: is_active(edge) }}>
                          <rect
                            class="graph-paper"
                            x={label().x - width() / 2}
                            y={label().y - 7}
                            width={width()}
                            height="14"
                            rx="3"
                          />
                          <text x={label().x} y={label().y + 3.5}>
                            {edge_label(edge)}
                          </text>
                        </g>
                      );
                    }}
                  </Show>
                )}
              </For>
            </g>
            <For each={props.flow.blocks}>
              {(block, index) => {
                const place = () => props.placed.nodes[index()];
                const look = () => props.looks[index()]!;
                return (
                  <Show when={place()}>
                    {at => (
                      <g
                        id={item_id(index())}
                        role="option"
                        aria-selected={cursor() === index()}
                        aria-description={block_words(props, index())}
                        class="flow-block"
                        classList={{
                          cursor: cursor() === index(),
                          focused: focused() && cursor() === index(),
                          found: is_found(index()),
                          dim: props.found !== null && !is_found(index()),
                        }}
                        transform={`translate(${at().x - at().width / 2} ${at().y - at().height / 2})`}
                        onClick={() => {
                          if (!camera.was_dragged()) set_cursor(index());
                        }}
                        onDblClick={() => props.on_open(block)}
                        onContextMenu={event => {
                          event.preventDefault();
                          app.tip.hide();
                          set_cursor(index());
                          set_menu({ x: event.clientX, y: event.clientY, block: index() });
                        }}
                        onPointerMove={event => {
                          if (!camera.is_dragging())
                            app.tip.show(event.clientX, event.clientY, () => <BlockTip {...props} index={index()} />);
                        }}
                        onPointerLeave={() => app.tip.hide()}
                      >
                        <rect class="flow-back" width={at().width} height={at().height} rx="5" />
                        <path
                          class="flow-title-back"
                          fill={look().fill}
                          d={title_shape(
                            at().width,
                            look().lines.length > 0 ? head_height : at().height,
                            look().lines.length > 0,
                          )}
                        />
                        <rect class="flow-box" width={at().width} height={at().height} rx="5" />
                        <text class="flow-title" x="9" y="16">
                          {look().title}
                        </text>
                        <text class="flow-cost" x={at().width - 9} y="16">
                          {look().cost}
                        </text>
                        <For each={look().lines}>
                          {(line, row) => (
                            <>
                              <text
                                class="flow-number"
                                x={9 + look().cost_width}
                                y={head_height + 14 + row() * line_height}
                              >
                                {line.cost}
                              </text>
                              <text
                                class="flow-code"
                                classList={{ more: line.row < 0 }}
                                x={17 + look().cost_width}
                                y={head_height + 14 + row() * line_height}
                              >
                                {line.text}
                              </text>
                            </>
                          )}
                        </For>
                      </g>
                    )}
                  </Show>
                );
              }}
            </For>
          </g>
        </svg>
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
      <Panner camera={camera} placed={props.placed} marked={cursor()} />
      <EdgeTable {...props} />
      <Show when={menu()}>
        {one => (
          <ContextMenu
            x={one().x}
            y={one().y}
            label="What can be done with it"
            items={items_of(one().block)}
            on_close={() => set_menu(null)}
          />
        )}
      </Show>
    </div>
  );
}

// The upper corners are those of the box; all of them if it has nothing but a title.
function title_shape(width: number, height: number, open: boolean): string {
  const r = 5;
  const bottom = open
    ? `V${height}H0`
    : `V${height - r}A${r} ${r} 0 0 1 ${width - r} ${height}H${r}A${r} ${r} 0 0 1 0 ${height - r}`;
  return `M0 ${r}A${r} ${r} 0 0 1 ${r} 0H${width - r}A${r} ${r} 0 0 1 ${width} ${r}${bottom}Z`;
}

function edge_text(props: FlowPictureProps, edge: FlowEdge, end: 'from' | 'to'): string {
  const other = props.looks[edge[end]]?.title ?? '';
  const count = edge.count === undefined ? '' : `, ${exact(edge.count)}×`;
  return `${edge_words[edge.kind]} ${end === 'to' ? 'to' : 'from'} ${other}${count}`;
}

function block_words(props: FlowPictureProps, index: number): string {
  const block = props.flow.blocks[index]!;
  const { app, answer, flow } = props;
  const count = block.last - block.first + 1;
  return printable(
    [
      `Block ${index + 1} of ${flow.blocks.length}: ${props.looks[index]?.title ?? ''}`,
      `from ${answer.rows[block.first]?.address}, ${count} instructions`,
      `self ${app.full(block.self)}`,
      ...flow.callees[index]!.slice(0, 8).map(edge => edge_text(props, flow.arcs[edge]!, 'to')),
    ].join('; '),
    900,
  );
}

function BlockTip(props: FlowPictureProps & { index: number }): JSX.Element {
  const block = () => props.flow.blocks[props.index]!;
  const { app, answer, flow } = props;
  return (
    <>
      <div class="name-tip">{props.looks[props.index]?.title}</div>
      <div>
        self {app.full(block().self)}, {percent(block().share)} of the function
      </div>
      <div class="muted">
        {block().last - block().first + 1} instructions from {answer.rows[block().first]?.address}
      </div>
      <For each={flow.callers[props.index]!.slice(0, 6)}>
        {edge => <div class="muted">← {edge_text(props, flow.arcs[edge]!, 'from')}</div>}
      </For>
      <For each={flow.callees[props.index]!.slice(0, 6)}>
        {edge => <div class="muted">→ {edge_text(props, flow.arcs[edge]!, 'to')}</div>}
      </For>
    </>
  );
}

function EdgeTip(props: FlowPictureProps & { edge: FlowEdge }): JSX.Element {
  return (
    <>
      <div class="name-tip">
        {props.looks[props.edge.from]?.title} → {props.looks[props.edge.to]?.title}
      </div>
      <div>
        {edge_words[props.edge.kind]}
        {props.edge.count === undefined ? ': how often is not known exactly' : `: ${exact(props.edge.count)}×`}
      </div>
    </>
  );
}

const most_rows = 300;

// The ways of the picture for those who do not see them.
function EdgeTable(props: FlowPictureProps): JSX.Element {
  return (
    <table class="offscreen">
      <caption>Ways between the blocks</caption>
      <thead>
        <tr>
          <th>From block</th>
          <th>To block</th>
          <th>How, how often</th>
        </tr>
      </thead>
      <tbody>
        <For each={props.flow.arcs.slice(0, most_rows)}>
          {edge => (
            <tr>
              <td>
                {edge.from + 1}: {props.looks[edge.from]?.title}
              </td>
              <td>
                {edge.to + 1}: {props.looks[edge.to]?.title}
              </td>
              <td>
                {edge_words[edge.kind]}
                {edge.count === undefined ? '' : `, ${exact(edge.count)}×`}
              </td>
            </tr>
          )}
        </For>
      </tbody>
    </table>
  );
}
