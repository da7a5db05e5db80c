// The costs of a series over its entries; there are some. Left and right go from point to point, a drag chooses a range of time.

import { createEffect, createMemo, createSignal, For, type JSX, on, Show } from 'solid-js';
import { watchSize } from '../components/watch_size';
import { axisOf, dotsOf, type Frame, nearest, pathOf, timeTicks, xOf, yOf } from '../model/chart';
import { change, day, minute } from '../model/format';
import { commitLabel } from '../model/history_state';
import type { EntryId, SeriesAnswer, SeriesChange } from '../protocol/protocol';
import { ChangeText, costText } from './pieces';

const letter = 6.6; // pixels
const mostDots = 120;

export function Chart(props: {
  answer: SeriesAnswer;
  address(entry: EntryId, before?: EntryId): string; // of a profile, or a comparison
  onRange(since: number, until: number): void;
}): JSX.Element {
  let box!: HTMLDivElement;
  const [size, setSize] = createSignal({ width: 0, height: 280 });
  const [hover, setHover] = createSignal<number | null>(null); // indices of points
  const [pin, setPin] = createSignal<number | null>(null);
  const [drag, setDrag] = createSignal<[from: number, to: number] | null>(null); // pixels
  const points = () => props.answer.points;
  const axis = createMemo(() => axisOf(points().cost, size().height / 50));
  const frame = createMemo((): Frame => {
    const left = 10 + letter * axis().ticks.reduce((most, { text }) => Math.max(most, text.length), 0);
    const rest = { top: 8, height: size().height - 32, first: 0, last: props.answer.entries - 1 };
    return { left, width: Math.max(10, size().width - left - 10), low: axis().low, high: axis().high, ...rest };
  });
  const times = createMemo(() => {
    const { time } = points();
    const isShort = (time.at(-1) ?? 0) - (time[0] ?? 0) < 2 * 86_400;
    return time.map(one => (isShort ? minute(one).slice(5) : day(one)));
  });
  const ticks = createMemo(() => timeTicks(frame(), points().at, times(), 96));
  const shown = () => Math.min(hover() ?? pin() ?? points().at.length, points().at.length - 1);
  createEffect(
    on(
      () => props.answer,
      () => {
        setHover(null);
        setPin(null);
      },
    ),
  );
  watchSize(
    () => box,
    () => setSize({ width: box.clientWidth, height: box.clientHeight }),
  );

  const pixel = (event: PointerEvent) => event.clientX - box.getBoundingClientRect().left;
  const indexAt = (x: number) => {
    const { left, width, first, last } = frame();
    return nearest(points().at, first + ((x - left) / width) * (last - first));
  };
  function onMove(event: PointerEvent) {
    const x = pixel(event);
    (event.pointerType === 'mouse' ? setHover : setPin)(indexAt(x));
    const began = drag();
    if (began) setDrag([began[0], x]);
  }
  function onDown(event: PointerEvent) {
    setPin(indexAt(pixel(event)));
    if (event.pointerType !== 'mouse' || event.button !== 0) return;
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    setDrag([pixel(event), pixel(event)]);
  }
  function onUp() {
    const dragged = drag();
    setDrag(null);
    if (!dragged || Math.abs(dragged[0] - dragged[1]) < 10) return;
    const [from, to] = dragged.map(indexAt).sort((a, b) => a - b);
    if (from! < to!) props.onRange(points().time[from!]!, points().time[to!]! + 1);
  }
  function onKey(event: KeyboardEvent) {
    const { at } = points();
    const places = props.answer.changes.map(one => nearest(at, one.at)).reverse(); // ascending
    const now = shown();
    const next = {
      ArrowLeft: now - 1,
      ArrowDown: now - 1,
      ArrowRight: now + 1,
      ArrowUp: now + 1,
      Home: 0,
      End: at.length - 1,
      PageUp: places.findLast(place => place < now) ?? 0,
      PageDown: places.find(place => place > now) ?? at.length - 1,
    }[event.key];
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Enter') location.assign(props.address(points().entry[now]!));
    else if (next === undefined) return;
    else {
      setHover(null);
      setPin(Math.max(0, Math.min(at.length - 1, next)));
    }
    event.preventDefault();
  }

  const cost = () => points().cost[shown()]!;
  const before = () => points().cost[shown() - 1];
  const label = (index: number) => commitLabel({ commit: points().commit[index]!, time: points().time[index]! });
  const labels = () => [
    ...axis().ticks.map(({ at, text }) => ({ text, x: frame().left - 6, y: yOf(frame(), at) + 4, anchor: 'end' })),
    ...ticks().map(({ at, text }) => {
      const x = xOf(frame(), at);
      return { text, x, y: size().height - 6, anchor: x > size().width - 34 ? 'end' : x < 34 ? 'start' : 'middle' };
    }),
  ];
  const grid = () =>
    axis()
      .ticks.map(({ at }) => `M${frame().left} ${yOf(frame(), at)}h${frame().width}`)
      .join('');
  const range = () => drag() && `M${drag()![0]} ${frame().top}H${drag()![1]}v${frame().height}H${drag()![0]}z`;

  return (
    <div class="chart">
      <p class="chart-readout">
        <a href={props.address(points().entry[shown()]!)} title="Open the profile">
          {label(shown())}
        </a>
        <span class="number muted">{minute(points().time[shown()]!)}</span>
        <strong class="number">{costText(cost(), props.answer.event)}</strong>
        <ChangeText before={before()} after={cost()} />
        <Show when={shown() > 0}>
          <a href={props.address(points().entry[shown()]!, points().entry[shown() - 1]!)} title="Compare the two">
            since {label(shown() - 1)}
          </a>
        </Show>
      </p>
      <div class="chart-box" ref={box} onPointerMove={onMove} onPointerLeave={() => setHover(null)}>
        <div
          class="chart-slider"
          role="slider"
          tabindex="0"
          aria-label="Entries"
          aria-description="Left and right move, Page Up and Page Down go to changes, Enter opens the profile."
          aria-valuemin="0"
          aria-valuemax={points().at.length - 1}
          aria-valuenow={shown()}
          aria-valuetext={`${label(shown())}, ${costText(cost(), props.answer.event)} ${before() === undefined ? '' : change(before()!, cost()).ratio}`}
          onPointerDown={onDown}
          onPointerUp={onUp}
          onPointerCancel={() => setDrag(null)}
          onKeyDown={onKey}
        />
        <svg width={size().width} height={size().height} role="group" aria-label="Changes">
          <path class="chart-grid" d={grid()} />
          <For each={labels()}>
            {one => (
              <text x={one.x} y={one.y} text-anchor={one.anchor as 'end'}>
                {one.text}
              </text>
            )}
          </For>
          <path class="chart-range" d={range() ?? ''} />
          <path class="chart-line" d={pathOf(frame(), points())} />
          <path class="chart-line chart-dots" d={points().at.length > mostDots ? '' : dotsOf(frame(), points())} />
          <For each={props.answer.changes}>
            {one => (
              <Mark change={one} frame={frame()} address={props.address(one.entry.entry, one.entry_before.entry)} />
            )}
          </For>
          <path
            class="chart-line chart-cursor"
            d={(hover() ?? pin()) === null ? '' : dotsOf(frame(), points(), [points().at[shown()]!])}
          />
        </svg>
      </div>
      <Show when={axis().low !== 0}>
        <p class="muted chart-note">The cost axis begins at {axis().ticks[0]!.text}, not at 0.</p>
      </Show>
    </div>
  );
}

// A line where the cost changed, and a triangle that points where it went. The rows below have the same links.
function Mark(props: { change: SeriesChange; frame: Frame; address: string }): JSX.Element {
  const x = () => Math.round(xOf(props.frame, props.change.at));
  const y = () => Math.max(props.frame.top + 4, yOf(props.frame, props.change.after));
  const { before, after, entry } = props.change;
  const found = change(before, after);
  return (
    <g class={`chart-change ${found.direction}`}>
      <a href={props.address} tabindex="-1">
        <title>{`Compare ${commitLabel(entry)}: ${found.mark} ${found.ratio}`}</title>
        <path class="chart-change-line" d={`M${x()} ${props.frame.top}v${props.frame.height}`} />
        <path class="chart-change-mark" d={`M${x()} ${y()}m-6 ${found.delta > 0 ? '5h12l-6-10' : '-5h12l-6 10'}z`} />
        <path class="chart-change-hit" d={`M${x() - 12} ${y() - 12}h24v24h-24z`} />
      </a>
    </g>
  );
}
