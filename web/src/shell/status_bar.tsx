import { createMemo, type JSX, Show } from 'solid-js';
import type { App } from '../app/app';
import { CostText } from '../components/cost_text';
import { Icon } from '../components/icon';
import { change, counted, percentBrief } from '../model/format';
import { printable } from '../model/visible';
import { isZero, share } from '../protocol/cost';
import type { Severity } from '../protocol/protocol';
import './status_bar.css';

export function StatusBar(props: { app: App; onDiagnostics(): void }): JSX.Element {
  const { app } = props;
  const problems = createMemo(() => {
    const { before, diagnostics } = app.profile();
    const sides = [diagnostics, ...(before && !before.problem ? [before.diagnostics] : [])];
    // Counts kinds, as one kind may occur a thousand times.
    const kinds = (severity: Severity) =>
      new Set(sides.flatMap(side => side.rows.filter(row => row.severity === severity).map(row => row.id))).size;
    return { errors: kinds('error'), warnings: kinds('warning'), notes: kinds('note') };
  });
  const text = () => {
    const { errors, warnings, notes } = problems();
    return [
      errors > 0 && counted(errors, 'error'),
      warnings > 0 && counted(warnings, 'warning'),
      notes > 0 && counted(notes, 'note'),
    ]
      .filter(part => part)
      .join(', ');
  };
  const total = () => app.measure.total();
  const before = () => (app.measure.comparing() ? app.measure.totals.value()?.total_before?.[0] : undefined);
  const kept = () => {
    const filtered = app.measure.totals.error() ? null : app.measure.totals.value()?.filtered;
    const whole = total();
    if (!filtered || whole === null || isZero(whole)) return '';
    const least = percentBrief(share(filtered.least, whole) ?? 0);
    const most = percentBrief(share(filtered.most, whole) ?? 0);
    if (least === most) return `filters keep ${least}`;
    const about = percentBrief(share(filtered.estimate, whole) ?? 0);
    return `filters keep ~${about} (${least} to ${most})`;
  };
  return (
    <footer class="status">
      <span class="number">
        {total() === null ? '–' : <CostText app={app} cost={total()!} />} {printable(app.measure.event(), 60)}
      </span>
      <Show when={before() != null && total() !== null}>
        {(() => {
          const delta = () => change(before() ?? 0, total() ?? 0, app.measure.spelled);
          return (
            <span class={`number ${delta().direction}`}>
              {delta().mark} {delta().text} {delta().ratio && `(${delta().ratio})`}
            </span>
          );
        })()}
      </Show>
      <Show when={app.state.parts.length > 0}>
        <button type="button" class="link" onClick={() => app.navigation.update({ parts: [] })} title="Show all parts">
          {counted(app.state.parts.length, 'part')} of {app.profile().counts.parts}
        </button>
      </Show>
      <Show when={kept()}>
        <span>{kept()}</span>
      </Show>
      <Show when={text()}>
        <button
          type="button"
          class="link status-problems"
          classList={{ grave: problems().errors > 0, odd: problems().warnings > 0 }}
          onClick={() => props.onDiagnostics()}
        >
          <Show when={problems().errors + problems().warnings > 0}>
            <Icon name="warning" />
          </Show>
          {text()}
        </button>
      </Show>
      <span class="status-gap" />
      <Show when={app.state.selection}>
        {selection => (
          <span class="status-selection name" title="The selected function">
            {app.names.short(selection())}
            <Show when={app.selection.selected() === null}>
              <span class="muted"> is not in this profile</span>
            </Show>
          </span>
        )}
      </Show>
    </footer>
  );
}
