// The legend and choice of colors.

import { createMemo, For, type JSX, Show } from 'solid-js';
import type { App } from '../../app/app';
import { PopoverButton } from '../../components/popover';
import { Segmented } from '../../components/segmented';
import { hueOf } from '../../model/color';
import { percentBrief } from '../../model/format';
import { baseName } from '../../model/names';
import { type ColorBy, colorWays, groupOf, shadesOf, type Tones } from '../../model/picture_style';
import { printable } from '../../model/visible';
import type { Func } from '../../protocol/protocol';
import { setOptions } from './options';

const unknownText: Record<ColorBy, string> = {
  object: 'unknown object',
  file: 'unknown file',
  namespace: 'no namespace',
  function: '',
  cost: '',
};

export interface Coloring {
  app: App;
  by: ColorBy;
  functions: readonly Func[];
  selves: Float64Array; // self cost of each in the picture
  strong?: boolean; // boxes that touch each other
}

export function ColorButton(props: Coloring): JSX.Element {
  const { app } = props;
  const colors = () => {
    const palette = app.palette();
    return props.strong ? { ...palette, hues: palette.boxes } : palette;
  };
  const label = () =>
    app.measure.comparing() ? 'Change' : (colorWays.find(way => way.value === props.by)?.label ?? '');
  return (
    <PopoverButton label="Colors" title={`Colors: ${label()}`} text={`Colors: ${label()}`}>
      {() => (
        <div class="picture-legend">
          <Show when={!app.measure.comparing()} fallback={<ChangeLegend colors={colors()} />}>
            <Segmented
              label="Colors by"
              choices={colorWays.map(({ value, label }) => ({ value, label }))}
              value={props.by}
              onChange={by => setOptions(app, { 'pictures.color': by })}
            />
            <Show when={props.by !== 'cost'} fallback={<HeatLegend colors={colors()} />}>
              <GroupLegend {...props} colors={colors()} />
            </Show>
          </Show>
        </div>
      )}
    </PopoverButton>
  );
}

const mostGroups = 14;

function GroupLegend(props: Coloring & { colors: Tones }): JSX.Element {
  const groups = createMemo(() => {
    const sums = new Map<string, number>();
    props.functions.forEach((func, index) => {
      const group = groupOf(func, props.by);
      sums.set(group, (sums.get(group) ?? 0) + props.selves[index]!);
    });
    return [...sums].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
  });
  const whole = () => props.selves.reduce((sum, self) => sum + self, 0);
  const part = (sum: number) => percentBrief(whole() > 0 ? sum / whole() : 0);
  return (
    <>
      <ul>
        <For each={groups().slice(0, mostGroups)}>
          {([group, sum]) => (
            <li>
              <span class="picture-key" style={{ background: props.colors.hues[hueOf(group)] }} />
              <span class="name" title={printable(group, 300)}>
                {group === ''
                  ? unknownText[props.by]
                  : printable(props.by === 'function' ? group : baseName(group), 80)}
              </span>
              <span class="number muted">{part(sum)}</span>
            </li>
          )}
        </For>
      </ul>
      <Show when={groups().length > mostGroups}>
        <p class="muted">and {groups().length - mostGroups} more</p>
      </Show>
      <p class="muted">Shares of the self cost in this picture. Some groups share a color.</p>
    </>
  );
}

function HeatLegend(props: { colors: Tones }): JSX.Element {
  const heat = () => shadesOf(props.colors).heat;
  return (
    <div class="picture-ramp">
      <span class="muted">little self cost</span>
      <For each={heat()}>{color => <span class="picture-key" style={{ background: color }} />}</For>
      <span class="muted">much</span>
    </div>
  );
}

export function ChangeLegend(props: { colors: Tones }): JSX.Element {
  const shades = () => shadesOf(props.colors);
  const last = (colors: readonly string[]) => colors[colors.length - 2] ?? '';
  return (
    <ul>
      <li>
        <span class="picture-key edge-more" style={{ background: last(shades().more) }} />
        <span>▲ more expensive, or new</span>
      </li>
      <li>
        <span class="picture-key edge-less" style={{ background: last(shades().less) }} />
        <span>▼ cheaper</span>
      </li>
      <li>
        <span class="picture-key removed" />
        <span>▼ removed</span>
      </li>
      <li>
        <span class="picture-key" style={{ background: shades().neutral }} />
        <span>unchanged; “?”: unknown on one side</span>
      </li>
    </ul>
  );
}
