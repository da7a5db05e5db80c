// What the tables of the report are made of.

import { type JSX, Show } from 'solid-js';
import type { App } from '../../app';
import type { FunctionRow } from '../../engine/protocol';
import type { Cost } from '../../model/cost';
import { change } from '../../model/format';
import { FunctionName } from '../functions/columns';

export function NumberHead(props: { children: JSX.Element }): JSX.Element {
  return (
    <th scope="col" class="number">
      {props.children}
    </th>
  );
}

export function Delta(props: { before: Cost; after: Cost; ratio?: boolean }): JSX.Element {
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

export function FunctionLink(props: { app: App; row: FunctionRow; tags?: boolean }): JSX.Element {
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
