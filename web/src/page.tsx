// The page as a whole: a profile that is being opened, an opened one, or the invitation to drop one.

import { createSignal, type JSX, Match, onCleanup, onMount, Show, Switch } from 'solid-js';
import { create_app } from './app';
import { AnswerError } from './engine/receive';
import type { Side } from './engine/wasm_engine';
import type { OpenProgress } from './engine/worker';
import { profiles_of } from './model/dropped';
import { printable } from './model/visible';
import { has_engine, type Input, input_of, manifest, type Opened, open_inputs, open_own } from './opening';
import { DropLayer, type DropTarget } from './shell/drop_layer';
import { Shell } from './shell/shell';
import { StartPage } from './shell/start_page';
import { add_recent } from './storage';

type Now =
  | { is: 'opening'; what: string; done?: number }
  | { is: 'empty'; problem?: string }
  | { is: 'open'; opened: Opened };

function words_of(reason: unknown): string {
  if (!(reason instanceof Error)) return String(reason);
  return reason instanceof AnswerError && reason.hint ? `${reason.message}\n${reason.hint}` : reason.message;
}

const on_side = (inputs: Input[], side: Side) => inputs.map(input => ({ ...input, side }));

export function Page(): JSX.Element {
  const [now, set_now] = createSignal<Now>({ is: 'opening', what: 'Opening…' });
  const [problem, set_problem] = createSignal('');
  let picker!: HTMLInputElement;
  let picks: DropTarget = 'open';
  let openings = 0;
  let last: Opened | null = null; // stays when the next one cannot be opened

  const current = () => {
    const one = now();
    return one.is === 'open' ? one.opened : null;
  };

  // Whoever begins last wins: an opening that another one has overtaken is forgotten.
  async function open(
    what: string,
    begin: (progress: OpenProgress) => Promise<Opened | null>,
    names: readonly string[] = [],
  ) {
    const opening = ++openings;
    const is_overtaken = () => opening !== openings;
    set_problem('');
    set_now({ is: 'opening', what });
    try {
      const opened = await begin((name, done, total) => {
        if (is_overtaken()) return;
        const reading = { is: 'opening', what: `Reading ${name}…` } as const;
        set_now(total > 0 ? { ...reading, done: done / total } : reading);
      });
      if (is_overtaken()) return opened?.engine.close();
      if (names.length > 0) add_recent([...names]);
      const before = last;
      last = opened;
      set_now(opened ? { is: 'open', opened } : { is: 'empty' });
      before?.engine.close();
    } catch (reason) {
      if (is_overtaken()) return;
      const words = words_of(reason);
      if (last) {
        set_now({ is: 'open', opened: last });
        set_problem(words);
      } else set_now({ is: 'empty', problem: words });
    }
  }

  function take(files: File[], target: DropTarget) {
    if (files.length === 0) return;
    const profiles = profiles_of(files);
    const was_open = current();
    const names = files.map(file => file.name);
    const inputs = profiles.flatMap((run, at) =>
      run.map(file => input_of(file, at === profiles.length - 1 ? 'after' : 'before')),
    );
    const words = `Reading ${names.join(', ')}…`;
    if (profiles.length > 2) {
      set_problem('Two profiles can be compared, not more. Parts of one run are named callgrind.out.PID.PART.');
    } else if (target === 'compare' && was_open && profiles.length === 1) {
      const first = on_side(
        was_open.inputs.filter(input => input.side === 'after'),
        'before',
      );
      void open(words, progress => open_inputs([...first, ...inputs], progress), names);
    } else {
      if (was_open) history.replaceState(null, '', '#');
      void open(words, progress => open_inputs(inputs, progress), names);
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
    void open('Swapping…', progress => open_inputs(inputs, progress));
  }

  onMount(() => void open('Opening…', open_own));
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
              can_open={has_engine()}
              served={manifest.server === true}
              on_open={() => pick('open')}
            />
          )}
        </Match>
        <Match when={current()}>
          {opened => (
            <Show when={opened()} keyed>
              {one => (
                <Shell
                  app={create_app(one)}
                  problem={problem()}
                  on_problem_seen={() => set_problem('')}
                  inputs={one.inputs}
                  on_open={has_engine() ? pick : null}
                  on_swap={one.kind === 'page' && one.inputs.some(input => input.side === 'before') ? swap : null}
                />
              )}
            </Show>
          )}
        </Match>
      </Switch>
      <Show when={has_engine()}>
        <DropLayer compare_with={current()?.profile.title ?? null} on_drop={take} />
      </Show>
    </>
  );
}
