// A function between its callers and its callees: those that call it and that it calls, or all paths to it and from it.

import { type ComponentProps, createSignal, type JSX, Show } from 'solid-js';
import type { App } from '../../app/app';
import { Problem } from '../../components/problem';
import { Segmented } from '../../components/segmented';
import { SidePanel } from '../../components/side_panel';
import { withoutFilters } from '../../model/filter';
import type { FunctionAnswer } from '../../protocol/protocol';
import { CallTree } from '../call_tree/call_tree';
import { type Direction, useCallTree } from '../call_tree/call_tree_data';
import { CallSection, FunctionBand, useFunction } from '../callers/callers';
import { EventTable } from '../callers/event_table';
import { CycleTable, FileList } from '../callers/membership';
import { oneOf } from '../pictures/options';
import { Certainty } from '../pictures/tree_bar';
import './butterfly.css';

function Side(props: ComponentProps<typeof CallSection>): JSX.Element {
  return (
    <Show
      when={oneOf(props.app.navigation, 'callers.paths', ['direct', 'all']) === 'all'}
      fallback={<CallSection {...props} />}
    >
      <Paths app={props.app} which={props.which} />
    </Show>
  );
}

function Paths(props: { app: App; which: Direction }): JSX.Element {
  const { app, which } = props;
  const data = useCallTree(app, which === 'callers' ? 'above' : 'below', which);
  const label = which === 'callers' ? 'All callers' : 'All callees';
  return (
    <section class={`calls ${which} paths`} aria-label={label}>
      <p class="calls-title">
        {label}, {which === 'callers' ? 'up to the roots' : 'down to the last'}
        <Show when={data.asked.value()}>
          {now => <Certainty estimated={now().estimated} part={now().certainty} before={now().certainty_before} />}
        </Show>
      </p>
      <CallTree app={app} data={data} label={label} selects={false} />
    </section>
  );
}

export function ButterflyView(props: { app: App }): JSX.Element {
  const { app } = props;
  const { answer, ...lists } = useFunction(app, 1000, withoutFilters);
  const [tab, setTab] = createSignal('events');
  const tabs = (of: FunctionAnswer) => [
    { value: 'events', label: 'Event types' },
    ...(of.cycle ? [{ value: 'cycle', label: `Cycle ${of.cycle.number}` }] : []),
    ...(of.files.length > 0 ? [{ value: 'files', label: 'Files' }] : []),
  ];
  const shown = (of: FunctionAnswer) => (tabs(of).some(one => one.value === tab()) ? tab() : 'events');
  return (
    <Show when={!answer.error()} fallback={<Problem error={answer.error()!} />}>
      <Show when={answer.value()} fallback={<p class="view-note">{answer.waiting() ? 'Looking…' : ''}</p>}>
        {of => (
          <div class="butterfly">
            <div class="butterfly-main">
              <Side app={app} which="callers" answer={of()} {...lists} opened={lists.opened()} />
              <FunctionBand app={app} func={of().function}>
                <Segmented
                  label="Callers and callees"
                  choices={[
                    { value: 'direct', label: 'Direct', hint: 'Its callers and callees, with exact costs' },
                    { value: 'all', label: 'All', hint: 'All callers up to the roots, all callees down to the last' },
                  ]}
                  value={oneOf(app.navigation, 'callers.paths', ['direct', 'all'])}
                  onChange={to => app.navigation.setOption('callers.paths', to === 'all' ? to : null)}
                />
              </FunctionBand>
              <Side app={app} which="callees" answer={of()} {...lists} opened={lists.opened()} />
            </div>
            <SidePanel
              name="callers"
              label="Side panel width"
              title="Event types and files"
              closed
              usual={app.measure.comparing() ? 390 : 340}
              least={220}
              most={800}
              atEnd
              class="butterfly-side"
              role="complementary"
            >
              <div class="view-bar">
                <Segmented tabs label="About the function" choices={tabs(of())} value={shown(of())} onChange={setTab} />
              </div>
              <div class="butterfly-tab" role="tabpanel" aria-label={shown(of())}>
                <Show when={shown(of()) === 'events'}>
                  <EventTable app={app} events={of().events} />
                </Show>
                <Show when={shown(of()) === 'cycle' && of().cycle}>
                  {cycle => <CycleTable app={app} cycle={cycle()} />}
                </Show>
                <Show when={shown(of()) === 'files'}>
                  <FileList app={app} files={of().files} />
                </Show>
              </div>
            </SidePanel>
          </div>
        )}
      </Show>
    </Show>
  );
}
