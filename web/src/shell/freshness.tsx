// Whether the files have changed since the server read them, and the reader's wish to read them again.

import { createSignal, type JSX, onCleanup, onMount, Show } from 'solid-js';
import type { App } from '../app';
import { Icon } from '../components/icon';
import type { StatusAnswer } from '../engine/protocol';
import { counted } from '../model/format';

const often = 3000; // milliseconds

export function Freshness(props: { app: App }): JSX.Element {
  const { app } = props;
  const [status, set_status] = createSignal<StatusAnswer>();
  const [reading, set_reading] = createSignal(false);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let is_gone = false;

  async function look() {
    if (document.visibilityState === 'visible' && !reading()) {
      try {
        set_status(await app.ask({ ask: 'status' }));
      } catch {
        return; // it has no such question, or is not there any more
      }
    }
    if (!is_gone) timer = setTimeout(look, often);
  }
  async function reload() {
    set_reading(true);
    try {
      app.set_profile(await app.ask({ ask: 'reload' }));
      set_status(undefined);
      app.toast('Read again');
    } catch (reason) {
      app.toast((reason as Error).message);
    }
    set_reading(false);
  }
  onMount(() => {
    timer = setTimeout(look, often);
    onCleanup(() => {
      is_gone = true;
      clearTimeout(timer);
    });
  });
  const words = () => {
    const now = status();
    if (!now) return '';
    if (now.new_files.length > 0) return counted(now.new_files.length, 'new part');
    return now.changed ? 'The file has changed' : '';
  };
  return (
    <Show when={words() || reading()}>
      <button type="button" class="link status-news" disabled={reading()} onClick={() => void reload()}>
        <Icon name="reload" />
        {reading() ? 'Reading…' : `${words()}: read again`}
      </button>
    </Show>
  );
}
