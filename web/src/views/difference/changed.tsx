// Functions that became more expensive or cheaper, why, and on which lines.

import { createSignal, For, type JSX, Show } from 'solid-js';
import type { App } from '../../app/app';
import { changeHint } from '../../components/function_columns';
import { Icon } from '../../components/icon';
import { inclusiveChange, type Reason, reasons, selfChange } from '../../model/difference';
import { brief, counted, exact, signed } from '../../model/format';
import { baseName } from '../../model/names';
import { printable } from '../../model/visible';
import { type Cost, magnitude, share } from '../../protocol/cost';
import type { ChangedFunction, FunctionRow, InlinedFunction, LineChange } from '../../protocol/protocol';
import { goToPlace } from '../source/places';
import { Delta, FunctionLink, ReportTable, Section } from './report_table';

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
  const lines = () => (props.row.lines ?? []).filter(line => line.line > 0 || line.line_before > 0);
  const width = () => share(magnitude(selfChange(func())), props.most) ?? 0;
  const direction = () => (selfChange(func()) > 0 ? 'more' : 'less');
  const hint = () => changeHint(app, func().self_before?.[0] ?? 0, func().self[0] ?? 0, 0);
  const inclusive = () => func().inclusive[0];
  return (
    <>
      <tr>
        <td class="difference-what">
          <FunctionLink app={app} row={func()} tags />
          <span class="difference-why">
            <Why reasons={reasons(props.row, props.inlinings)} />
            <Show when={lines().length > 0}>
              <button
                type="button"
                class="link difference-lines"
                aria-expanded={open()}
                onClick={() => setOpen(!open())}
              >
                {counted(lines().length, 'line')} <Icon name={open() ? 'up' : 'down'} />
              </button>
            </Show>
          </span>
        </td>
        <td class="number difference-delta" {...hint()}>
          <span class={`difference-bar ${direction()}-bar`} style={{ transform: `scaleX(${width()})` }} />
          <span class="difference-over">
            <Delta before={func().self_before?.[0] ?? 0} after={func().self[0] ?? 0} />
          </span>
        </td>
        <td class="number muted">{exact(func().self_before?.[0] ?? 0)}</td>
        <td class="number">{exact(func().self[0] ?? 0)}</td>
        <Show when={app.profile().has.calls}>
          <td class="number">
            <Show when={inclusive() !== null} fallback="–">
              <span class={inclusiveChange(func()) > 0 ? 'more' : inclusiveChange(func()) < 0 ? 'less' : 'muted'}>
                {signed(inclusiveChange(func()))}
              </span>
            </Show>
          </td>
        </Show>
      </tr>
      <Show when={open()}>
        <tr class="difference-detail">
          <td colspan={app.profile().has.calls ? 5 : 4}>
            <Lines app={app} func={func()} lines={lines()} />
            <Show when={props.row.omitted_lines}>
              {count => <p class="muted">{counted(count(), 'more line')} with smaller changes</p>}
            </Show>
          </td>
        </tr>
      </Show>
    </>
  );
}

function linePlace(line: LineChange, ownFile: string): string {
  const { line: now, line_before: before } = line;
  const file = line.file === ownFile ? '' : `${baseName(line.file)}:`;
  if (now === 0) return `${file}line ${before}, removed`;
  if (before === 0) return `${file}line ${now}, new`;
  return before === now ? `${file}line ${now}` : `${file}line ${now}, was ${before}`;
}

function Lines(props: { app: App; func: FunctionRow; lines: LineChange[] }): JSX.Element {
  const { app } = props;
  return (
    <table class="difference-table difference-inner">
      <caption class="offscreen">Changed lines</caption>
      <tbody>
        <For each={props.lines}>
          {line => (
            <tr>
              <td class="number">
                <Delta before={line.self_before} after={line.self} />
              </td>
              <td class="number muted">{exact(line.self_before)}</td>
              <td class="number">{exact(line.self)}</td>
              <td>
                <Show
                  when={line.line > 0 && props.func.id >= 0}
                  fallback={<span class="muted">{printable(linePlace(line, props.func.file), 160)}</span>}
                >
                  <button
                    type="button"
                    class="link"
                    title={printable(`${line.file}:${line.line}`, 600)}
                    onClick={() =>
                      goToPlace(
                        app,
                        props.func,
                        { ...(line.file !== props.func.file && { file: line.file }), line: line.line },
                        'function',
                      )
                    }
                  >
                    {printable(linePlace(line, props.func.file), 160)}
                  </button>
                </Show>
              </td>
            </tr>
          )}
        </For>
      </tbody>
    </table>
  );
}
