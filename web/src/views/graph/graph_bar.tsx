import { For, type JSX, Show } from 'solid-js';
import type { App } from '../../app';
import { PopoverButton } from '../../components/popover';
import { Segmented } from '../../components/segmented';
import { counted } from '../../model/format';
import type { Graph } from '../../model/graph';
import { ColourButton } from '../pictures/colours';
import { set_options } from '../pictures/options';
import { SaveMenu } from '../pictures/tree_bar';
import { type GraphData, type Limit, limits } from './graph_data';

// What the call graph is of, and how much of it is shown.
export function GraphBar(props: { app: App; data: GraphData; drawn: Graph | null }): JSX.Element {
  const { app, data } = props;
  const answer = () => data.asked.value();
  const omitted = () => {
    const { omitted_nodes = 0, omitted_arcs = 0, crowded_out = 0 } = answer() ?? {};
    const parts = [
      omitted_nodes > 0 && counted(omitted_nodes, 'function'),
      omitted_arcs > 0 && counted(omitted_arcs, 'call'),
    ].filter(part => part);
    const light = parts.length > 0 ? `; ${parts.join(' and ')} too light` : '';
    return light + (crowded_out > 0 ? `; ${counted(crowded_out, 'more function')} beyond the limit` : '');
  };
  return (
    <div class="picture-bar">
      <Segmented
        label="What it is of"
        choices={[
          {
            value: 'function',
            label: 'Around a function',
            hint: app.state.selection ? 'Around the selected function' : 'Select a function first',
          },
          { value: 'program', label: 'Whole program', hint: 'The costliest functions' },
        ]}
        value={data.of_program() ? 'program' : 'function'}
        on_change={of => {
          if (of === 'program') data.show_program();
          else if (app.state.selection) data.show_around(app.state.selection);
          else app.toast('Select a function first');
        }}
      />
      <Segmented
        label="Direction"
        choices={[
          { value: 'down', label: '↓', hint: 'Callers above callees' },
          { value: 'right', label: '→', hint: 'Callers left of callees' },
        ]}
        value={data.layout()}
        on_change={layout => set_options(app, { 'graph.layout': layout === 'down' ? null : layout })}
      />
      <ColourButton app={app} by={data.colour_by()} functions={answer()?.nodes ?? []} selves={data.selves()} />
      <PopoverButton label="Limits" title="How much is shown" text="Limits">
        {() => (
          <div class="graph-limits">
            <For each={Object.values(limits)}>{limit => <LimitField app={app} data={data} limit={limit} />}</For>
            <p class="muted">Parts of the inclusive cost of the function in the middle, or of the program.</p>
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
      <SaveMenu app={app} />
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
          set_options(app, { [limit.key]: value === limit.usual ? null : String(value) });
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
