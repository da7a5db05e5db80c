// A program that is running under Callgrind: what it is told to do, and where it is.

import { createSignal, For, type JSX, onCleanup, onMount, Show } from 'solid-js';
import type { App } from '../app/app';
import { ActionButton } from '../components/action_button';
import { counted } from '../model/format';
import { baseName } from '../model/names';
import { printable } from '../model/visible';
import type { ControlQuestion, LiveRun, StacksAnswer } from '../protocol/protocol';
import './live.css';

const often = 1000; // milliseconds

export function Live(props: { app: App; run: LiveRun; onDone(): Promise<void> }): JSX.Element {
  const { app } = props;
  const [stacks, setStacks] = createSignal<StacksAnswer>();
  const [isShown, setShown] = createSignal(false);
  const [waits, setWaits] = createSignal(false);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let reading = Promise.resolve();
  let isGone = false;

  const read = async () => void setStacks(await app.answers.ask({ ask: 'stacks' }));
  // Stops the program for a moment: only while somebody looks.
  async function look() {
    clearTimeout(timer);
    const isWanted = props.run.running && !waits() && (isShown() || !stacks());
    if (isWanted && document.visibilityState === 'visible') {
      reading = read().catch(() => {});
      await reading;
    }
    if (!isGone) timer = setTimeout(look, often);
  }
  onMount(() => void look());
  onCleanup(() => {
    isGone = true;
    clearTimeout(timer);
  });

  async function tell(command: ControlQuestion['command'], done?: string) {
    setWaits(true);
    await reading; // of how it was before
    try {
      await app.answers.ask({ ask: 'control', command });
      if (done) app.toasts.show(done);
      await read();
      await props.onDone();
    } catch (reason) {
      app.toasts.show((reason as Error).message);
    }
    setWaits(false);
  }
  const counts = () => stacks()?.instrumented !== false;
  return (
    <section class="live" aria-label="Running program">
      <div class="live-bar">
        <span class="live-mark" classList={{ running: props.run.running, paused: !counts() }} />
        <span class="name live-text">
          {printable(baseName(props.run.program), 80)}{' '}
          {props.run.running ? (counts() ? 'is running' : 'is running, not counted') : 'has ended'}
          <span class="muted">
            {' '}
            · process {props.run.process} · {counted(app.profile().counts.parts, 'part')}
          </span>
        </span>
        <Show when={props.run.running}>
          <ActionButton
            text="Dump now"
            title="Callgrind writes what it has counted since the last dump: a new part, added to the figures"
            waits={waits()}
            onPress={() => void tell('dump')}
          />
          <ActionButton
            text="Zero"
            title="Callgrind forgets what it has counted since the last dump"
            waits={waits()}
            onPress={() => void tell('zero', 'Counts begin at zero')}
          />
          <ActionButton
            text={counts() ? 'Stop counting' : 'Count'}
            title="Switches Callgrind's instrumentation off and on: the program runs faster while nothing is counted"
            waits={waits()}
            onPress={() => void tell(counts() ? 'stop-instrumenting' : 'instrument')}
          />
          <button
            type="button"
            class="button quiet"
            aria-pressed={isShown()}
            title="Where each thread is, once a second"
            onClick={() => {
              setShown(!isShown());
              void look();
            }}
          >
            Stacks
          </button>
        </Show>
      </div>
      <Show when={isShown() && props.run.running}>
        <div class="live-stacks">
          <Show when={counts()} fallback={<p class="muted">Callgrind knows no call stacks while it does not count.</p>}>
            <For each={stacks()?.threads}>{one => <Stack app={app} stack={one} />}</For>
          </Show>
        </div>
      </Show>
    </section>
  );
}

// Calls of a function by itself are one line.
function linesOf(frames: StacksAnswer['threads'][number]['frames']) {
  const lines: { name: string; calls?: string; times: number }[] = [];
  for (const frame of frames) {
    const last = lines.at(-1);
    if (last?.name === frame.name) last.times++;
    else lines.push({ ...frame, times: 1 });
  }
  return lines;
}

function Stack(props: { app: App; stack: StacksAnswer['threads'][number] }): JSX.Element {
  return (
    <div class="live-stack">
      <h2 class="muted">Thread {props.stack.thread}</h2>
      <ol>
        <For each={linesOf(props.stack.frames)}>
          {frame => (
            <li>
              <button
                type="button"
                class="link name"
                title={frame.calls && `called ${frame.calls} times since the last dump`}
                onClick={() => props.app.selection.select({ name: frame.name, file: '', object: '' })}
              >
                {printable(frame.name, 200)}
              </button>
              <Show when={frame.times > 1}>
                <span class="muted"> × {frame.times}</span>
              </Show>
            </li>
          )}
        </For>
      </ol>
    </div>
  );
}
