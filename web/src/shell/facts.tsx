// Facts about the profile, and its diagnostics.

import { For, type JSX, Show } from 'solid-js';
import type { App } from '../app/app';
import { Dialog } from '../components/dialog';
import { bytes, counted, exact } from '../model/format';
import { entryFacts } from '../model/history_state';
import { baseName } from '../model/names';
import { printable } from '../model/visible';
import { isZero } from '../protocol/cost';
import type { Diagnostic, Entry, Facts, ProfileAnswer, Severity } from '../protocol/protocol';
import './facts.css';

function FactList(props: { facts: Facts; entry: Entry | undefined }): JSX.Element {
  const rows = (): [string, JSX.Element][] => {
    const { facts, entry } = props;
    const { counts } = facts;
    const whole: [string, JSX.Element][] = [
      ['Entry', entry ? entryFacts(entry) : null],
      ['Command', facts.command ? printable(facts.command, 2000) : null],
      ['Creator', facts.creator ? printable(facts.creator, 300) : null],
      ['Process', facts.pid ? printable(facts.pid, 40) : null],
      [
        'Files',
        <For each={facts.files}>
          {file => (
            <div>
              {printable(file.name, 500)}{' '}
              <span class="muted">
                {bytes(file.bytes)}, {counted(file.lines, 'line')}
              </span>
            </div>
          )}
        </For>,
      ],
      [
        'Contains',
        [
          counted(counts.functions, 'function'),
          counted(counts.files, 'source file'),
          counted(counts.objects, 'object'),
          counted(counts.arcs, 'caller and callee', 'callers and callees'),
          ...(counts.cycles > 0 ? [counted(counts.cycles, 'cycle')] : []),
          ...(counts.parts > 1 ? [counted(counts.parts, 'part')] : []),
        ].join(', '),
      ],
    ];
    return whole.filter(([, value]) => value !== null);
  };
  return (
    <>
      <dl class="facts">
        <For each={rows()}>
          {([name, value]) => (
            <>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </>
          )}
        </For>
      </dl>
      <table class="facts-events">
        <thead>
          <tr>
            <th scope="col">Event type</th>
            <th scope="col">Total</th>
            <th scope="col">Meaning</th>
          </tr>
        </thead>
        <tbody>
          <For each={props.facts.events}>
            {event => (
              <tr>
                <th scope="row">{printable(event.name, 60)}</th>
                <td
                  class="number"
                  classList={{ muted: event.total === null || isZero(event.total) }}
                  title={event.total === null ? 'Not additive' : undefined}
                >
                  {event.total === null ? '–' : exact(event.total)}
                </td>
                <td class="muted">
                  {printable(
                    [event.long_name, event.formula && `= ${event.formula}`].filter(part => part).join(' '),
                    160,
                  )}
                </td>
              </tr>
            )}
          </For>
        </tbody>
      </table>
    </>
  );
}

// Whether inlined code is functions of its own, and why not.
export function inlinedFact({ has, inlined_problem: problem }: ProfileAnswer): string {
  const reason = problem ? `${problem.message}${problem.hint && ` (${problem.hint})`}` : '';
  if (has.inlined) return `Inlined code is shown as functions${reason && `, as far as it is known: ${reason}`}.`;
  return reason && `Inlined code is not shown as functions: ${reason}.`;
}

export function FactsDialog(props: { profile: App['profile']; onClose(): void }): JSX.Element {
  return (
    <Dialog title="About this profile" onClose={props.onClose}>
      <div class="dialog-body" tabindex="0">
        <FactList facts={props.profile()} entry={props.profile().entry} />
        <Show when={inlinedFact(props.profile())}>{text => <p>{printable(text(), 1000)}</p>}</Show>
        <Show when={props.profile().before}>
          {before => (
            <>
              <h3>Compared with</h3>
              <Show
                when={before().problem}
                fallback={<FactList facts={before()} entry={props.profile().entry_before} />}
              >
                {problem => <p>{printable(problem())}</p>}
              </Show>
            </>
          )}
        </Show>
      </div>
    </Dialog>
  );
}

const marks: Record<Severity, string> = { error: '✕', warning: '!', note: 'i' };

function DiagnosticRow(props: { row: Diagnostic }): JSX.Element {
  const place = () =>
    [
      props.row.file && baseName(props.row.file),
      props.row.line !== undefined && exact(props.row.line),
      props.row.column !== undefined && exact(props.row.column),
    ]
      .filter(part => part)
      .join(':');
  return (
    <li class={`diagnostic ${props.row.severity}`}>
      <span class="diagnostic-mark" role="img" aria-label={props.row.severity}>
        {marks[props.row.severity]}
      </span>
      <div>
        <p>
          <span class="mono diagnostic-place">{printable(place(), 200)}</span> {printable(props.row.message, 2000)}{' '}
          <span class="muted mono">[{props.row.id}]</span>
          <Show when={props.row.count > 1}>
            <span class="muted"> and {exact(props.row.count - 1)} more of this kind</span>
          </Show>
        </p>
        <Show when={props.row.excerpt}>
          {excerpt => <pre class="diagnostic-excerpt">{printable(excerpt(), 300)}</pre>}
        </Show>
        <Show when={props.row.hint}>{hint => <p class="muted">{printable(hint(), 1000)}</p>}</Show>
      </div>
    </li>
  );
}

export function DiagnosticsDialog(props: { profile: App['profile']; onClose(): void }): JSX.Element {
  const sides = () => {
    const { before, ...after } = props.profile();
    return before && !before.problem ? [after, before] : [after];
  };
  return (
    <Dialog title="Diagnostics" onClose={props.onClose}>
      <div class="dialog-body" tabindex="0">
        <For each={sides()}>
          {(facts, at) => (
            <>
              <Show when={at() > 0}>
                <h3>Old profile</h3>
              </Show>
              <Show when={facts.diagnostics.rows.length > 0} fallback={<p class="muted">No problems found.</p>}>
                <ul class="diagnostics">
                  <For each={facts.diagnostics.rows}>{row => <DiagnosticRow row={row} />}</For>
                </ul>
                <Show when={facts.diagnostics.omitted > 0}>
                  <p class="muted">{exact(facts.diagnostics.omitted)} more not listed.</p>
                </Show>
              </Show>
            </>
          )}
        </For>
      </div>
    </Dialog>
  );
}
