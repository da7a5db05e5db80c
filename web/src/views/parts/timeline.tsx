// When the parts were measured, a lane for each thread. The table below it has the same for the keyboard.

import { createMemo, createSignal, For, type JSX, Show } from 'solid-js';
import { watchSize } from '../../components/watch_size';
import { brief, percentBrief } from '../../model/format';
import { type TimelineLane, timeline } from '../../model/timeline';
import { printable } from '../../model/visible';
import { add, type Cost, share, toNumber } from '../../protocol/cost';
import type { PartRow } from '../../protocol/protocol';

const laneHeight = 26;
const gap = 5;
const leastBar = 3;

export function Timeline(props: {
  parts: readonly PartRow[];
  whole: Cost; // what is 100 %
  spelled(cost: Cost): string;
  isChosen(part: PartRow): boolean;
  onOnly(part: PartRow): void;
  onToggle(part: PartRow): void;
  onTip(x: number, y: number, part: PartRow): void;
  onTipEnd(): void;
}): JSX.Element {
  let box!: HTMLDivElement;
  const [width, setWidth] = createSignal(800);
  watchSize(
    () => box,
    () => setWidth(box.clientWidth),
  );
  const line = createMemo(() => timeline(props.parts));
  const byIndex = createMemo(() => new Map(props.parts.map(part => [part.index, part])));
  const most = createMemo(() => props.parts.reduce((most, part) => Math.max(most, toNumber(part.self[0] ?? 0)), 0));
  const hasPids = () => new Set(line().lanes.map(lane => lane.pid)).size > 1;
  const label = (lane: TimelineLane) => {
    const thread = lane.thread ? `Thread ${lane.thread}` : '';
    const pid = hasPids() && lane.pid ? `Process ${lane.pid}` : '';
    return printable([pid, thread].filter(part => part).join(', ') || 'Parts', 40);
  };
  const shareOf = (parts: (PartRow | undefined)[]) => {
    const sum = parts.reduce<Cost>((sum, part) => add(sum, part?.self[0] ?? 0), 0);
    return percentBrief(share(sum, props.whole) ?? 0);
  };
  const laneShare = (lane: TimelineLane) =>
    line().lanes.length > 1 && lane.bars.length > 1
      ? ` ${shareOf(lane.bars.map(bar => byIndex().get(bar.index)))}`
      : '';
  const laneText = (lane: TimelineLane) => label(lane) + laneShare(lane);
  const left = createMemo(() =>
    Math.min(190, 24 + 6 * line().lanes.reduce((longest, lane) => Math.max(longest, laneText(lane).length), 0)),
  );
  // Its number, and its share if there is room.
  const barText = (part: PartRow, wide: number) => {
    const name = part.part === undefined ? '' : printable(String(part.part), 12);
    const whole = [name, shareOf([part])].filter(text => text).join(' · ');
    return [whole, name].find(text => text.length * 6.5 + 14 <= wide) ?? '';
  };
  const room = () => Math.max(60, width() - left() - 24);
  const height = () => line().lanes.length * (laneHeight + gap) + (line().measured ? 20 : 4);
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
            <g transform={`translate(0 ${row() * (laneHeight + gap)})`}>
              <text class="parts-lane" x={left() - 10} y={laneHeight / 2 + 4}>
                {laneText(lane)}
              </text>
              <rect class="parts-track" x={left()} width={room()} height={laneHeight} rx="3" />
              <For each={[...lane.bars].sort((a, b) => b.end - b.begin - (a.end - a.begin))}>
                {bar => {
                  const part = () => byIndex().get(bar.index)!;
                  const x = () => left() + bar.begin * room();
                  const wide = () => Math.max(leastBar, (bar.end - bar.begin) * room() - 1);
                  const tall = () =>
                    most() > 0
                      ? Math.max(2, (Math.max(0, toNumber(part().self[0] ?? 0)) / most()) * (laneHeight - 2))
                      : 2;
                  return (
                    <g
                      class="parts-bar"
                      classList={{ off: !props.isChosen(part()) }}
                      onClick={event =>
                        event.ctrlKey || event.metaKey || event.shiftKey ? props.onToggle(part()) : props.onOnly(part())
                      }
                      onPointerMove={event => props.onTip(event.clientX, event.clientY, part())}
                      onPointerLeave={() => props.onTipEnd()}
                    >
                      <rect class="parts-time" x={x()} width={wide()} height={laneHeight} rx="3" />
                      <rect class="parts-cost" x={x()} y={laneHeight - tall()} width={wide()} height={tall()} rx="2" />
                      <Show when={barText(part(), wide())}>
                        {text => (
                          <text class="parts-number" x={x() + 7} y={laneHeight / 2 + 4}>
                            {text()}
                          </text>
                        )}
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
      <Show when={most() > 0}>
        <p class="parts-key">
          Height: cost, the highest is {props.spelled(most())}.{' '}
          {line().measured ? 'Width: basic blocks executed.' : 'Width: all the same.'}
        </p>
      </Show>
    </div>
  );
}
