// The page as a whole: a profile that is being opened, an opened one, or the invitation to drop one.

import { createResource, type JSX, Match, Show, Switch } from 'solid-js';
import { create_app } from './app';
import { manifest, open_blocks, open_server } from './opening';
import { Shell } from './shell/shell';

export function Page(): JSX.Element {
  const [opened] = createResource(() => (manifest.server ? open_server() : open_blocks()));
  return (
    <Switch>
      <Match when={opened.error}>
        <p class="view-note">{(opened.error as Error).message}</p>
      </Match>
      <Match when={opened.loading}>
        <p class="view-note">Opening…</p>
      </Match>
      <Match when={opened()}>
        {now => (
          <Show when={now()} keyed>
            {one => <Shell app={create_app(one)} />}
          </Show>
        )}
      </Match>
    </Switch>
  );
}
