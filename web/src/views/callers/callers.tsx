// What is said of a function with its callers and callees.

import { createEffect, createMemo, createSignal, For, type JSX, on, Show } from 'solid-js';
import type { App } from '../../app/app';
import type { Measure } from '../../app/measure';
import { CostText } from '../../components/cost_text';
import { calledText, entriesHint, FunctionName, pathsOf } from '../../components/function_columns';
import { change, counted, exact, percent } from '../../model/format';
import { printable } from '../../model/visible';
import { type Cost, share } from '../../protocol/cost';
import type { CallList, Common, FunctionAnswer, FunctionRow } from '../../protocol/protocol';
import { CallTable } from './call_table';
import './callers.css';

// The answer about the selected function; with call sites as soon as some are unfolded.
export function useFunction(app: App, limit: number, filters: Partial<Common> = {}) {
  const [opened, setOpened] = createSignal<ReadonlySet<number>>(new Set<number>());
  const [nameWidth, setNameWidth] = createSignal(40);
  const id = createMemo(() => app.selection.selected()?.id);
  createEffect(on(id, () => setOpened(new Set<number>()), { defer: true }));
  const answer = app.answers.follow(() => {
    const wanted = id();
    if (wanted === undefined) return null;
    return app.answers.question({
      ask: 'function' as const,
      id: wanted,
      limit,
      ...filters,
      ...(app.state.shorten && { name_width: nameWidth() }),
      ...(opened().size > 0 && { sites: true }),
    });
  });
  return { answer, opened, setOpened, onNameRoom: (characters: number) => setNameWidth(characters - 2) };
}

function Change(props: { before: Cost | null | undefined; after: Cost | null }): JSX.Element {
  const delta = () => change(props.before ?? 0, props.after ?? 0);
  return (
    <span class={`figure-change ${delta().direction === 'same' ? 'muted' : delta().direction}`}>
      {' '}
      {delta().mark} {delta().ratio || 'same'}
    </span>
  );
}

function Figure(props: {
  measure: Measure;
  name: string;
  cost: Cost | null;
  before?: Cost | null;
  column: number;
  bounds?: Cost[] | null; // of an estimate, because of filters
}): JSX.Element {
  const { measure } = props;
  const part = () => (props.cost === null ? null : share(props.cost, measure.base(props.column)));
  const spelled = (cost: Cost) => measure.spelled(cost, props.column);
  const hint = () => {
    if (props.bounds) return `between ${spelled(props.bounds[0]!)} and ${spelled(props.bounds[1]!)}`;
    return props.cost === null || spelled(props.cost) === exact(props.cost) ? undefined : exact(props.cost);
  };
  return (
    <div class="figure">
      <dt>{props.name}</dt>
      <dd>
        <span title={hint()}>{props.cost === null ? '–' : `${props.bounds ? '~' : ''}${spelled(props.cost)}`}</span>
        <Show when={part() !== null}>
          <span class="muted figure-share"> {percent(part())}</span>
        </Show>
        <Show when={measure.comparing() && props.cost !== null && props.before != null}>
          <Change before={props.before} after={props.cost} />
        </Show>
      </dd>
    </div>
  );
}

export function FunctionBand(props: { app: App; func: FunctionRow; children?: JSX.Element }): JSX.Element {
  const { app } = props;
  return (
    <div class="band">
      <div class="band-name">
        <FunctionName app={app} func={props.func} />
        <span class="name muted band-place">{pathsOf(props.func)}</span>
      </div>
      <dl class="band-figures">
        <For each={app.measure.columns()}>
          {(name, column) => {
            const suffix = () => (column() === 0 ? '' : ` ${printable(name, 24)}`);
            return (
              <>
                <Figure
                  measure={app.measure}
                  name={`Self${suffix()}`}
                  cost={props.func.self[column()] ?? null}
                  before={props.func.self_before?.[column()]}
                  column={column()}
                  bounds={props.func.self_bounds?.[column()]}
                />
                <Figure
                  measure={app.measure}
                  name={`Inclusive${suffix()}`}
                  cost={props.func.inclusive[column()] ?? null}
                  before={props.func.inclusive_before?.[column()]}
                  column={column()}
                  bounds={props.func.inclusive_bounds?.[column()]}
                />
              </>
            );
          }}
        </For>
        <Show when={app.profile().has.counts}>
          <div class="figure">
            <dt>Called</dt>
            <dd>
              <span title={props.func.called === null && props.func.entries !== undefined ? entriesHint : undefined}>
                {calledText(props.func)}
              </span>
              <Show when={app.measure.comparing() && props.func.called_before != null && props.func.called !== null}>
                <Change before={props.func.called_before} after={props.func.called} />
              </Show>
            </dd>
          </div>
        </Show>
        <Show when={props.func.per_call !== null && props.func.per_call}>
          {cost => (
            <div class="figure">
              <dt>Per call</dt>
              <dd>
                <CostText app={app} cost={cost()} />
              </dd>
            </div>
          )}
        </Show>
      </dl>
      {props.children}
    </div>
  );
}

export function CallSection(props: {
  app: App;
  which: 'callers' | 'callees';
  answer: FunctionAnswer;
  opened: ReadonlySet<number>;
  setOpened(ids: Set<number>): void;
  compact?: boolean;
  onNameRoom(characters: number): void;
}): JSX.Element {
  const list = (): CallList => props.answer[props.which];
  const count = () => list().rows.length + list().omitted_rows;
  const title = () =>
    props.which === 'callers'
      ? count() === 0
        ? 'No callers: a root, or called before the measurement'
        : counted(count(), 'caller')
      : count() === 0
        ? 'No callees'
        : counted(count(), 'callee');
  const sites = () =>
    list().rows.reduce(
      (all, row) => all + (props.opened.has(row.id) ? (row.sites?.length ?? 0) + (row.omitted_sites ? 1 : 0) : 0),
      0,
    );
  const shown = () => list().rows.length + (list().omitted_rows > 0 ? 1 : 0) + sites() + 1;
  return (
    <section
      class={`calls ${props.which}`}
      aria-label={props.which === 'callers' ? 'Callers' : 'Callees'}
      style={props.which === 'callers' ? { 'flex-basis': `calc(${shown()} * var(--row) + 2px)` } : {}}
    >
      <Show when={count() > 0} fallback={<p class="calls-title">{title()}</p>}>
        <CallTable
          app={props.app}
          label={props.which === 'callers' ? 'Callers' : 'Callees'}
          title={title()}
          list={list()}
          beside={props.which === 'callers' ? props.answer.callees : props.answer.callers}
          parent={props.answer.function}
          withSelf={props.which === 'callees'}
          beyond={
            props.which === 'callees'
              ? {
                  unrecorded: {
                    cost: props.answer.unrecorded_callees,
                    before: props.answer.unrecorded_callees_before,
                  },
                  unattributed: { cost: props.answer.unattributed, before: props.answer.unattributed_before },
                }
              : undefined
          }
          opened={props.opened}
          setOpened={props.setOpened}
          compact={props.compact}
          onNameRoom={props.onNameRoom}
        />
      </Show>
    </section>
  );
}
