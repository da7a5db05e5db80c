// What the tables of the report are made of.

import { For, type JSX, Show } from 'solid-js';
import type { App } from '../../app/app';
import { FunctionName } from '../../components/function_columns';
import { change, exact } from '../../model/format';
import type { Cost } from '../../protocol/cost';
import type { FunctionRow, Rows } from '../../protocol/protocol';

export function NumberHead(props: { children: JSX.Element }): JSX.Element {
  return (
    <th scope="col" class="number">
      {props.children}
    </th>
  );
}

// A section of the report with its row count; hidden without rows.
export function Section(props: {
  title: string;
  note?: string;
  list: Rows<unknown>;
  children: JSX.Element;
}): JSX.Element {
  const listed = () => props.list.rows.length;
  return (
    <Show when={listed() > 0}>
      <section>
        <h3>
          {props.title}{' '}
          <span class="muted">
            {listed() < props.list.matching ? `${exact(listed())} of ` : ''}
            {exact(props.list.matching)}
          </span>
        </h3>
        <Show when={props.note}>
          <p class="difference-text">{props.note}</p>
        </Show>
        {props.children}
      </section>
    </Show>
  );
}

export function ReportTable(props: {
  class?: string;
  what: string; // the first head
  numbers: (string | false)[]; // the other ones; false: it is not there
  children: JSX.Element;
}): JSX.Element {
  return (
    <table class={`difference-table ${props.class ?? ''}`}>
      <thead>
        <tr>
          <th scope="col">{props.what}</th>
          <For each={props.numbers.filter(head => head !== false)}>{head => <NumberHead>{head}</NumberHead>}</For>
        </tr>
      </thead>
      <tbody>{props.children}</tbody>
    </table>
  );
}

// Of the event type, or of the one that is named.
export function Delta(props: { app: App; before: Cost; after: Cost; ratio?: boolean; event?: string }): JSX.Element {
  const delta = () => change(props.before, props.after, cost => props.app.measure.spelled(cost, props.event));
  const raw = () => change(props.before, props.after).text;
  return (
    <span
      class={delta().direction === 'same' ? 'muted' : delta().direction}
      title={delta().text === raw() ? undefined : raw()}
    >
      {delta().mark} {delta().text}
      <Show when={props.ratio && delta().ratio}>
        <span class="difference-ratio"> {delta().ratio}</span>
      </Show>
    </span>
  );
}

export function FunctionLink(props: { app: App; row: FunctionRow; tags?: boolean }): JSX.Element {
  const { app } = props;
  const plain = () => (props.tags ? props.row : { ...props.row, match: undefined });
  return (
    <span class="difference-function">
      <FunctionName
        app={app}
        func={plain()}
        onGo={() => app.selection.activate(props.row, app.profile().has.calls ? 'callers' : 'source')}
      />
    </span>
  );
}
