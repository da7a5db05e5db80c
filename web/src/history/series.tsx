// One series: its total, or the cost of a function in it.

import { createMemo, type JSX, Match, Show, Switch } from 'solid-js';
import { Segmented } from '../components/segmented';
import { counted, percentBrief } from '../model/format';
import { choiceOf, encodeHistory, type HistoryTab, profileAddress } from '../model/history_state';
import { printable } from '../model/visible';
import type { EntryId } from '../protocol/protocol';
import { Chart } from './chart';
import { Choices } from './choices';
import type { HistoryPage } from './history_page';
import { ChangeText, costText } from './pieces';
import { Changes, CostKind, Entries, Functions } from './tables';
import { Trouble } from './trouble';

export function Series(props: { page: HistoryPage; series: string }): JSX.Element {
  const { page } = props;
  const { state, asking, go } = page;
  const width = Math.min(2000, Math.max(100, Math.ceil(innerWidth / 2)));
  const asked = asking.follow(() => ({ ask: 'history_series', series: props.series, ...choiceOf(state), width }));
  const answer = createMemo(() => asked.value());
  const tab = (): HistoryTab => (state.func && state.tab === 'functions' ? 'changes' : state.tab);
  const tabs = (): { value: HistoryTab; label: string }[] => [
    { value: 'changes', label: 'Changes' },
    ...(state.func ? [] : [{ value: 'functions' as const, label: 'Functions' }]),
    { value: 'entries', label: 'Entries' },
  ];
  const address = (entry: EntryId, before?: EntryId) => profileAddress({ series: props.series, entry }, before, state);
  const facts = () => {
    const { entries, branch, changes, omitted_changes: omitted, exact, noise } = answer()!;
    return [
      counted(entries, 'entry', 'entries'),
      branch && `branch ${printable(branch, 80)}`,
      counted(changes.length + omitted, 'change'),
      !exact && `noise ±${percentBrief(noise)}`,
    ];
  };
  return (
    <>
      <div class="history-bar">
        <Choices page={page} answer={answer()} />
        <Show when={state.func}>
          <CostKind page={page} />
          <a class="button" href={encodeHistory({ func: state.func, event: state.event, inclusive: state.inclusive })}>
            In all series
          </a>
        </Show>
      </div>
      <Trouble page={page} asked={asked}>
        <p class="history-sum" classList={{ stale: asked.waiting() }}>
          <strong class="number">{costText(answer()!.last, answer()!.event)}</strong>
          <span title="Since the first entry">
            <ChangeText before={answer()!.first} after={answer()!.last} />
          </span>
          <span class="muted">
            {facts()
              .filter(fact => fact)
              .join(', ')}
          </span>
        </p>
        <Show when={answer()!.points.at.length} fallback={<p class="view-note">No entry has such a cost.</p>}>
          <Chart answer={answer()!} address={address} onRange={(since, until) => go({ since, until })} />
        </Show>
        <Segmented label="Lists" tabs choices={tabs()} value={tab()} onChange={next => go({ tab: next, search: '' })} />
        <section role="tabpanel" aria-label={tabs().find(one => one.value === tab())!.label}>
          <Switch>
            <Match when={tab() === 'changes'}>
              <Changes page={page} answer={answer()!} />
            </Match>
            <Match when={tab() === 'functions'}>
              <Functions page={page} series={props.series} />
            </Match>
            <Match when={tab() === 'entries'}>
              <Entries page={page} series={props.series} />
            </Match>
          </Switch>
        </section>
      </Trouble>
    </>
  );
}
