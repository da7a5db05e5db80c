// Where the cost is, in a few sentences of the engine's. What they name can be gone to.

import { createSignal, For, type JSX, Match, Show, Switch } from 'solid-js';
import type { App } from '../../app/app';
import { recall, remember } from '../../app/storage';
import { countText } from '../../components/function_columns';
import { IconButton } from '../../components/icon_button';
import { useIsPhone } from '../../components/media';
import { percent, signed } from '../../model/format';
import { atLevel } from '../../model/levels';
import { printable } from '../../model/visible';
import { share } from '../../protocol/cost';
import type { Func, SummaryPiece } from '../../protocol/protocol';
import './summary.css';

const option = 'functions.summary';

export function hasSummary(app: App): boolean {
  return app.navigation.option(option, recall('summary') ?? 'yes') === 'yes';
}

export function showSummary(app: App, shown: boolean) {
  const choice = shown ? 'yes' : 'no';
  remember('summary', choice);
  app.navigation.setOption(option, choice);
}

function Piece(props: { app: App; piece: SummaryPiece; onGo(func: Func): void }): JSX.Element {
  const { app } = props;
  const text = () => printable(props.piece.text);
  const link = (title: string, run: () => void) => (
    <button type="button" class="link summary-link" title={title} onClick={run}>
      {text()}
    </button>
  );
  return (
    <Switch fallback={text()}>
      <Match when={props.piece.line !== undefined && props.piece.function}>
        {func => link(printable(props.piece.file!.name), () => app.selection.activate(func(), 'source'))}
      </Match>
      <Match when={props.piece.function}>{func => link(app.names.full(func()), () => props.onGo(func()))}</Match>
      <Match when={props.piece.change !== undefined}>
        <span class={`summary-cost ${props.piece.change! > 0 ? 'more' : 'less'}`}>{signed(props.piece.change!)}</span>
      </Match>
      <Match when={props.piece.count !== undefined}>{countText(props.piece.count!, props.piece.at_least)}</Match>
      <Match when={props.piece.cost !== undefined}>
        <span class="summary-cost" title={app.measure.full(props.piece.cost!)}>
          {percent(share(props.piece.cost!, app.measure.base()))}
        </span>
      </Match>
      <Match when={props.piece.cycle}>
        {cycle =>
          link('The functions of this cycle', () =>
            app.navigation.update({ group: { by: 'cycle', name: `<cycle ${cycle()}>` } }),
          )
        }
      </Match>
    </Switch>
  );
}

export function Sentences(props: {
  app: App;
  about?: App['imported']; // what was read
  sentences: SummaryPiece[][];
  onGo(func: Func): void;
}): JSX.Element {
  return (
    <div class="summary-text">
      <For each={props.about}>
        {({ summary, oddities }) => (
          <p class="summary-about">
            {printable(summary, 600)}
            <Show when={oddities}>{text => <span class="muted"> ({printable(text(), 600)})</span>}</Show>
          </p>
        )}
      </For>
      <For each={props.sentences}>
        {sentence => (
          <p>
            <For each={sentence}>{piece => <Piece app={props.app} piece={piece} onGo={props.onGo} />}</For>
          </p>
        )}
      </For>
    </div>
  );
}

export function Summary(props: { app: App }): JSX.Element {
  const { app } = props;
  const answer = app.answers.follow(() => app.answers.question({ ask: 'summary' as const }));
  const isPhone = useIsPhone();
  const [more, setMore] = createSignal(false); // on a phone it begins with its first sentence
  const isWhole = () => !isPhone() || more();
  return (
    <Show when={answer.value()?.sentences.length ? answer.value()!.sentences : null}>
      {sentences => (
        <section class="summary" aria-label="Summary">
          <Sentences
            app={app}
            about={app.imported}
            sentences={isWhole() ? sentences() : sentences().slice(0, 1)}
            onGo={func => {
              if (app.state.level !== 'function') app.navigation.update(atLevel(app.state, 'function'), 'replace');
              app.selection.select(func);
            }}
          />
          <Show when={!isWhole() && sentences().length > 1}>
            <button type="button" class="button quiet" onClick={() => setMore(true)}>
              More
            </button>
          </Show>
          <IconButton
            icon="close"
            label="Hide the summary"
            title="Hide the summary"
            onPress={() => showSummary(app, false)}
          />
        </section>
      )}
    </Show>
  );
}
