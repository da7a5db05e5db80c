// Functions that became more expensive or cheaper, why, and on which lines.

import { createSignal, For, type JSX, Show } from 'solid-js';
import type { App } from '../../app/app';
import { CostText } from '../../components/cost_text';
import { changeHint } from '../../components/function_columns';
import { Icon } from '../../components/icon';
import { inclusiveChange, netOf, type Reason, reasons, selfChange } from '../../model/difference';
import { brief, counted, signed } from '../../model/format';
import { printable } from '../../model/visible';
import { type Cost, magnitude, share } from '../../protocol/cost';
import type { ChangedFunction, InlinedFunction } from '../../protocol/protocol';
import { Delta, FunctionLink, ReportTable, Section } from './report_table';
import { SideBySide } from './side_by_side';
import './side_by_side.css';

function Why(props: { reasons: Reason[] }): JSX.Element {
  return (
    <For each={props.reasons}>
      {(reason, at) => (
        <span class="difference-reason">
          {printable(reason.text, 300)}
          <Show when={reason.delta !== undefined}>
            {' '}
            <span class={reason.delta! > 0 ? 'more' : 'less'}>{signed(reason.delta!, brief)}</span>
          </Show>
          {at() < props.reasons.length - 1 ? ',' : ''}
        </span>
      )}
    </For>
  );
}

export function Changed(props: {
  app: App;
  title: string;
  rows: ChangedFunction[];
  matching: number; // also those that are not listed
  inlinings: ReadonlyMap<number, InlinedFunction>;
  most: Cost;
}): JSX.Element {
  return (
    <Section title={props.title} list={props}>
      <ReportTable
        class="difference-changed"
        numbers={['Δ self', 'Before', 'After', props.app.profile().has.calls && 'Δ inclusive']}
        what="Function and cause"
      >
        <For each={props.rows}>{row => <ChangedRow {...props} row={row} />}</For>
      </ReportTable>
    </Section>
  );
}

function ChangedRow(props: {
  app: App;
  row: ChangedFunction;
  inlinings: ReadonlyMap<number, InlinedFunction>;
  most: Cost;
}): JSX.Element {
  const { app } = props;
  const [open, setOpen] = createSignal(false);
  const func = () => props.row.function;
  // Of the first functions the answer has how many there are.
  const lines = () => props.row.lines?.filter(line => line.line > 0 || line.line_before > 0).length;
  const count = () => (lines() ?? 0) + (props.row.omitted_lines ?? 0);
  const width = () => share(magnitude(selfChange(props.row)), props.most) ?? 0;
  const direction = () => (selfChange(props.row) > 0 ? 'more' : 'less');
  const self = () => netOf(props.row);
  const hint = () => changeHint(app, self().before, self().after, 0);
  const inclusive = () => func().inclusive[0];
  return (
    <>
      <tr>
        <td class="difference-what">
          <FunctionLink app={app} row={func()} tags />
          <span class="difference-why">
            <Why reasons={reasons(props.row, props.inlinings)} />
            <Show when={props.row.net_before !== undefined}>
              <span>
                net of inlined code: <CostText app={app} cost={func().self_before?.[0] ?? 0} /> →{' '}
                <CostText app={app} cost={func().self[0] ?? 0} /> as measured
              </span>
            </Show>
            <Show when={app.profile().has.lines && lines() !== 0}>
              <button
                type="button"
                class="link difference-lines"
                aria-expanded={open()}
                onClick={() => setOpen(!open())}
              >
                {lines() === undefined ? 'Lines' : counted(count(), 'line')} <Icon name={open() ? 'up' : 'down'} />
              </button>
            </Show>
          </span>
        </td>
        <td class="number difference-delta" {...hint()}>
          <span class={`difference-bar ${direction()}-bar`} style={{ transform: `scaleX(${width()})` }} />
          <span class="difference-over">
            <Delta app={app} before={self().before} after={self().after} />
          </span>
        </td>
        <td class="number muted">
          <CostText app={app} cost={self().before} />
        </td>
        <td class="number">
          <CostText app={app} cost={self().after} />
        </td>
        <Show when={app.profile().has.calls}>
          <td class="number">
            <Show when={inclusive() !== null} fallback="–">
              <span class={inclusiveChange(func()) > 0 ? 'more' : inclusiveChange(func()) < 0 ? 'less' : 'muted'}>
                {signed(inclusiveChange(func()), app.measure.spelled)}
              </span>
            </Show>
          </td>
        </Show>
      </tr>
      <Show when={open()}>
        <tr class="difference-detail">
          <td colspan={app.profile().has.calls ? 5 : 4}>
            <SideBySide app={app} func={func()} />
          </td>
        </tr>
      </Show>
    </>
  );
}
