// Whether the files have changed since the server read them, and reloading them, from here or from
// another page on the same server.

import { createSignal, type JSX, Match, onCleanup, onMount, Switch } from 'solid-js';
import type { App } from '../app/app';
import { Icon } from '../components/icon';
import { counted } from '../model/format';
import { AnswerError } from '../protocol/answer_error';
import type { StatusAnswer } from '../protocol/protocol';

const often = 3000; // milliseconds

export function Freshness(props: { app: App }): JSX.Element {
  const { app } = props;
  const [status, setStatus] = createSignal<StatusAnswer>();
  const [reading, setReading] = createSignal(false);
  const [isSilent, setSilent] = createSignal(false);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> | undefined;
  let isGone = false;

  async function look() {
    if (document.visibilityState === 'visible' && !reading()) {
      try {
        const now = await app.answers.ask({ ask: 'status' });
        const ahead = now.generation - (app.profile().generation ?? 0);
        if (ahead >= 0) setStatus(now); // or it has been overtaken
        if (ahead > 0) await readAgain('profile');
        setSilent(false);
      } catch (reason) {
        if (reason instanceof AnswerError) return; // it has no such question
        setSilent(true);
      }
    }
    if (!isGone) timer = setTimeout(look, often);
  }
  function readAgain(ask: 'profile' | 'reload'): Promise<void> {
    running ??= (async () => {
      setReading(true);
      try {
        app.setProfile(await app.answers.ask({ ask }));
        setStatus(undefined);
        app.toasts.show('Reloaded');
      } catch (reason) {
        app.toasts.show((reason as Error).message);
      }
      setReading(false);
      running = undefined;
    })();
    return running;
  }
  onMount(() => {
    timer = setTimeout(look, often);
    app.answers.engine.onStale = () => readAgain('profile');
    onCleanup(() => {
      isGone = true;
      clearTimeout(timer);
    });
  });
  const text = () => {
    const now = status();
    if (!now) return '';
    if (now.new_files.length > 0) return counted(now.new_files.length, 'new part');
    return now.changed ? 'The file has changed' : '';
  };
  return (
    <Switch>
      <Match when={isSilent()}>
        <span class="status-silent" role="status" title="Is &quot;callcost view&quot; still running?">
          <Icon name="warning" />
          callcost does not respond
        </span>
      </Match>
      <Match when={text() || reading()}>
        <button type="button" class="link status-news" disabled={reading()} onClick={() => void readAgain('reload')}>
          <Icon name="reload" />
          {reading() ? 'Reading…' : `${text()}: reload`}
        </button>
      </Match>
    </Switch>
  );
}
