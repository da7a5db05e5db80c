// Whether the files have changed since the server read them, and reloading them, from here or from
// another page on the same server.

import { createSignal, type JSX, Match, onCleanup, onMount, Switch } from 'solid-js';
import type { App } from '../app/app';
import { ActionButton } from '../components/action_button';
import { Banner } from '../components/banner';
import { counted } from '../model/format';
import { CallcostError } from '../protocol/callcost_error';
import type { StatusAnswer } from '../protocol/protocol';
import { Live } from './live';

const often = 3000; // milliseconds
const live = 1000;

export function Freshness(props: { app: App }): JSX.Element {
  const { app } = props;
  const [status, setStatus] = createSignal<StatusAnswer>();
  const [reading, setReading] = createSignal(false);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> | undefined;
  let isGone = false;

  async function look() {
    clearTimeout(timer);
    if (document.visibilityState === 'visible' && !running) {
      try {
        const now = await app.answers.ask({ ask: 'status' });
        const ahead = now.generation - (app.profile().generation ?? 0);
        if (ahead >= 0) setStatus(now); // or it has been overtaken
        if (ahead > 0) await readAgain('profile');
        else if (now.live && (now.new_files.length > 0 || now.changed)) await readAgain('reload');
        app.answers.found();
      } catch (reason) {
        if (reason instanceof CallcostError) return; // it has no such question
        app.answers.lose(reason as Error);
      }
    }
    if (!isGone) timer = setTimeout(look, status()?.live?.running ? live : often);
  }
  function readAgain(ask: 'profile' | 'reload'): Promise<void> {
    running ??= (async () => {
      setReading(true);
      try {
        app.setProfile(await app.answers.ask({ ask }));
        setStatus(undefined);
        app.toasts.show(app.profile().live ? 'A new part has arrived' : 'Reloaded');
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
  async function retry() {
    setReading(true);
    await look();
    setReading(false);
  }
  const news = () => {
    const now = status();
    if (!now || now.live) return '';
    const parts = now.new_files.length;
    if (parts > 0) return `${counted(parts, 'new part')} of the run: not in these figures yet.`;
    return now.changed ? 'The file has changed: these figures are of what it was before.' : '';
  };
  const verb = (text: string) => (reading() ? 'Reading…' : text);
  const run = () => status()?.live ?? app.profile().live;
  return (
    <Switch>
      <Match when={app.answers.lost()}>
        <Banner
          is="error"
          action={<ActionButton text={verb('Retry')} waits={reading()} onPress={() => void retry()} />}
        >
          callcost does not respond; the last answers stay visible. If “callcost view” has ended, start it again.
        </Banner>
      </Match>
      <Match when={run()}>{run => <Live app={app} run={run()} onDone={look} />}</Match>
      <Match when={news() || (reading() && 'Reading…')}>
        {text => (
          <Banner
            is="news"
            action={<ActionButton text={verb('Reload')} waits={reading()} onPress={() => void readAgain('reload')} />}
          >
            {text()}
          </Banner>
        )}
      </Match>
    </Switch>
  );
}
