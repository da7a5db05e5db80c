// The result and the profiles; the totals of all event types.

import { createMemo, For, type JSX, Show } from 'solid-js';
import type { App } from '../../app/app';
import { CostText } from '../../components/cost_text';
import { Icon } from '../../components/icon';
import { IconButton } from '../../components/icon_button';
import { keptText, reportText, verdict } from '../../model/difference';
import { entryTitle } from '../../model/history_state';
import { baseName } from '../../model/names';
import { printable } from '../../model/visible';
import type { DifferenceAnswer, Entry } from '../../protocol/protocol';
import { Sentences } from '../functions/summary';
import { Delta, NumberHead } from './report_table';

export function Head(props: { app: App; answer: DifferenceAnswer }): JSX.Element {
  const { app } = props;
  const summary = app.answers.follow(() => ({
    ...app.answers.question({ ask: 'summary' as const }),
    compare: true,
  }));
  const said = () => verdict(props.answer.total_before, props.answer.total);
  const eventName = () => {
    const type = app.profile().events.find(one => one.name === app.measure.event());
    return printable(type?.long_name ? `${type.long_name} (${type.name})` : app.measure.event(), 100);
  };
  const comparable = () => props.answer.comparable;
  const files = (of: { files: { name: string }[] } | undefined, entry: Entry | undefined) =>
    entry ? entryTitle(entry) : printable(of?.files.map(file => baseName(file.name)).join(', ') || 'profile', 200);
  const copy = () =>
    void app.copy(
      reportText(props.answer, app.measure.event(), row => row.name + (row.context ?? '')),
      'the report',
    );
  return (
    <header class="difference-head">
      <div class="difference-verdict">
        <h2>
          <Show when={said()} fallback={`${eventName()} is not additive`}>
            {of => (
              <>
                <Show when={of().direction !== 'same'}>
                  <span class={`difference-mark ${of().direction}`} aria-hidden="true">
                    {of().direction === 'more' ? '▲' : '▼'}
                  </span>{' '}
                </Show>
                {of().text} {of().direction === 'same' ? 'in ' : ''}
                {eventName()}
              </>
            )}
          </Show>
        </h2>
        <IconButton icon="copy" title="Copy this report as text" onPress={copy}>
          Copy
        </IconButton>
      </div>
      <p class="difference-numbers">
        <span class="muted">{files(app.profile().before, app.profile().entry_before)}</span>{' '}
        {props.answer.total_before !== null && <CostText app={app} cost={props.answer.total_before} />}{' '}
        <span class="muted">→ {files(app.profile(), app.profile().entry)}</span>{' '}
        {props.answer.total !== null && <CostText app={app} cost={props.answer.total} />}{' '}
        <Show when={said() && said()?.direction !== 'same'}>
          <Delta app={app} before={props.answer.total_before ?? 0} after={props.answer.total ?? 0} />
        </Show>
      </p>
      <Show when={keptText(props.answer)}>
        {kept => (
          <p class="difference-numbers" role="note">
            <span class="muted">Listed by the filters:</span> {kept()}
          </p>
        )}
      </Show>
      <Show when={summary.value()?.sentences.length ? summary.value()!.sentences : undefined}>
        {sentences => (
          <section class="difference-summary" aria-label="Summary">
            <Sentences
              app={app}
              sentences={sentences()}
              onGo={func => app.selection.activate(func, app.profile().has.calls ? 'callers' : 'source')}
            />
          </section>
        )}
      </Show>
      <Show when={comparable()}>
        {commands => (
          <div class="difference-warning" role="note">
            <Icon name="warning" />
            <div>
              Two different commands were measured: differences may be due to that alone.
              <dl>
                <dt>Before</dt>
                <dd>
                  <code>{printable(commands().command_before, 600)}</code>
                </dd>
                <dt>After</dt>
                <dd>
                  <code>{printable(commands().command, 600)}</code>
                </dd>
              </dl>
            </div>
          </div>
        )}
      </Show>
      <Show when={!app.measure.comparing()}>
        <p class="difference-off">
          The other views show only the new profile.{' '}
          <button type="button" class="button" onClick={() => app.navigation.update({ compare: true })}>
            Compare in all views
          </button>
        </p>
      </Show>
    </header>
  );
}

// All event types at once, if there are several.
export function Events(props: { app: App }): JSX.Element {
  const { app } = props;
  const before = () => app.profile().before?.events ?? [];
  const names = createMemo(() => {
    const known = new Set(before().map(type => type.name));
    return app.profile().events.filter(type => known.has(type.name) && !type.formula);
  });
  const totals = app.answers.follow(() =>
    names().length > 1
      ? {
          ...app.answers.question({ ask: 'functions' as const, limit: 1, columns: names().map(type => type.name) }),
          compare: true,
        }
      : null,
  );
  return (
    <Show when={names().length > 1 && totals.value()}>
      {answer => (
        <table class="difference-table difference-events">
          <caption>All event types</caption>
          <thead>
            <tr>
              <th scope="col">Event type</th>
              <NumberHead>Before</NumberHead>
              <NumberHead>After</NumberHead>
              <NumberHead>Change</NumberHead>
            </tr>
          </thead>
          <tbody>
            <For each={answer().columns}>
              {(name, column) => {
                const old = () => answer().total_before?.[column()] ?? null;
                const now = () => answer().total[column()] ?? null;
                const long = () => names().find(type => type.name === name)?.long_name;
                return (
                  <tr>
                    <th scope="row">
                      <button
                        type="button"
                        class="link"
                        aria-current={name === app.measure.event() ? 'true' : undefined}
                        title="Use this event type"
                        onClick={() => app.navigation.update({ event: name === app.profile().event ? null : name })}
                      >
                        {printable(name, 60)}
                      </button>{' '}
                      <span class="muted">{printable(long() ?? '', 60)}</span>
                    </th>
                    <td class="number">{old() === null ? '–' : <CostText app={app} cost={old()!} event={name} />}</td>
                    <td class="number">{now() === null ? '–' : <CostText app={app} cost={now()!} event={name} />}</td>
                    <td class="number">
                      <Show when={old() !== null && now() !== null} fallback="–">
                        <Delta app={app} before={old() ?? 0} after={now() ?? 0} event={name} ratio />
                      </Show>
                    </td>
                  </tr>
                );
              }}
            </For>
          </tbody>
        </table>
      )}
    </Show>
  );
}
