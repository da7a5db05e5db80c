// Source files with what their lines cost: of one function, or of all.

import { createEffect, createMemo, createSignal, For, type JSX, Match, Show, Switch } from 'solid-js';
import type { App } from '../../app/app';
import type { Measure } from '../../app/measure';
import { ActionButton } from '../../components/action_button';
import { EmptyState } from '../../components/empty_state';
import { SelectedName } from '../../components/function_columns';
import { IconButton } from '../../components/icon_button';
import { MenuButton, type MenuItem } from '../../components/menu';
import { Problem } from '../../components/problem';
import { Segmented } from '../../components/segmented';
import { SidePanel } from '../../components/side_panel';
import { weightOf } from '../../model/code_rows';
import { counted, exact, percentBrief } from '../../model/format';
import { baseName } from '../../model/names';
import { belowLine, hottestLine, shownLine } from '../../model/source_rows';
import { printable } from '../../model/visible';
import { add, type Cost, compare, isZero, share } from '../../protocol/cost';
import type { SourceAnswer } from '../../protocol/protocol';
import { Stops, useWalk } from '../listings/walk';
import { Warning } from '../listings/warning';
import { matchingLines } from './find';
import { PlaceLists } from './place_lists';
import { chosenPlace, goToPlace, optionsAt, rememberFiles, useFileId } from './places';
import './source.css';
import { SourceListing } from './source_listing';

export function SourceView(props: { app: App }): JSX.Element {
  const { app } = props;
  const place = createMemo(() => chosenPlace(app), undefined, {
    equals: (a, b) => a.file === b.file && a.line === b.line,
  });
  const hasSelection = () => app.selection.selected() !== null;
  const of = () => (hasSelection() && app.navigation.option('source.of', 'function') !== 'file' ? 'function' : 'file');
  const side = () => app.navigation.option('source.side', 'no');
  // If little of a function's cost is in its own file, the file with most of it is shown first.
  const [most, setMost] = createSignal<{ of: string; file?: string }>(
    { of: '' },
    { equals: (a, b) => a.of === b.of && a.file === b.file },
  );
  const selection = () => JSON.stringify(app.state.selection);
  const elsewhere = () => (most().of === selection() ? most().file : undefined);
  const fileId = useFileId(app, () => place().file ?? (of() === 'function' ? elsewhere() : undefined));

  const question = createMemo(() => {
    const id = fileId();
    if (id === undefined) return null;
    if (of() === 'file') return id === null ? null : app.answers.question({ ask: 'source' as const, file: id });
    const func = app.selection.selected()?.id;
    if (func === undefined) return null;
    return app.answers.question({ ask: 'source' as const, function: func, ...(id !== null && { file: id }) });
  });
  const source = app.answers.follow(question);
  createEffect(() => {
    const answer = source.value();
    if (answer) rememberFiles(app, [answer.file, ...(answer.files ?? [])]);
  });
  createEffect(() => {
    const answer = source.value();
    if (answer?.files && answer.files[0]?.name === answer.file.name && source.current() && of() === 'function')
      setMost({ of: selection(), file: mostIsPlaced(answer) ? undefined : whereMostIs(answer.files) });
  });
  const shown = createMemo(() => (question() === null ? undefined : source.value()));

  return (
    <Show
      when={place().file !== undefined || hasSelection()}
      fallback={
        <div class="source">
          <PlaceLists app={app} wide />
        </div>
      }
    >
      <div class="source">
        <Show when={side() !== 'no'}>
          <SidePanel
            name="source"
            label="Width of the lists"
            title="Hot lines and files"
            usual={380}
            least={220}
            most={800}
            class="source-side"
          >
            <PlaceLists app={app} />
          </SidePanel>
        </Show>
        <Switch fallback={<p class="view-note">{source.waiting() ? 'Looking…' : ''}</p>}>
          <Match when={source.error()}>{error => <Problem error={error()} />}</Match>
          <Match when={of() === 'file' && fileId() === null}>
            <EmptyState
              title="No cost in this file"
              text={`${printable(place().file ?? '', 300)} is not in the profile, or has no cost in the selected parts.`}
            >
              <button type="button" class="button" onClick={() => goToPlace(app, null, {}, 'function')}>
                Hot lines and files
              </button>
            </EmptyState>
          </Match>
          <Match when={shown()}>
            {answer => <Opened app={app} answer={answer()} of={of()} elsewhere={elsewhere() !== undefined} />}
          </Match>
        </Switch>
      </div>
    </Show>
  );
}

// Most of what was inlined is at lines of the function's own file.
function mostIsPlaced({ inlined, lines }: SourceAnswer): boolean {
  const rest = lines.find(line => line.line === 0)?.with_inlined?.[0] ?? 0;
  return inlined !== undefined && compare(add(rest, rest), inlined.self[0] ?? 0) < 0;
}

function whereMostIs(files: NonNullable<SourceAnswer['files']>): string | undefined {
  const [own] = files;
  const part = share(
    own?.self ?? 0,
    files.reduce<Cost>((sum, file) => add(sum, file.self), 0),
  );
  if (!own || part === null || part >= 0.1) return undefined;
  const most = files.reduce((best, file) => (compare(file.self, best.self) > 0 ? file : best), own);
  return most === own ? undefined : most.name;
}

// The present file. What was chosen in it stays while the answer only has other numbers.
// `elsewhere`: the file of the function has to be named, as the view does not begin with it.
function Opened(props: { app: App; answer: SourceAnswer; of: 'function' | 'file'; elsewhere: boolean }): JSX.Element {
  const { app } = props;
  const isOwn = () =>
    !props.elsewhere && props.of === 'function' && props.answer.files?.[0]?.name === props.answer.file.name;
  const walk = useWalk(app, 'source', {
    where: createMemo(() => JSON.stringify([props.answer.file.name, props.of, app.state.selection])),
    inAddress() {
      const place = chosenPlace(app);
      return (place.file ?? props.answer.file.name) === props.answer.file.name ? place.line : undefined;
    },
    save(line) {
      const place = { ...(isOwn() ? {} : { file: props.answer.file.name }), line };
      app.navigation.update({ options: optionsAt(app.state, app.state.selection, place) }, 'replace');
    },
    hottest: () => hottestLine(props.answer.lines, app.measure.comparing()),
    weights: () =>
      props.answer.lines
        .filter(one => one.line > 0)
        .map(one => ({ at: one.line, cost: weightOf(shownLine(one), app.measure.comparing()) })),
    found: wanted => matchingLines(props.answer.text, wanted),
  });
  const { active: line, stops, unfoldAll } = walk;
  const hotText = () =>
    counted(stops().length, app.measure.comparing() ? 'changed line' : 'hot line').replace(/^\S+ /, '');
  const hasBelow = createMemo(() => props.answer.lines.some(one => belowLine(one) > 0));

  return (
    <div class="source-main">
      <div class="view-bar source-bar">
        <IconButton
          icon="panelLeft"
          title="Hot lines and files"
          pressed={app.navigation.option('source.side', 'no') !== 'no'}
          onPress={() =>
            app.navigation.setOption(
              'source.side',
              app.navigation.option('source.side', 'no') === 'no' ? 'lines' : null,
            )
          }
        >
          <span class="source-wide">Hot lines</span>
        </IconButton>
        <Show when={props.of === 'function'}>
          <SelectedName app={app} />
        </Show>
        <FilePicker app={app} answer={props.answer} elsewhere={props.elsewhere} />
        <Show when={app.state.selection}>
          <Segmented
            label="Costs of"
            choices={[
              { value: 'function', label: 'Function', hint: 'Line costs within this function' },
              { value: 'file', label: 'Whole file', hint: 'Line costs in all functions' },
            ]}
            value={props.of}
            onChange={value =>
              goToPlace(
                app,
                null,
                { file: value === 'file' || !isOwn() ? props.answer.file.name : undefined, line: line() },
                value,
              )
            }
          />
        </Show>
        <Share measure={app.measure} answer={props.answer} of={props.of} />
        <span class="view-bar-gap" />
        <Stops walk={walk} what="line" hot={hotText()} />
        <Show when={hasBelow()}>
          <IconButton
            icon="unfold"
            title="Show all calls and jumps ( u )"
            pressed={unfoldAll()}
            onPress={walk.toggleUnfold}
          >
            <span class="source-wide">Calls</span>
          </IconButton>
        </Show>
        <Show when={props.of === 'function' && app.profile().has.instructions}>
          <IconButton
            icon="beside"
            title="Machine code beside the source"
            onPress={() => {
              app.navigation.setOption('code.beside', 'source');
              app.navigation.go('code');
            }}
          >
            <span class="source-wide">Code</span>
          </IconButton>
        </Show>
      </div>
      <Show when={props.of === 'function' && (props.answer.files?.length ?? 0) > 1}>
        <FileTabs app={app} answer={props.answer} elsewhere={props.elsewhere} />
      </Show>
      <SourceNotes app={app} answer={props.answer} of={props.of} />
      <SourceListing
        app={app}
        answer={props.answer}
        line={line()}
        onLine={walk.choose}
        goTo={walk.goTo()}
        unfoldAll={unfoldAll()}
        search={walk.search()}
      />
    </div>
  );
}

const mostTabs = 6;

// The files that the function has lines in, most expensive first; the others are in the menu of files.
function FileTabs(props: { app: App; answer: SourceAnswer; elsewhere: boolean }): JSX.Element {
  const { app } = props;
  const files = () => props.answer.files ?? [];
  const own = () => files()[0];
  const tabs = () => {
    const ranked = [...files()].sort((a, b) => compare(b.self, a.self)).slice(0, mostTabs);
    const here = files().find(file => file.name === props.answer.file.name);
    return here && !ranked.includes(here) ? [...ranked.slice(0, mostTabs - 1), here] : ranked;
  };
  return (
    <nav class="source-tabs" aria-label="Files of the function">
      <For each={tabs()}>
        {file => (
          <button
            type="button"
            class="source-tab"
            aria-current={file.name === props.answer.file.name ? 'true' : undefined}
            title={printable(file === own() ? file.name : `${file.name}: inlined into the function`, 600)}
            onClick={() =>
              goToPlace(app, null, file === own() && !props.elsewhere ? {} : { file: file.name }, 'function')
            }
          >
            <span class="name">{printable(baseName(file.name) || '(unknown)', 60)}</span>{' '}
            <span class="muted number">{percentBrief(share(file.self, app.measure.base()) ?? 0)}</span>
          </button>
        )}
      </For>
      <Show when={files().length > tabs().length}>
        <span class="muted">and {counted(files().length - tabs().length, 'more file')}</span>
      </Show>
    </nav>
  );
}

function Share(props: { measure: Measure; answer: SourceAnswer; of: 'function' | 'file' }): JSX.Element {
  const part = () => share(props.answer.self[0] ?? 0, props.measure.base());
  // Of the function in all its files.
  const all = () => {
    const files = props.answer.files ?? [];
    if (props.of === 'file' || files.length < 2) return null;
    return share(
      files.reduce<Cost>((sum, file) => add(sum, file.self), 0),
      props.measure.base(),
    );
  };
  return (
    <span
      class="muted number source-share"
      title={`${exact(props.answer.self[0] ?? 0)} ${printable(props.measure.event(), 40)}`}
    >
      <Show when={part() !== null}>
        {all() === null
          ? `self ${percentBrief(part() ?? 0)}`
          : `self ${percentBrief(part() ?? 0)} of ${percentBrief(all() ?? 0)} in this file`}
      </Show>
    </span>
  );
}

// The files that the function's code is in; the others are in the list of files.
function FilePicker(props: { app: App; answer: SourceAnswer; elsewhere: boolean }): JSX.Element {
  const { app } = props;
  const path = () => props.answer.path || props.answer.file.name;
  const items = (): MenuItem[] => {
    const files = props.answer.files ?? [];
    const choice = (file: (typeof files)[number], own: boolean): MenuItem => ({
      kind: 'radio',
      label: printable(file.name || '(unknown)', 120),
      detail: percentBrief(share(file.self, app.measure.base()) ?? 0),
      checked: file.name === props.answer.file.name,
      run: () => goToPlace(app, null, own && !props.elsewhere ? {} : { file: file.name }, 'function'),
    });
    const [own, ...inlined] = files;
    return [
      ...(own ? [{ kind: 'title' as const, label: 'The file of the function' }, choice(own, true)] : []),
      ...(inlined.length > 0 ? [{ kind: 'title' as const, label: 'Inlined from' }] : []),
      ...inlined.slice(0, 40).map(file => choice(file, false)),
      { kind: 'title', label: 'All files' },
      { label: 'Files by cost…', run: () => app.navigation.setOption('source.side', 'files') },
    ];
  };
  return (
    <MenuButton
      label="Files"
      title={`File: ${printable(path() || 'unknown', 600)}`}
      class="button quiet source-file"
      text={<span class="name">{printable(baseName(path()) || '(unknown file)', 200)}</span>}
      items={items}
    />
  );
}

// Warnings about the text.
function SourceNotes(props: { app: App; answer: SourceAnswer; of: 'function' | 'file' }): JSX.Element {
  const { answers, measure } = props.app;
  const [shows, setShows] = createSignal(false);
  async function show(directory: string) {
    setShows(true);
    await answers
      .ask({ ask: 'source', file: props.answer.file.id, show_sources_in: directory })
      .then(answers.again, (reason: Error) => props.app.toasts.show(printable(reason.message, 400)))
      .finally(() => setShows(false));
  }
  const removed = () => (measure.comparing() ? (props.answer.removed ?? []) : []);
  const removedCost = () => removed().reduce<Cost>((sum, line) => add(sum, line.self_before[0] ?? 0), 0);
  const inlined = () =>
    props.of === 'function' &&
    props.answer.files?.[0] !== undefined &&
    props.answer.files[0].name !== props.answer.file.name;
  return (
    <>
      <Show when={props.answer.problem}>
        {problem => (
          <Warning>
            No source text: {printable(problem().message, 400)}.
            <Show when={problem().hint}>{hint => <span class="muted"> {printable(hint(), 400)}</span>}</Show>
            <Show when={props.answer.withheld_in}>
              {directory => (
                <ActionButton
                  text={`Show sources from ${printable(directory(), 200)}`}
                  waits={shows()}
                  onPress={() => void show(directory())}
                />
              )}
            </Show>
          </Warning>
        )}
      </Show>
      <Show when={props.answer.is_newer}>
        <Warning>The file was changed after the profile was recorded: costs may be next to the wrong lines.</Warning>
      </Show>
      <Show when={props.answer.is_guess}>
        <Warning>
          Found by the end of its name only; may be another file: {printable(props.answer.path, 300)}
          <span class="muted"> (recorded as {printable(props.answer.file.name, 300)})</span>
        </Warning>
      </Show>
      <Show when={inlined()}>
        <p class="source-strip" role="note">
          Inlined into the function from {printable(baseName(props.answer.file.name), 120)}.
        </p>
      </Show>
      <Show when={removed().length > 0 && !isZero(removedCost())}>
        <p class="source-strip" role="note">
          {counted(removed().length, 'line')} removed, which cost {measure.spelled(removedCost())}{' '}
          {printable(measure.event(), 40)}.
        </p>
      </Show>
    </>
  );
}
