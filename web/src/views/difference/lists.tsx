// Inlined, renamed, new and removed functions; files and objects.

import { For, type JSX, Show } from 'solid-js';
import type { App } from '../../app/app';
import { CostText } from '../../components/cost_text';
import { countText } from '../../components/function_columns';
import { percentBrief } from '../../model/format';
import { printable } from '../../model/visible';
import type { Cost } from '../../protocol/cost';
import type { Costs, FunctionRow, InlinedFunction, NamedChange, RenamedFunction, Rows } from '../../protocol/protocol';
import { Delta, FunctionLink, ReportTable, Section } from './report_table';

export function Inlined(props: { app: App; list: Rows<InlinedFunction> }): JSX.Element {
  const { app } = props;
  return (
    <Section title="Inlined or outlined" note="Compared together with their callers." list={props.list}>
      <ul class="difference-list">
        <For each={props.list.rows}>
          {one => (
            <li>
              <FunctionLink app={app} row={one.function} />
              <span class="muted">{one.outlined ? 'was outlined from' : 'was inlined into'}</span>
              <For each={one.callers.slice(0, 4)}>{caller => <FunctionLink app={app} row={caller} />}</For>
              <Show when={one.callers.length > 4}>
                <span class="muted">and {one.callers.length - 4} more</span>
              </Show>
              <Show when={one.self !== null && one.self_before !== null}>
                <span class="difference-sum number">
                  <span class="muted">
                    together <CostText app={app} cost={one.self_before ?? 0} /> →
                  </span>{' '}
                  <CostText app={app} cost={one.self ?? 0} />{' '}
                  <Delta app={app} before={one.self_before ?? 0} after={one.self ?? 0} />
                </span>
              </Show>
              <Show when={!one.has_lines}>
                <span class="muted">inferred without line costs</span>
              </Show>
            </li>
          )}
        </For>
      </ul>
    </Section>
  );
}

export function Renamed(props: { app: App; list: Rows<RenamedFunction> }): JSX.Element {
  const { app } = props;
  const alike = (common: number, all: number, what: string) => (all === 0 ? '' : `${common} of ${all} ${what}`);
  return (
    <Section title="Probably renamed" note="Matched by cost, callers and callees." list={props.list}>
      <ul class="difference-list">
        <For each={props.list.rows}>
          {one => (
            <li>
              <span class="name muted">{printable(one.function.name_before ?? '', 300)}</span>
              <span class="muted">→</span>
              <FunctionLink app={app} row={one.function} />
              <span class="difference-sum">
                {percentBrief(one.likeness)} similar
                <span class="muted">
                  {[
                    alike(one.common_callees, one.all_callees, 'callees'),
                    alike(one.common_callers, one.all_callers, 'callers'),
                  ]
                    .filter(part => part)
                    .map(part => `, ${part}`)
                    .join('')}
                </span>
              </span>
            </li>
          )}
        </For>
      </ul>
    </Section>
  );
}

export function OneSided(props: {
  app: App;
  title: string;
  list: Rows<FunctionRow>;
  of(row: FunctionRow): [Costs, Costs, Cost | null];
}): JSX.Element {
  const { app } = props;
  const has = app.profile().has;
  return (
    <Section title={props.title} list={props.list}>
      <ReportTable numbers={['Self', has.calls && 'Inclusive', has.counts && 'Called']} what="Function">
        <For each={props.list.rows}>
          {row => {
            const [self, inclusive, called] = props.of(row);
            return (
              <tr>
                <td class="difference-what">
                  <FunctionLink app={app} row={row} />
                </td>
                <td class="number">
                  <CostText app={app} cost={self[0] ?? 0} />
                </td>
                <Show when={has.calls}>
                  <td class="number">{inclusive[0] == null ? '–' : <CostText app={app} cost={inclusive[0]} />}</td>
                </Show>
                <Show when={has.counts}>
                  <td class="number muted">{countText(called)}</td>
                </Show>
              </tr>
            );
          }}
        </For>
      </ReportTable>
    </Section>
  );
}

export function Places(props: { app: App; title: string; list: Rows<NamedChange> }): JSX.Element {
  const { app } = props;
  return (
    <Section title={props.title} list={props.list}>
      <ReportTable numbers={['Δ self', 'After']} what="Name">
        <For each={props.list.rows}>
          {row => (
            <tr>
              <td class="difference-what">
                <span class="name" title={printable(row.name, 600)}>
                  {printable(row.name || '(unknown)', 300)}
                </span>
              </td>
              <td class="number">
                <Delta app={app} before={row.self_before} after={row.self} />
              </td>
              <td class="number">
                <CostText app={app} cost={row.self} />
              </td>
            </tr>
          )}
        </For>
      </ReportTable>
    </Section>
  );
}
