// Calls and jumps in the rows of listings.

import { type JSX, Show } from 'solid-js';
import type { App } from '../../app/app';
import { countText, FunctionName } from '../../components/function_columns';
import { exact } from '../../model/format';
import type { Cost } from '../../protocol/cost';
import type { LineCall } from '../../protocol/protocol';

// A link of a row: the row itself is not chosen by it.
export function RowLink(props: { onGo(): void; title?: string; class?: string; children: JSX.Element }): JSX.Element {
  return (
    <button
      type="button"
      class={`link ${props.class ?? ''}`}
      tabindex="-1"
      title={props.title}
      onClick={event => {
        event.stopPropagation();
        props.onGo();
      }}
    >
      {props.children}
    </button>
  );
}

// The callee, how often: behind the text while the calls are folded.
export function CallNote(props: { app: App; call: LineCall; view: 'source' | 'code' }): JSX.Element {
  const { app } = props;
  return (
    <>
      <RowLink title={app.names.full(props.call)} onGo={() => app.selection.activate(props.call, props.view)}>
        {app.names.short(props.call)}
      </RowLink>
      <Show when={props.call.count !== null}> ×{countText(props.call.count, props.call.at_least)}</Show>
    </>
  );
}

export function CallLine(props: { app: App; call: LineCall; view: 'source' | 'code' }): JSX.Element {
  const { app } = props;
  return (
    <span class="source-call">
      <span aria-hidden="true">→</span>
      <FunctionName app={app} func={props.call} onGo={() => app.selection.activate(props.call, props.view)} />
      <span class="muted">
        {props.call.count === null ? 'called before' : `${countText(props.call.count, props.call.at_least)}×`}
        <Show when={props.call.recursive}> recursive</Show>
      </span>
    </span>
  );
}

interface Jumped {
  executed: Cost;
  followed: Cost;
  conditional: boolean;
}

// How often a jump was made.
export function jumpText(jump: Jumped): string {
  if (!jump.conditional) return `${exact(jump.executed)}×`;
  return `${exact(jump.followed)} of ${exact(jump.executed)} times`;
}

export function JumpLine(props: { jump: Jumped; target: string; onGo?: () => void }): JSX.Element {
  return (
    <span class="source-call">
      <span aria-hidden="true">{props.jump.conditional ? '⤳' : '↝'}</span>
      <Show when={props.onGo} fallback={<span>jumps to {props.target}</span>}>
        {go => <RowLink onGo={go()}>jumps to {props.target}</RowLink>}
      </Show>
      <span class="muted">{jumpText(props.jump)}</span>
    </span>
  );
}
