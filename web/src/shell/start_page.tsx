import { For, type JSX, Show } from 'solid-js';
import { recentFiles } from '../app/storage';
import { Icon } from '../components/icon';
import { ProblemLines } from '../components/problem';
import { printable } from '../model/visible';
import { Mark } from './header';
import './start_page.css';

export function StartPage(props: { problem: string; canOpen: boolean; served: boolean; onOpen(): void }): JSX.Element {
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
      <Show
        when={props.canOpen}
        fallback={
          <Show when={!props.served}>
            <p>This page has no engine in it. It shows profiles that the command opens:</p>
            <pre>callcost view FILE</pre>
          </Show>
        }
      >
        <button type="button" class="start-drop" onClick={() => props.onOpen()}>
          <Icon name="open" />
          <strong>Drop a profile here, or choose one</strong>
          <span class="muted">Two profiles are compared. Parts of one run belong together.</span>
        </button>
        <p class="muted">
          Profiles in the Callgrind format: of Valgrind’s Callgrind and Cachegrind, Xdebug, pprof and many more;
          compressed with gzip, too. Nothing leaves this computer.
        </p>
        <Show when={recent.length > 0}>
          <section>
            <h2>Opened lately</h2>
            <ul>
              <For each={recent}>{name => <li>{printable(name, 200)}</li>}</For>
            </ul>
            <p class="muted">The browser keeps their names only: choose or drop them again.</p>
          </section>
        </Show>
      </Show>
    </main>
  );
}
