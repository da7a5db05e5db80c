// When the parts were measured, a lane for each thread. The table below it has the same for the keyboard.

import { createMemo, createSignal, For, type JSX, Show } from 'solid-js';
import { watch_size } from '../../components/watch_size';
import type { PartRow } from '../../engine/protocol';
import { to_number } from '../../model/cost';
import { brief } from '../../model/format';
import { type TimelineLane, timeline } from '../../model/timeline';
import { printable } from '../../model/visible';

const lane_height = 26;
const gap = 5;
const least_bar = 3;

export function Timeline(props: {
  parts: readonly PartRow[];
  is_chosen(part: PartRow): boolean;
  on_only(part: PartRow): void;
  on_toggle(part: PartRow): void;
  on_tip(x: number, y: number, part: PartRow): void;
  on_tip_end(): void;
}): JSX.Element {
  let box!: HTMLDivElement;
  const [width, set_width] = createSignal(800);
  watch_size(
    () => box,
    () => set_width(box.clientWidth),
  );
  const line = createMemo(() => timeline(props.parts));
  const by_index = createMemo(() => new Map(props.parts.map(part => [part.index, part])));
  const most = createMemo(() => props.parts.reduce((most, part) => Math.max(most, to_number(part.self[0] ?? 0)), 0));
  const has_pids = () => new Set(line().lanes.map(lane => lane.pid)).size > 1;
  const label = (lane: TimelineLane) => {
    const thread = lane.thread ? `Thread ${lane.thread}` : '';
    const pid = has_pids() && lane.pid ? `Process ${lane.pid}` : '';
    return printable([pid, thread].filter(part => part).join(', ') || 'Parts', 40);
  };
  const left = createMemo(() =>
    Math.min(170, 24 + 7 * line().lanes.reduce((longest, lane) => Math.max(longest, label(lane).length), 0)),
  );
  const room = () => Math.max(60, width() - left() - 24);
  const height = () => line().lanes.length * (lane_height + gap) + (line().measured ? 20 : 4);
  const ticks = createMemo(() => {
    const { measured, from, to } = line();
    if (!measured) return [];
    const count = room() < 400 ? 2 : 4;
    return Array.from({ length: count + 1 }, (_, at) => ({
      at: at / count,
      text: brief(Math.round(from + ((to - from) * at) / count)),
    }));
  });
  return (
    <div class="parts-timeline" ref={box} aria-hidden="true">
      <svg width={width()} height={height()}>
        <For each={line().lanes}>
          {(lane, row) => (
            <g transform={`translate(0 ${row() * (lane_height + gap)})`}>
              <text class="parts-lane" x={left() - 10} y={lane_height / 2 + 4}>
                {label(lane)}
              </text>
              <rect class="parts-track" x={left()} width={room()} height={lane_height} rx="3" />
              <For each={[...lane.bars].sort((a, b) => b.end - b.begin - (a.end - a.begin))}>
                {bar => {
                  const part = () => by_index().get(bar.index)!;
                  const x = () => left() + bar.begin * room();
                  const wide = () => Math.max(least_bar, (bar.end - bar.begin) * room() - 1);
                  const tall = () =>
                    most() > 0
                      ? Math.max(2, (Math.max(0, to_number(part().self[0] ?? 0)) / most()) * (lane_height - 2))
                      : 2;
                  return (
                    <g
                      class="parts-bar"
                      classList={{ off: !props.is_chosen(part()) }}
                      onClick={event =>
                        event.ctrlKey || event.metaKey || event.shiftKey
                          ? props.on_toggle(part())
                          : props.on_only(part())
                      }
                      onPointerMove={event => props.on_tip(event.clientX, event.clientY, part())}
                      onPointerLeave={() => props.on_tip_end()}
                    >
                      <rect class="parts-time" x={x()} width={wide()} height={lane_height} rx="3" />
                      <rect class="parts-cost" x={x()} y={lane_height - tall()} width={wide()} height={tall()} rx="2" />
                      <Show when={wide() > 26 && part().part !== undefined}>
                        <text class="parts-number" x={x() + 7} y={lane_height / 2 + 4}>
                          {printable(String(part().part), 12)}
                        </text>
                      </Show>
                    </g>
                  );
                }}
              </For>
            </g>
          )}
        </For>
        <For each={ticks()}>
          {tick => (
            <text
              class="parts-tick"
              x={left() + tick.at * room()}
              y={height() - 5}
              text-anchor={tick.at === 0 ? 'start' : tick.at === 1 ? 'end' : 'middle'}
            >
              {tick.text}
              {tick.at === 1 ? ' basic blocks' : ''}
            </text>
          )}
        </For>
      </svg>
    </div>
  );
}
