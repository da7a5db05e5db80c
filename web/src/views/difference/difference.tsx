// The report on the changes between two profiles.

import { createMemo, createSignal, type JSX, Show } from 'solid-js';
import type { App } from '../../app/app';
import { Problem } from '../../components/problem';
import { increasesAndDecreases, inliningsByFunction, selfChange } from '../../model/difference';
import { counted, exact } from '../../model/format';
import { printable } from '../../model/visible';
import { type Cost, larger, magnitude } from '../../protocol/cost';
import type { DifferenceAnswer } from '../../protocol/protocol';
import { Changed } from './changed';
import { Events, Head } from './head';
import { Inlined, OneSided, Places, Renamed } from './lists';
import './difference.css';

const steps = [20, 100, 1000, 5000];

export function DifferenceView(props: { app: App }): JSX.Element {
  const { app } = props;
  const [step, setStep] = createSignal(0);
  const limit = () => steps[step()] ?? 5000;
  const isRaw = () => app.navigation.option('difference.raw', 'no') === 'yes';
  const answer = app.answers.follow(() => ({
    ...app.answers.question({ ask: 'difference' as const, limit: limit(), ...(!isRaw() && { net: true }) }),
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
            onMore={step() < steps.length - 1 ? () => setStep(step() + 1) : undefined}
          />
        )}
      </Show>
    </Show>
  );
}

function Report(props: { app: App; answer: DifferenceAnswer; limit: number; onMore?: () => void }): JSX.Element {
  const { app } = props;
  const isRaw = () => app.navigation.option('difference.raw', 'no') === 'yes';
  const sorted = createMemo(() => increasesAndDecreases(props.answer));
  const inlinings = createMemo(() => inliningsByFunction(props.answer));
  const most = createMemo(() =>
    props.answer.changed.reduce<Cost>((most, row) => larger(most, magnitude(selfChange(row))), 0),
  );
  const more = () => {
    const { changed, matching, added, removed, renamed, inlined, files, objects } = props.answer;
    const lists = [added, removed, renamed, inlined, files, objects];
    return changed.length < matching || lists.some(list => list.rows.length < list.matching);
  };
  // Aligns the numbers of all tables.
  const digits = () =>
    exact(larger(magnitude(props.answer.total ?? 0), magnitude(props.answer.total_before ?? 0))).length + 3;
  return (
    <div
      class="difference"
      tabindex="0"
      role="region"
      aria-label="Difference"
      style={{ '--digits': `${Math.max(10, Math.min(26, digits()))}ch` }}
    >
      <div class="difference-page">
        <div class="difference-main">
          <Head app={app} answer={props.answer} />
          <Show when={props.answer.inlined.matching > 0 && props.answer.filtered === null}>
            <p class="difference-net">
              <button
                type="button"
                class="button"
                aria-pressed={isRaw()}
                title="Also list what only moved: code that was inlined in one of the profiles"
                onClick={() => app.navigation.setOption('difference.raw', isRaw() ? null : 'yes')}
              >
                Raw costs
              </button>{' '}
              <span class="muted">
                {isRaw()
                  ? 'With what only moved by inlining.'
                  : `Net of ${counted(props.answer.inlined.matching, 'function')} inlined in one of the profiles.`}
              </span>
            </p>
          </Show>
          <Show when={props.answer.changed.length === 0}>
            <p class="difference-none">
              No {app.state.chips.length > 0 ? 'listed ' : ''}function changed its {printable(app.measure.event(), 60)}.
            </p>
          </Show>
          <Changed
            app={app}
            title="More expensive"
            rows={sorted().increased}
            matching={props.answer.increased}
            inlinings={inlinings()}
            most={most()}
          />
          <Changed
            app={app}
            title="Cheaper"
            rows={sorted().decreased}
            matching={props.answer.decreased}
            inlinings={inlinings()}
            most={most()}
          />
          <Show when={more() && props.onMore}>
            {onMore => (
              <p>
                <button type="button" class="button" onClick={() => onMore()()}>
                  Show more
                </button>
                <span class="muted difference-rest">
                  {counted(props.answer.matching, 'function')} changed, {exact(props.answer.changed.length)} listed
                </span>
              </p>
            )}
          </Show>
        </div>
        <div class="difference-side">
          <Events app={app} />
          <Inlined app={app} list={props.answer.inlined} />
          <Renamed app={app} list={props.answer.renamed} />
          <OneSided
            app={app}
            title="New functions"
            list={props.answer.added}
            of={row => [row.self, row.inclusive, row.called]}
          />
          <OneSided
            app={app}
            title="Removed functions"
            list={props.answer.removed}
            of={row => [row.self_before ?? [], row.inclusive_before ?? [], row.called_before ?? null]}
          />
          <div class="difference-two">
            <Places app={app} title="Source files" list={props.answer.files} />
            <Places app={app} title="Objects" list={props.answer.objects} />
          </div>
        </div>
      </div>
    </div>
  );
}
