import { type JSX, Show } from 'solid-js';
import { AnswerError } from '../engine/receive';
import { visible } from '../model/visible';
import './problem.css';

// What the engine had against a question.
export function Problem(props: { error: Error }): JSX.Element {
  const hint = () => (props.error instanceof AnswerError ? props.error.hint : undefined);
  return (
    <div class="problem" role="alert">
      <p>{visible(props.error.message)}</p>
      <Show when={hint()}>{text => <p class="muted">{visible(text())}</p>}</Show>
    </div>
  );
}
