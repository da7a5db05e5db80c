// One place to give away what is shown: a report that opens at it, a picture with its title, a link.

import { createSignal, For, type JSX, Show } from 'solid-js';
import { unwrap } from 'solid-js/store';
import type { App } from '../app/app';
import { Dialog } from '../components/dialog';
import { day } from '../model/format';
import { oldTitle, profileTitle } from '../model/history_state';
import { captionOf, mostOfNote, noteOf, sharedFragment } from '../model/share';
import { viewOf } from '../model/views';
import { printable } from '../model/visible';
import { hasEngine, type Input } from '../opening/opening';
import { savePage } from './save';
import './share.css';

export function ShareDialog(props: { app: App; inputs: Input[]; onClose(): void }): JSX.Element {
  const { app } = props;
  const { has } = app.profile();
  const [note, setNote] = createSignal(app.note);
  const [sources, setSources] = createSignal(false);
  const [code, setCode] = createSignal(false);
  const [isBusy, setBusy] = createSignal(false);
  const hasCode = has.machine_code === true && props.inputs.some(input => input.code);
  const pictures = app.pictures.all().filter(one => /\((SVG|PNG)\)$/.test(one.label));

  async function saveReport() {
    const text = noteOf(note());
    setBusy(true);
    await savePage(app, props.inputs, {
      sources: sources(),
      code: code(),
      shared: { at: sharedFragment(unwrap(app.state)), ...(text && { note: text }) },
    });
    setBusy(false);
  }
  function caption(): string[] {
    const total = app.measure.total();
    const view = viewOf(app.state.view);
    const { selection } = app.state;
    const old = app.measure.comparing() ? ` compared with ${oldTitle(app.profile())}` : '';
    return captionOf({
      title: profileTitle(app.profile()) + old,
      view: view.ofFunction && selection ? `${view.title} of ${app.names.short(selection)}` : view.title,
      total: total === null ? '' : `total ${app.measure.spelled(total)} ${printable(app.measure.event(), 80)}`,
      filters: app.state.chips.map(chip => `${chip.kind} ${chip.pattern}`),
      day: day(Date.now() / 1000),
      note: noteOf(note()),
    });
  }
  function copyLink() {
    const address = `${location.href.replace(/#.*/s, '')}#${sharedFragment(unwrap(app.state))}`;
    void app.copy(address, 'the link');
  }

  return (
    <Dialog title="Share this view" class="share" onClose={props.onClose}>
      <div class="dialog-body">
        <label class="share-note">
          Note, in the report and on pictures
          <input
            type="text"
            class="field"
            data-first=""
            maxlength={mostOfNote}
            placeholder="What to look at"
            value={note()}
            onInput={event => setNote(event.currentTarget.value)}
          />
        </label>
        <Show when={hasEngine()}>
          <section>
            <h3>Report</h3>
            <p>
              One HTML file that opens at this view, without a network and without callcost. It contains this page, the
              state of the view, and:
            </p>
            <ul class="share-inside">
              <For each={props.inputs}>
                {input => (
                  <li>
                    the profile {printable(input.name, 100)}: costs, names and paths of functions, files and programs,
                    the command line
                  </li>
                )}
              </For>
              <li>
                <label>
                  <input
                    type="checkbox"
                    checked={sources()}
                    disabled={!has.sources}
                    onChange={event => setSources(event.currentTarget.checked)}
                  />{' '}
                  source files{has.sources ? ': the text of all that have cost and are found' : ': none are known'}
                </label>
              </li>
              <li>
                <label>
                  <input
                    type="checkbox"
                    checked={code()}
                    disabled={!hasCode}
                    onChange={event => setCode(event.currentTarget.checked)}
                  />{' '}
                  machine code{hasCode ? ' of the most expensive functions' : ': none is known'}
                </label>
              </li>
            </ul>
            <button type="button" class="button main" disabled={isBusy()} onClick={() => void saveReport()}>
              {isBusy() ? 'Saving…' : 'Save report'}
            </button>
          </section>
        </Show>
        <section>
          <h3>Picture</h3>
          <Show
            when={pictures.length > 0}
            fallback={<p class="muted">This view has no picture: flame graphs, treemaps and graphs have.</p>}
          >
            <p>With title, total, date and note above it.</p>
            <div class="share-buttons">
              <For each={pictures}>
                {picture => (
                  <button type="button" class="button" onClick={() => picture.save(caption())}>
                    {picture.label}
                  </button>
                )}
              </For>
            </div>
          </Show>
        </section>
        <section>
          <h3>Link</h3>
          <p>
            {app.kind === 'server'
              ? 'It works on this computer while callcost runs, and contains the secret token of its server, so give it to nobody.'
              : 'It needs this page or file. It contains names of functions and filters, but no profile.'}
          </p>
          <button type="button" class="button" onClick={copyLink}>
            Copy link
          </button>
        </section>
      </div>
    </Dialog>
  );
}
