// The page as a whole: a profile being opened, an open one, the start page, or the page of a store.

import { createSignal, type JSX, Match, onCleanup, onMount, Show, Switch } from 'solid-js';
import { createApp } from './app/app';
import { addRecent } from './app/storage';
import { History } from './history/history';
import { profilesOf } from './model/dropped';
import { printable } from './model/visible';
import {
  hasEngine,
  type Input,
  inputOf,
  manifest,
  type Opened,
  openInputs,
  openOwn,
  serverEngine,
  showsStore,
} from './opening/opening';
import type { OpenProgress } from './package/transport';
import type { Side } from './package/wasm_engine';
import { CallcostError } from './protocol/callcost_error';
import { DropLayer, type DropTarget } from './shell/drop_layer';
import { Shell } from './shell/shell';
import { StartPage } from './shell/start_page';

type Now =
  | { is: 'opening'; what: string; done?: number }
  | { is: 'empty'; problem?: string }
  | { is: 'open'; opened: Opened };

function messageOf(reason: unknown): string {
  if (!(reason instanceof Error)) return String(reason);
  return reason instanceof CallcostError && reason.hint ? `${reason.message}\n${reason.hint}` : reason.message;
}

const onSide = (inputs: Input[], side: Side) => inputs.map(input => ({ ...input, side }));

export function Page(): JSX.Element {
  return showsStore() ? <History engine={serverEngine()} beside={manifest.history === 'beside'} /> : <ProfilePage />;
}

function ProfilePage(): JSX.Element {
  const [now, setNow] = createSignal<Now>({ is: 'opening', what: 'Opening…' });
  const [problem, setProblem] = createSignal('');
  let picker!: HTMLInputElement;
  let picks: DropTarget = 'open';
  let openings = 0;
  let last: Opened | null = null; // stays when the next one cannot be opened

  const current = () => {
    const one = now();
    return one.is === 'open' ? one.opened : null;
  };

  // The last one wins: an opening overtaken by another is dropped.
  async function open(
    what: string,
    begin: (progress: OpenProgress) => Promise<Opened | null>,
    names: readonly string[] = [],
  ) {
    const opening = ++openings;
    const isOvertaken = () => opening !== openings;
    setProblem('');
    setNow({ is: 'opening', what });
    try {
      const opened = await begin((name, done, total) => {
        if (isOvertaken()) return;
        const reading = { is: 'opening', what: `Reading ${name}…` } as const;
        setNow(total > 0 ? { ...reading, done: done / total } : reading);
      });
      if (isOvertaken()) return opened?.engine.close();
      if (names.length > 0) addRecent([...names]);
      const before = last;
      last = opened;
      setNow(opened ? { is: 'open', opened } : { is: 'empty' });
      before?.engine.close();
    } catch (reason) {
      if (isOvertaken()) return;
      const text = messageOf(reason);
      if (last) {
        setNow({ is: 'open', opened: last });
        setProblem(text);
      } else setNow({ is: 'empty', problem: text });
    }
  }

  function take(files: File[], target: DropTarget) {
    if (files.length === 0) return;
    const profiles = profilesOf(files);
    const wasOpen = current();
    const names = files.map(file => file.name);
    const inputs = profiles.flatMap((run, at) =>
      run.map(file => inputOf(file, at === profiles.length - 1 ? 'after' : 'before')),
    );
    const text = `Reading ${names.join(', ')}…`;
    if (profiles.length > 2) {
      setProblem('At most two profiles can be compared. Parts of one run are named callgrind.out.PID.PART.');
    } else if (target !== 'open' && wasOpen && profiles.length === 1) {
      const own = wasOpen.inputs.filter(input => input.side === 'after');
      const both = target === 'newer' ? [...onSide(own, 'before'), ...inputs] : [...onSide(inputs, 'before'), ...own];
      void open(text, progress => openInputs(both, progress), names);
    } else {
      if (wasOpen) history.replaceState(null, '', '#');
      void open(text, progress => openInputs(inputs, progress), names);
    }
  }

  function pick(target: DropTarget) {
    picks = target;
    picker.value = '';
    picker.click();
  }
  function swap() {
    const opened = current();
    if (!opened) return;
    const inputs = opened.inputs.map(input => ({
      ...input,
      side: input.side === 'after' ? ('before' as const) : ('after' as const),
    }));
    void open('Swapping…', progress => openInputs(inputs, progress));
  }

  onMount(() => void open('Opening…', openOwn));
  onMount(() => {
    const guard = (event: DragEvent) => event.preventDefault();
    window.addEventListener('drop', guard);
    onCleanup(() => window.removeEventListener('drop', guard));
  });

  return (
    <>
      <input
        ref={picker}
        class="offscreen"
        type="file"
        multiple
        tabindex="-1"
        aria-hidden="true"
        data-pick=""
        onChange={() => take([...(picker.files ?? [])], picks)}
      />
      <Switch>
        <Match when={now().is === 'opening' && (now() as { what: string; done?: number })}>
          {one => (
            <div class="opening" role="status">
              <div class="opening-bar" classList={{ known: one().done !== undefined }}>
                <div style={{ transform: `scaleX(${one().done ?? 0})` }} />
              </div>
              <p>{printable(one().what, 300)}</p>
            </div>
          )}
        </Match>
        <Match when={now().is === 'empty' && (now() as { problem?: string })}>
          {one => (
            <StartPage
              problem={one().problem ?? problem()}
              canOpen={hasEngine()}
              served={manifest.server === true}
              hasStore={manifest.history !== undefined}
              onOpen={() => pick('open')}
            />
          )}
        </Match>
        <Match when={current()}>
          {opened => (
            <Show when={opened()} keyed>
              {one => (
                <Shell
                  app={createApp(one)}
                  problem={problem()}
                  onProblemSeen={() => setProblem('')}
                  inputs={one.inputs}
                  onOpen={hasEngine() ? pick : null}
                  onSwap={one.kind === 'page' && one.inputs.some(input => input.side === 'before') ? swap : null}
                />
              )}
            </Show>
          )}
        </Match>
      </Switch>
      <Show when={hasEngine()}>
        <DropLayer compareWith={current()?.profile.title ?? null} onDrop={take} />
      </Show>
    </>
  );
}
