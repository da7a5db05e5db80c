import { For, type JSX, Show } from 'solid-js';
import { printable, visible } from '../model/visible';
import { CallcostError } from '../protocol/callcost_error';
import './problem.css';

// A message, and what to do about it in the lines below.
export function ProblemLines(props: { text: string }): JSX.Element {
  return <For each={props.text.split('\n')}>{line => <span class="problem-line">{printable(line, 2000)}</span>}</For>;
}

// An error of the engine.
export function Problem(props: { error: Error }): JSX.Element {
  const hint = () => (props.error instanceof CallcostError ? props.error.hint : undefined);
  return (
    <div class="problem" role="alert">
      <p>{visible(props.error.message)}</p>
      <Show when={hint()}>{text => <p class="muted">{visible(text())}</p>}</Show>
    </div>
  );
}
