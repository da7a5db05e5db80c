// What changed between the two profiles: a report to be read from the top.

import { createMemo, createSignal, For, type JSX, Show } from 'solid-js';
import type { App } from '../../app';
import { Icon } from '../../components/icon';
import { Problem } from '../../components/problem';
import type {
  ChangedFunction,
  Costs,
  DifferenceAnswer,
  FunctionRow,
  InlinedFunction,
  LineChange,
} from '../../engine/protocol';
import { type Cost, compare, larger, magnitude, share, subtract } from '../../model/cost';
import {
  dearer_and_cheaper,
  inclusive_change,
  inlinings_by_function,
  type Reason,
  reasons,
  report_text,
  self_change,
  verdict,
} from '../../model/difference';
import { brief, change, counted, exact, percent_brief, signed } from '../../model/format';
import { base_name } from '../../model/names';
import { printable } from '../../model/visible';
import { count_text, FunctionName } from '../functions/columns';
import { go_to_place } from '../source/places';
import './difference.css';

const steps = [20, 100, 1000, 5000];

export function DifferenceView(props: { app: App }): JSX.Element {
  const { app } = props;
  const [step, set_step] = createSignal(0);
  const limit = () => steps[step()] ?? 5000;
  const answer = app.use_answer(() => ({
    ...app.question({ ask: 'difference' as const, limit: limit() }),
    compare: true,
  }));
  return (
    <Show when={!answer.error()} fallback={<Problem error={answer.error()!} />}>
      <Show when={answer.value()} fallback={<p class="view-note">{answer.waiting() ? 'Comparing…' : ''}</p>}>
        {now => (
          <Report
            app={app}
            answer={now()}
            limit={limit()}
            on_more={step() < steps.length - 1 ? () => set_step(step() + 1) : undefined}
          />
        )}
      </Show>
    </Show>
  );
}

function Report(props: { app: App; answer: DifferenceAnswer; limit: number; on_more?: () => void }): JSX.Element {
  const { app } = props;
  const sorted = createMemo(() => dearer_and_cheaper(props.answer));
  const inlinings = createMemo(() => inlinings_by_function(props.answer));
  const most = createMemo(() =>
    props.answer.changed.reduce<Cost>((most, row) => larger(most, magnitude(self_change(row.function))), 0),
  );
  const more = () => {
    const { changed, matching, added, removed } = props.answer;
    return changed.length < matching || added.rows.length < added.matching || removed.rows.length < removed.matching;
  };
  // So that the numbers of all tables stand below each other.
  const digits = () => exact(larger(magnitude(props.answer.total), magnitude(props.answer.total_before))).length + 3;
  return (
    <div
      class="difference"
      tabindex="0"
      role="region"
      aria-label="What changed"
      style={{ '--digits': `${Math.max(10, Math.min(26, digits()))}ch` }}
    >
      <div class="difference-page">
        <Head app={app} answer={props.answer} />
        <Show when={props.answer.changed.length === 0}>
          <p class="difference-none">No function costs another amount of {printable(app.event(), 60)} than before.</p>
        </Show>
        <Changed app={app} title="Dearer" rows={sorted().dearer} inlinings={inlinings()} most={most()} />
        <Changed app={app} title="Cheaper" rows={sorted().cheaper} inlinings={inlinings()} most={most()} />
        <Show when={more() && props.on_more}>
          {on_more => (
            <p>
              <button type="button" class="button" onClick={() => on_more()()}>
                Show more
              </button>
              <span class="muted difference-rest">
                {counted(props.answer.matching, 'function')} changed in all, {exact(props.answer.changed.length)} are
                listed
              </span>
            </p>
          )}
        </Show>
        <Inlined app={app} rows={props.answer.inlined} />
        <Renamed app={app} answer={props.answer} />
        <OneSided
          app={app}
          title="New functions"
          list={props.answer.added}
          of={row => [row.self, row.inclusive, row.called]}
        />
        <OneSided
          app={app}
          title="Functions that are gone"
          list={props.answer.removed}
          of={row => [row.self_before ?? [], row.inclusive_before ?? [], row.called_before ?? null]}
        />
        <div class="difference-two">
          <Places app={app} title="Source files" rows={props.answer.files} />
          <Places app={app} title="Objects" rows={props.answer.objects} />
        </div>
      </div>
    </div>
  );
}

function Delta(props: { before: Cost; after: Cost; ratio?: boolean }): JSX.Element {
  const delta = () => change(props.before, props.after);
  return (
    <span class={delta().direction === 'same' ? 'muted' : delta().direction}>
      {delta().mark} {delta().text}
      <Show when={props.ratio && delta().ratio}>
        <span class="difference-ratio"> {delta().ratio}</span>
      </Show>
    </span>
  );
}

function Head(props: { app: App; answer: DifferenceAnswer }): JSX.Element {
  const { app } = props;
  const said = () => verdict(props.answer.total_before, props.answer.total);
  const event_name = () => {
    const type = app.profile().events.find(one => one.name === app.event());
    return printable(type?.long_name ? `${type.long_name} (${type.name})` : app.event(), 100);
  };
  const comparable = () => props.answer.comparable;
  const files = (of: { files: { name: string }[] } | undefined) =>
    printable(of?.files.map(file => base_name(file.name)).join(', ') || 'profile', 200);
  const copy = () =>
    void app.copy(
      report_text(props.answer, app.event(), row => row.name + (row.context ?? '')),
      'the report',
    );
  return (
    <header class="difference-head">
      <div class="difference-verdict">
        <h2>
          <Show when={said().direction !== 'same'}>
            <span class={`difference-mark ${said().direction}`} aria-hidden="true">
              {said().direction === 'more' ? '▲' : '▼'}
            </span>{' '}
          </Show>
          {said().text} {said().direction === 'same' ? 'in ' : ''}
          {event_name()}
        </h2>
        <button type="button" class="button quiet" title="Copy this report as text" onClick={copy}>
          <Icon name="copy" /> Copy
        </button>
      </div>
      <p class="difference-numbers">
        <span class="muted">{files(app.profile().before)}</span> {exact(props.answer.total_before)}{' '}
        <span class="muted">→ {files(app.profile())}</span> {exact(props.answer.total)}{' '}
        <Show when={said().direction !== 'same'}>
          <Delta before={props.answer.total_before} after={props.answer.total} />
        </Show>
      </p>
      <Show when={comparable()}>
        {commands => (
          <div class="difference-warning" role="note">
            <Icon name="warning" />
            <div>
              Two different commands were measured. What differs may be what they were asked to do, not how the program
              does it.
              <dl>
                <dt>Before</dt>
                <dd>
                  <code>{printable(commands().command_before, 600)}</code>
                </dd>
                <dt>After</dt>
                <dd>
                  <code>{printable(commands().command, 600)}</code>
                </dd>
              </dl>
            </div>
          </div>
        )}
      </Show>
      <Show when={!app.comparing()}>
        <p class="difference-off">
          The other views show the profile after alone.{' '}
          <button type="button" class="button" onClick={() => app.update({ compare: true })}>
            Compare in all views
          </button>
        </p>
      </Show>
      <Events app={app} />
    </header>
  );
}

// All event types at once, if there are several.
function Events(props: { app: App }): JSX.Element {
  const { app } = props;
  const before = () => app.profile().before?.events ?? [];
  const names = createMemo(() => {
    const known = new Set(before().map(type => type.name));
    return app.profile().events.filter(type => known.has(type.name) && !type.formula);
  });
  const totals = app.use_answer(() =>
    names().length > 1
      ? {
          ...app.question({ ask: 'functions' as const, limit: 1, columns: names().map(type => type.name) }),
          compare: true,
        }
      : null,
  );
  return (
    <Show when={names().length > 1 && totals.value()}>
      {answer => (
        <table class="difference-table difference-events">
          <caption class="offscreen">All event types</caption>
          <thead>
            <tr>
              <th scope="col">Event type</th>
              <th scope="col" class="number">
                Before
              </th>
              <th scope="col" class="number">
                After
              </th>
              <th scope="col" class="number">
                Change
              </th>
            </tr>
          </thead>
          <tbody>
            <For each={answer().columns}>
              {(name, column) => {
                const old = () => answer().total_before?.[column()] ?? 0;
                const now = () => answer().total[column()] ?? 0;
                const long = () => names().find(type => type.name === name)?.long_name;
                return (
                  <tr>
                    <th scope="row">
                      <button
                        type="button"
                        class="link"
                        aria-current={name === app.event() ? 'true' : undefined}
                        title="Measure by it"
                        onClick={() => app.update({ event: name === app.profile().event ? null : name })}
                      >
                        {printable(name, 60)}
                      </button>{' '}
                      <span class="muted">{printable(long() ?? '', 60)}</span>
                    </th>
                    <td class="number">{exact(old())}</td>
                    <td class="number">{exact(now())}</td>
                    <td class="number">
                      <Delta before={old()} after={now()} ratio />
                    </td>
                  </tr>
                );
              }}
            </For>
          </tbody>
        </table>
      )}
    </Show>
  );
}

function FunctionLink(props: { app: App; row: FunctionRow; tags?: boolean }): JSX.Element {
  const { app } = props;
  const plain = () => (props.tags ? props.row : { ...props.row, match: undefined });
  return (
    <span class="difference-function">
      <FunctionName
        app={app}
        func={plain()}
        on_go={() => app.activate(props.row, app.profile().has.calls ? 'callers' : 'source')}
      />
    </span>
  );
}

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

function Changed(props: {
  app: App;
  title: string;
  rows: ChangedFunction[];
  inlinings: ReadonlyMap<number, InlinedFunction>;
  most: Cost;
}): JSX.Element {
  const { app } = props;
  return (
    <Show when={props.rows.length > 0}>
      <section>
        <h3>
          {props.title} <span class="muted">{exact(props.rows.length)}</span>
        </h3>
        <table class="difference-table difference-changed">
          <thead>
            <tr>
              <th scope="col" class="number">
                Δ self
              </th>
              <th scope="col" class="number">
                Before
              </th>
              <th scope="col" class="number">
                After
              </th>
              <Show when={app.profile().has.calls}>
                <th scope="col" class="number">
                  Δ inclusive
                </th>
              </Show>
              <th scope="col">Function, and why</th>
            </tr>
          </thead>
          <tbody>
            <For each={props.rows}>{row => <ChangedRow {...props} row={row} />}</For>
          </tbody>
        </table>
      </section>
    </Show>
  );
}

function ChangedRow(props: {
  app: App;
  row: ChangedFunction;
  inlinings: ReadonlyMap<number, InlinedFunction>;
  most: Cost;
}): JSX.Element {
  const { app } = props;
  const [open, set_open] = createSignal(false);
  const func = () => props.row.function;
  const lines = () => (props.row.lines ?? []).filter(line => line.line > 0 || line.line_before > 0);
  const width = () => share(magnitude(self_change(func())), props.most) ?? 0;
  const direction = () => (self_change(func()) > 0 ? 'more' : 'less');
  const inclusive = () => func().inclusive[0];
  return (
    <>
      <tr>
        <td class="number difference-delta">
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
              <span class={inclusive_change(func()) > 0 ? 'more' : inclusive_change(func()) < 0 ? 'less' : 'muted'}>
                {signed(inclusive_change(func()))}
              </span>
            </Show>
          </td>
        </Show>
        <td class="difference-what">
          <FunctionLink app={app} row={func()} tags />
          <span class="difference-why">
            <Why reasons={reasons(props.row, props.inlinings)} />
            <Show when={lines().length > 0}>
              <button
                type="button"
                class="link difference-lines"
                aria-expanded={open()}
                onClick={() => set_open(!open())}
              >
                {counted(lines().length, 'line')} <Icon name={open() ? 'up' : 'down'} />
              </button>
            </Show>
          </span>
        </td>
      </tr>
      <Show when={open()}>
        <tr class="difference-detail">
          <td colspan={app.profile().has.calls ? 5 : 4}>
            <Lines app={app} func={func()} lines={lines()} />
          </td>
        </tr>
      </Show>
    </>
  );
}

function line_place(line: LineChange, own_file: string): string {
  const { line: now, line_before: before } = line;
  const file = line.file === own_file ? '' : `${base_name(line.file)}:`;
  if (now === 0) return `${file}line ${before}, gone`;
  if (before === 0) return `${file}line ${now}, new`;
  return before === now ? `${file}line ${now}` : `${file}line ${now}, was ${before}`;
}

function Lines(props: { app: App; func: FunctionRow; lines: LineChange[] }): JSX.Element {
  const { app } = props;
  return (
    <table class="difference-table difference-inner">
      <caption class="offscreen">Lines that changed</caption>
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
                  fallback={<span class="muted">{printable(line_place(line, props.func.file), 160)}</span>}
                >
                  <button
                    type="button"
                    class="link"
                    title={printable(`${line.file}:${line.line}`, 600)}
                    onClick={() =>
                      go_to_place(
                        app,
                        props.func,
                        { ...(line.file !== props.func.file && { file: line.file }), line: line.line },
                        'function',
                      )
                    }
                  >
                    {printable(line_place(line, props.func.file), 160)}
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

function Inlined(props: { app: App; rows: InlinedFunction[] }): JSX.Element {
  const { app } = props;
  return (
    <Show when={props.rows.length > 0}>
      <section>
        <h3>Inlined, or no longer</h3>
        <p class="difference-words">Together with those that call them, so that nothing is counted as lost or won.</p>
        <ul class="difference-list">
          <For each={props.rows}>
            {one => (
              <li>
                <FunctionLink app={app} row={one.function} />
                <span class="muted">{one.outlined ? 'was taken out of' : 'was inlined into'}</span>
                <For each={one.callers.slice(0, 4)}>{caller => <FunctionLink app={app} row={caller} />}</For>
                <Show when={one.callers.length > 4}>
                  <span class="muted">and {one.callers.length - 4} more</span>
                </Show>
                <span class="difference-sum number">
                  <span class="muted">together {exact(one.self_before)} →</span> {exact(one.self)}{' '}
                  <Delta before={one.self_before} after={one.self} />
                </span>
                <Show when={!one.has_lines}>
                  <span class="muted">guessed without lines</span>
                </Show>
              </li>
            )}
          </For>
        </ul>
      </section>
    </Show>
  );
}

function Renamed(props: { app: App; answer: DifferenceAnswer }): JSX.Element {
  const { app } = props;
  const alike = (common: number, all: number, what: string) => (all === 0 ? '' : `${common} of ${all} ${what}`);
  return (
    <Show when={props.answer.renamed.length > 0}>
      <section>
        <h3>Probably renamed</h3>
        <p class="difference-words">Taken for the same because they cost, call and are called alike.</p>
        <ul class="difference-list">
          <For each={props.answer.renamed}>
            {one => (
              <li>
                <span class="name muted">{printable(one.function.name_before ?? '', 300)}</span>
                <span class="muted">→</span>
                <FunctionLink app={app} row={one.function} />
                <span class="difference-sum">
                  {percent_brief(one.likeness)} alike
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
      </section>
    </Show>
  );
}

function OneSided(props: {
  app: App;
  title: string;
  list: { matching: number; rows: FunctionRow[] };
  of(row: FunctionRow): [Costs, Costs, Cost | null];
}): JSX.Element {
  const { app } = props;
  const has = app.profile().has;
  return (
    <Show when={props.list.rows.length > 0}>
      <section>
        <h3>
          {props.title} <span class="muted">{exact(props.list.matching)}</span>
        </h3>
        <table class="difference-table">
          <thead>
            <tr>
              <th scope="col" class="number">
                Self
              </th>
              <Show when={has.calls}>
                <th scope="col" class="number">
                  Inclusive
                </th>
              </Show>
              <Show when={has.counts}>
                <th scope="col" class="number">
                  Called
                </th>
              </Show>
              <th scope="col">Function</th>
            </tr>
          </thead>
          <tbody>
            <For each={props.list.rows}>
              {row => {
                const [self, inclusive, called] = props.of(row);
                return (
                  <tr>
                    <td class="number">{exact(self[0] ?? 0)}</td>
                    <Show when={has.calls}>
                      <td class="number">{inclusive[0] == null ? '–' : exact(inclusive[0])}</td>
                    </Show>
                    <Show when={has.counts}>
                      <td class="number muted">{count_text(called)}</td>
                    </Show>
                    <td class="difference-what">
                      <FunctionLink app={app} row={row} />
                    </td>
                  </tr>
                );
              }}
            </For>
          </tbody>
        </table>
      </section>
    </Show>
  );
}

function Places(props: { app: App; title: string; rows: DifferenceAnswer['files'] }): JSX.Element {
  const changed = createMemo(() =>
    props.rows
      .filter(row => row.self !== row.self_before)
      .sort((a, b) => compare(magnitude(subtract(b.self, b.self_before)), magnitude(subtract(a.self, a.self_before))))
      .slice(0, 20),
  );
  return (
    <Show when={changed().length > 0}>
      <section>
        <h3>{props.title}</h3>
        <table class="difference-table">
          <thead>
            <tr>
              <th scope="col" class="number">
                Δ self
              </th>
              <th scope="col" class="number">
                After
              </th>
              <th scope="col">Name</th>
            </tr>
          </thead>
          <tbody>
            <For each={changed()}>
              {row => (
                <tr>
                  <td class="number">
                    <Delta before={row.self_before} after={row.self} />
                  </td>
                  <td class="number">{exact(row.self)}</td>
                  <td class="difference-what">
                    <span class="name" title={printable(row.name, 600)}>
                      {printable(row.name || '(unknown)', 300)}
                    </span>
                  </td>
                </tr>
              )}
            </For>
          </tbody>
        </table>
      </section>
    </Show>
  );
}
