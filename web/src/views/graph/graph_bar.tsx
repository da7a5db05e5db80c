import { For, type JSX, Show } from 'solid-js';
import type { App } from '../../app/app';
import { PopoverButton } from '../../components/popover';
import { Segmented } from '../../components/segmented';
import { counted, exact } from '../../model/format';
import type { Graph } from '../../model/graph';
import { functionsIn } from '../../model/graph_folds';
import type { GraphAnswer } from '../../protocol/protocol';
import { ColorButton } from '../pictures/colors';
import { setOptions } from '../pictures/options';
import { SaveMenu } from '../pictures/tree_bar';
import { type GraphData, type Limit, limits } from './graph_data';

// Scope, direction and limits of the call graph.
export function GraphBar(props: { app: App; data: GraphData; drawn: Graph | null }): JSX.Element {
  const { app, data } = props;
  const answer = () => data.asked.value();
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
          { value: 'auto', label: 'Auto', hint: 'Whichever fits the window better' },
          { value: 'down', label: '↓', hint: 'Callers above callees' },
          { value: 'right', label: '→', hint: 'Callers left of callees' },
        ]}
        value={data.layout()}
        onChange={layout => setOptions(app, { 'graph.layout': layout === 'auto' ? null : layout })}
      />
      <button
        type="button"
        class="button"
        aria-pressed={data.folds()}
        title="Draw functions that only call each other in a line as one box"
        onClick={() => setOptions(app, { 'graph.fold': data.folds() ? 'no' : null, 'graph.open': null })}
      >
        Fold chains
      </button>
      <ColorButton app={app} by={data.colorBy()} functions={answer()?.nodes ?? []} selves={data.selves()} />
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
          <span class="muted graph-sum" role="status" title={sumText(graph(), answer(), true)}>
            {sumText(graph(), answer(), false)}
          </span>
        )}
      </Show>
      <SaveMenu pictures={app.pictures} />
    </div>
  );
}

function sumText(graph: Graph, answer: GraphAnswer | undefined, isLong: boolean): string {
  const count = functionsIn(graph).length;
  const folded = graph.nodes.reduce((sum, box) => sum + (box.folded?.length ?? 0), 0);
  const calls = graph.arcs.length + count - graph.nodes.length; // with those in chains
  const drawn = `${counted(count, 'function')}${folded > 0 ? ` (${folded} folded)` : ''}, ${counted(calls, 'call')}`;
  const {
    omitted_nodes: light = 0,
    crowded_out: crowdedOut = 0,
    omitted_arcs: lightCalls = 0,
    nodes = [],
  } = answer ?? {};
  const beyond = crowdedOut + nodes.length - count;
  if (!isLong) return light + beyond > 0 ? `${drawn}; ${exact(light + beyond)} more` : drawn;
  const rest = [
    light > 0 && `${counted(light, 'function')} below the limit of cost`,
    beyond > 0 && `${counted(beyond, 'function')} beyond the number drawn`,
    lightCalls > 0 && `${counted(lightCalls, 'call')} below the limit of cost`,
  ];
  return [drawn, ...rest.filter(part => part)].join('; ');
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
