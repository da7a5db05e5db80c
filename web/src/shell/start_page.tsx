import { For, type JSX, Show } from 'solid-js';
import { recentFiles } from '../app/storage';
import { Icon } from '../components/icon';
import { Mark } from '../components/mark';
import { ProblemLines } from '../components/problem';
import { historyAddress } from '../model/history_state';
import { printable } from '../model/visible';
import './start_page.css';

export function StartPage(props: {
  problem: string;
  canOpen: boolean;
  served: boolean;
  hasStore: boolean;
  onOpen(): void;
}): JSX.Element {
  const recent = recentFiles();
  return (
    <main class="start">
      <h1>
        <Mark /> callcost
      </h1>
      <Show when={props.problem}>
        <p class="start-problem" role="alert">
          <ProblemLines text={props.problem} />
        </p>
      </Show>
      <Show when={props.hasStore}>
        <p>
          <a class="button" href={historyAddress({})}>
            Show the history
          </a>
        </p>
      </Show>
      <Show
        when={props.canOpen}
        fallback={
          <Show when={!props.served}>
            <p>This page was built without an engine. Open profiles with the command:</p>
            <pre>callcost view FILE</pre>
          </Show>
        }
      >
        <button type="button" class="start-drop" onClick={() => props.onOpen()}>
          <Icon name="open" />
          <strong>Drop a profile here, or choose one</strong>
          <span class="muted">Two profiles are compared. Parts of one run are read together.</span>
        </button>
        <p class="muted">
          Callgrind profiles, as written by Callgrind, Cachegrind, Xdebug and others; profiles of pprof, perf script,
          Python, Node.js, Ruby, Chrome, Firefox, speedscope, DHAT, Massif and others; gzip is supported. Nothing leaves
          this computer.
        </p>
        <Show when={recent.length > 0}>
          <section>
            <h2>Recent files</h2>
            <ul>
              <For each={recent}>{name => <li>{printable(name, 200)}</li>}</For>
            </ul>
            <p class="muted">Only names are kept: choose or drop the files again.</p>
          </section>
        </Show>
      </Show>
    </main>
  );
}
