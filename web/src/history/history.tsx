// The page of a store of profiles: its series, and one of them.

import { createEffect, createMemo, For, type JSX, on, onCleanup, Show } from 'solid-js';
import { Banner } from '../components/banner';
import { Icon } from '../components/icon';
import { Mark } from '../components/mark';
import { MenuButton } from '../components/menu';
import { themeItems } from '../components/theme_items';
import type { Engine } from '../engine/engine';
import { encodeHistory } from '../model/history_state';
import { cut, printable, visible } from '../model/visible';
import './history.css';
import { createHistoryPage } from './history_page';
import { Series } from './series';
import { SeriesList } from './series_list';

// `beside`: there is a profile, too.
export function History(props: { engine: Engine; beside: boolean }): JSX.Element {
  const page = createHistoryPage(props.engine);
  const { state, asking } = page;
  let main!: HTMLElement;
  // From the store to what is shown, with their addresses.
  const crumbs = createMemo(() => [
    { text: 'History', address: encodeHistory({}) },
    ...(state.series ? [{ text: printable(state.series), address: page.to({ func: null }) }] : []),
    ...(state.func ? [{ text: printable(state.func.name, 4000), address: page.to({}) }] : []),
  ]);
  const title = createMemo(() =>
    crumbs()
      .map(({ text }) => cut(text, 80))
      .reverse()
      .join(' – '),
  );
  createEffect(() => {
    document.title = `${title()} – callcost`;
  });
  createEffect(on(title, () => main.scrollTo(0, 0), { defer: true }));
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || (event.target as Element).closest('input')) return;
    const field = main.querySelector<HTMLInputElement>('[data-search]');
    field?.focus();
    if (field) event.preventDefault();
  };
  document.addEventListener('keydown', onKey);
  onCleanup(() => document.removeEventListener('keydown', onKey));
  return (
    <div class="history">
      <header class="history-head">
        <h1>
          <Mark />
          <For each={crumbs()}>
            {({ text, address }, at) => (
              <>
                {at() > 0 && <span class="muted">/</span>}
                <a class="name" title={text} href={address} aria-current={at() === crumbs().length - 1 && 'page'}>
                  {text}
                </a>
              </>
            )}
          </For>
        </h1>
        <Show when={props.beside}>
          <a class="button quiet" href="./">
            Profile
          </a>
        </Show>
        <MenuButton
          label="Settings"
          name="Settings"
          title="Settings"
          align="end"
          button={<Icon name="sliders" />}
          items={themeItems}
        />
      </header>
      <Show when={asking.lost()}>
        {reason => (
          <Banner
            is="error"
            action={
              <button type="button" class="button" onClick={() => asking.found()}>
                Retry
              </button>
            }
          >
            {visible(reason().message)} The last answer stays visible.
          </Banner>
        )}
      </Show>
      <main class="history-main" ref={main}>
        <Show when={state.series} fallback={<SeriesList page={page} />} keyed>
          {series => <Series page={page} series={series} />}
        </Show>
      </main>
    </div>
  );
}
