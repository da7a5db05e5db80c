import { For, type JSX, Show } from 'solid-js';
import type { App } from '../../app/app';
import { PopoverButton } from '../../components/popover';
import { Segmented } from '../../components/segmented';
import { counted } from '../../model/format';
import type { Graph } from '../../model/graph';
import { ColourButton } from '../pictures/colours';
import { setOptions } from '../pictures/options';
import { SaveMenu } from '../pictures/tree_bar';
import { type GraphData, type Limit, limits } from './graph_data';

// Scope, direction and limits of the call graph.
export function GraphBar(props: { app: App; data: GraphData; drawn: Graph | null }): JSX.Element {
  const { app, data } = props;
  const answer = () => data.asked.value();
  const omitted = () => {
    const {
      omitted_nodes: omittedNodes = 0,
      omitted_arcs: omittedArcs = 0,
      crowded_out: crowdedOut = 0,
    } = answer() ?? {};
    const parts = [
      omittedNodes > 0 && counted(omittedNodes, 'function'),
      omittedArcs > 0 && counted(omittedArcs, 'call'),
    ].filter(part => part);
    const light = parts.length > 0 ? `; ${parts.join(' and ')} below the limits` : '';
    return light + (crowdedOut > 0 ? `; ${counted(crowdedOut, 'more function')} beyond the limit` : '');
  };
  return (
    <div class="picture-bar">
      <Segmented
        label="Scope"
        choices={[
          {
            value: 'function',
            label: 'Around a function',
            hint: app.state.selection ? 'Around the selected function' : 'Select a function first',
          },
          { value: 'program', label: 'Whole program', hint: 'The most expensive functions' },
        ]}
        value={data.ofProgram() ? 'program' : 'function'}
        onChange={of => {
          if (of === 'program') data.showProgram();
          else if (app.state.selection) data.showAround(app.state.selection);
          else app.toasts.show('Select a function first');
        }}
      />
      <Segmented
        label="Direction"
        choices={[
          { value: 'down', label: '↓', hint: 'Callers above callees' },
          { value: 'right', label: '→', hint: 'Callers left of callees' },
        ]}
        value={data.layout()}
        onChange={layout => setOptions(app, { 'graph.layout': layout === 'down' ? null : layout })}
      />
      <ColourButton app={app} by={data.colourBy()} functions={answer()?.nodes ?? []} selves={data.selves()} />
      <PopoverButton label="Limits" title="Limits" text="Limits">
        {() => (
          <div class="graph-limits">
            <For each={Object.values(limits)}>{limit => <LimitField app={app} data={data} limit={limit} />}</For>
            <p class="muted">Shares of the inclusive cost of the central function, or of the program.</p>
          </div>
        )}
      </PopoverButton>
      <span class="view-bar-gap" />
      <Show when={props.drawn}>
        {graph => (
          <span class="muted graph-sum" role="status">
            {counted(graph().nodes.length, 'function')}, {counted(graph().arcs.length, 'call')}
            {omitted()}
          </span>
        )}
      </Show>
      <SaveMenu pictures={app.pictures} />
    </div>
  );
}

function LimitField(props: { app: App; data: GraphData; limit: Limit }): JSX.Element {
  const { app, data, limit } = props;
  const now = () => data.limit(limit);
  const values = () => (limit.values.includes(now()) ? limit.values : [...limit.values, now()].sort((a, b) => a - b));
  return (
    <label>
      <span>{limit.label}</span>
      <select
        class="field"
        onChange={event => {
          const value = Number(event.currentTarget.value);
          setOptions(app, { [limit.key]: value === limit.usual ? null : String(value) });
        }}
      >
        <For each={values()}>
          {value => (
            <option value={value} selected={value === now()}>
              {limit.word(value)}
            </option>
          )}
        </For>
      </select>
    </label>
  );
}
