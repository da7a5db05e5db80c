// The machine code of a function, alone or beside its source.

import { createEffect, createMemo, createSignal, type JSX, on, onCleanup, Show } from 'solid-js';
import type { App } from '../../app';
import { EmptyState } from '../../components/empty_state';
import { Icon } from '../../components/icon';
import { MenuButton, type MenuItem } from '../../components/menu';
import { Problem } from '../../components/problem';
import { Segmented } from '../../components/segmented';
import { Splitter } from '../../components/splitter';
import type { InstructionsAnswer } from '../../engine/protocol';
import {
  type Code,
  code_of,
  hint_parts,
  hottest_instruction,
  instructions_of_line,
  main_file,
} from '../../model/code_rows';
import { compare } from '../../model/cost';
import { hot_rows, next_of } from '../../model/heat';
import { base_name } from '../../model/names';
import { printable } from '../../model/visible';
import { remembered_size } from '../../storage';
import { FunctionName } from '../functions/columns';
import { remember_files, use_file_id } from '../source/places';
import { SourceListing } from '../source/source_listing';
import './code.css';
import { CodeListing } from './code_listing';

export function CodeView(props: { app: App }): JSX.Element {
  const { app } = props;
  const id = createMemo(() => app.selected()?.id);
  const syntax = () => (app.option('code.syntax', 'att') === 'intel' ? 'intel' : 'att');
  const answer = app.use_answer(() => {
    const wanted = id();
    return wanted === undefined ? null : app.question({ ask: 'instructions' as const, id: wanted, syntax: syntax() });
  });
  return (
    <Show when={!answer.error()} fallback={<Problem error={answer.error()!} />}>
      <Show when={answer.value()} fallback={<p class="view-note">{answer.waiting() ? 'Looking…' : ''}</p>}>
        {now => (
          <Show
            when={now().rows.length > 0}
            fallback={<NoCode title="No machine code of this function" answer={now()} />}
          >
            <Opened app={app} answer={now()} function_id={id() ?? 0} syntax={syntax()} />
          </Show>
        )}
      </Show>
    </Show>
  );
}

export function NoCode(props: { title: string; answer: InstructionsAnswer }): JSX.Element {
  const hint = () => hint_parts(props.answer.problem?.hint ?? '');
  const text = () => {
    const { command, words } = hint();
    return [props.answer.problem?.message ?? 'The profile has no instructions of it', command ? '' : words]
      .filter(part => part)
      .join('. ');
  };
  return (
    <EmptyState
      title={props.title}
      text={`${printable(text(), 800)}.`}
      command={hint().command ? printable(hint().command, 400) : undefined}
    />
  );
}

function Opened(props: {
  app: App;
  answer: InstructionsAnswer;
  function_id: number;
  syntax: 'att' | 'intel';
}): JSX.Element {
  const { app } = props;
  const rows = () => props.answer.rows;
  const code = createMemo(() => code_of(rows()));
  const own_file = createMemo(() => app.state.selection?.file || main_file(rows()));
  const begin = () => {
    const wanted = code().index_of(app.option('code.at', ''));
    return wanted >= 0 ? wanted : hottest_instruction(rows());
  };
  const [active, set_active] = createSignal(begin());
  const [go_to, set_go_to] = createSignal({ index: active() });
  const where = createMemo(() => `${props.function_id} ${rows().length} ${rows()[0]?.address}`);
  createEffect(
    on(
      where,
      () => {
        set_active(begin());
        set_go_to({ index: active() });
      },
      { defer: true },
    ),
  );
  createEffect(
    on(
      () => code().index_of(app.option('code.at', '')),
      index => {
        if (index < 0 || index === active()) return;
        set_active(index);
        set_go_to({ index });
      },
      { defer: true },
    ),
  );
  let timer: ReturnType<typeof setTimeout> | undefined;
  function choose(index: number) {
    set_active(index);
    clearTimeout(timer);
    timer = setTimeout(() => app.set_option('code.at', rows()[index]?.address ?? null), 300);
  }
  onCleanup(() => clearTimeout(timer));
  function go(index: number) {
    choose(index);
    set_go_to({ index });
  }

  const hex = () => app.option('code.hex', 'no') === 'yes';
  const unfold_all = () => app.option('code.unfold', 'no') === 'all';
  const beside = () => app.option('code.beside', 'no') === 'source';
  const search = () => app.state.search.trim();
  const hot = createMemo(() =>
    hot_rows(
      rows().map((row, at) => ({ at, cost: row.self[0] ?? 0 })),
      rows().reduce((sum, row) => sum + Number(row.self[0] ?? 0), 0),
    ),
  );
  const found = createMemo(() => {
    const wanted = search().toLowerCase();
    if (!wanted) return [];
    const holds = (text: string | undefined) => text?.toLowerCase().includes(wanted) ?? false;
    return rows().flatMap((row, index) => (holds(row.text) || holds(row.address) ? [index] : []));
  });
  const stops = () => (search() ? found() : hot());
  function step(direction: 1 | -1) {
    const next = next_of(stops(), active(), direction);
    if (next !== null) go(next);
  }
  createEffect(
    on(
      search,
      () => {
        const next = search() ? next_of(found(), active() - 1, 1) : null;
        if (next !== null) go(next);
      },
      { defer: true },
    ),
  );
  const toggle = (option: string, now: boolean, value: string) => app.set_option(option, now ? null : value);
  app.keys(event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (event.key === 'n') step(1);
    else if (event.key === 'p') step(-1);
    else if (event.key === 'h') go(hottest_instruction(rows()));
    else if (event.key === 'u') toggle('code.unfold', unfold_all(), 'all');
    else if (event.key === 's') toggle('code.beside', beside(), 'source');
    else return false;
    return true;
  });
  const has_text = createMemo(() => rows().some(row => row.text !== undefined));
  const has_bytes = createMemo(() => rows().some(row => row.bytes));
  const options = (): MenuItem[] => [
    {
      kind: 'check',
      label: 'Bytes of the instructions',
      get checked() {
        return hex();
      },
      run: () => toggle('code.hex', hex(), 'yes'),
    },
    {
      kind: 'check',
      label: 'All calls and jumps',
      key: 'u',
      get checked() {
        return unfold_all();
      },
      run: () => toggle('code.unfold', unfold_all(), 'all'),
    },
  ];
  const at_stop = () => stops().indexOf(active());
  const [linked, set_linked] = createSignal<ReadonlySet<number>>(new Set<number>());

  return (
    <div class="code">
      <div class="view-bar source-bar">
        <Show when={app.state.selection}>
          {name => (
            <span class="source-function">
              <FunctionName app={app} func={{ id: 0, ...name() }} />
            </span>
          )}
        </Show>
        <span class="muted name code-object" title={printable(props.answer.path || props.answer.object, 600)}>
          {printable(base_name(props.answer.object), 120)}
        </span>
        <Show when={has_text()}>
          <Segmented
            label="Syntax"
            choices={[
              { value: 'att', label: 'AT&T' },
              { value: 'intel', label: 'Intel' },
            ]}
            value={props.syntax}
            on_change={value => app.set_option('code.syntax', value === 'att' ? null : value)}
          />
        </Show>
        <span class="view-bar-gap" />
        <Show when={stops().length > 0}>
          <span class="muted source-wide" aria-live="polite">
            {at_stop() >= 0 ? `${at_stop() + 1} of ${stops().length}` : stops().length} {search() ? 'found' : 'hot'}
          </span>
          <button
            type="button"
            class="button quiet"
            aria-label="Previous"
            title="Previous ( p )"
            onClick={() => step(-1)}
          >
            <Icon name="up" />
          </button>
          <button type="button" class="button quiet" aria-label="Next" title="Next ( n )" onClick={() => step(1)}>
            <Icon name="down" />
          </button>
          <button
            type="button"
            class="button quiet"
            title="The instruction that costs most ( h )"
            onClick={() => go(hottest_instruction(rows()))}
          >
            Hottest
          </button>
        </Show>
        <MenuButton
          label="What is shown"
          class="button quiet"
          align="end"
          button={
            <>
              Show <Icon name="down" />
            </>
          }
          items={() => (has_bytes() ? options() : options().slice(1))}
        />
        <button
          type="button"
          class="button quiet"
          aria-pressed={beside()}
          title="Source beside the machine code ( s )"
          onClick={() => toggle('code.beside', beside(), 'source')}
        >
          <Icon name="beside" />
          <span class="source-wide">Source</span>
        </button>
      </div>
      <Show when={app.comparing()}>
        <p class="source-strip" role="note">
          The machine code of the profile {props.function_id < 0 ? 'before' : 'after'}; nothing of it is compared.
        </p>
      </Show>
      <Show when={props.answer.is_guess}>
        <p class="source-strip warning" role="note">
          <Icon name="warning" />
          <span>
            A guess: {printable(props.answer.path ?? '', 400)} was found by its name alone, it may be another program.
          </span>
        </p>
      </Show>
      <Show when={props.answer.problem}>
        {problem => (
          <p class="source-strip warning" role="note">
            <Icon name="warning" />
            <span>
              {printable(problem().message, 400)}
              <Show when={problem().hint}>
                {hint => (
                  <span class="muted">
                    {' '}
                    {printable(hint_parts(hint()).words, 400)}{' '}
                    <Show when={hint_parts(hint()).command}>
                      {command => <code class="code-hint">{printable(command(), 400)}</code>}
                    </Show>
                  </span>
                )}
              </Show>
            </span>
          </p>
        )}
      </Show>
      <div class="code-body">
        <Show when={beside()}>
          <SourceBeside
            app={app}
            answer={props.answer}
            code={code()}
            function_id={props.function_id}
            own_file={own_file()}
            active={active()}
            on_active={go}
            on_linked={set_linked}
          />
        </Show>
        <CodeListing
          app={app}
          answer={props.answer}
          code={code()}
          active={active()}
          on_active={choose}
          go_to={go_to()}
          linked={beside() ? linked() : undefined}
          hex={hex()}
          unfold_all={unfold_all()}
          own_file={own_file()}
          search={search()}
        />
      </div>
    </div>
  );
}

// The source that the active instruction is of. A line that is chosen goes to its costliest instruction.
function SourceBeside(props: {
  app: App;
  answer: InstructionsAnswer;
  code: Code;
  function_id: number;
  own_file: string;
  active: number;
  on_active(index: number): void;
  on_linked(instructions: ReadonlySet<number>): void;
}): JSX.Element {
  const { app } = props;
  const [width, set_width] = remembered_size('beside', 560);
  const row = () => props.answer.rows[props.active];
  // Where nothing says which file an instruction is of, the last one stays.
  const file = createMemo<string>(before => row()?.file || before, props.own_file);
  const file_id = use_file_id(app, () => (file() === props.own_file ? undefined : file() || undefined));
  const source = app.use_answer(() => {
    const id = file_id();
    if (id === undefined) return null;
    return app.question({ ask: 'source' as const, function: props.function_id, ...(id !== null && { file: id }) });
  });
  createEffect(() => {
    const answer = source.value();
    if (answer) remember_files(app, [answer.file, ...(answer.files ?? [])]);
  });
  const line = () => (row()?.file === file() ? (row()?.line ?? 0) : 0);
  const [shown_line, set_shown_line] = createSignal(line());
  const [go_to, set_go_to] = createSignal({ line: line() });
  createEffect(
    on([line, file, source.value], ([now]) => {
      if (now === 0) return;
      if (now !== shown_line()) set_shown_line(now);
      set_go_to({ line: now });
    }),
  );
  createEffect(() => {
    props.on_linked(new Set(instructions_of_line(props.answer.rows, file(), shown_line())));
  });
  function choose(number: number) {
    if (number === shown_line()) return;
    set_shown_line(number);
    const all = instructions_of_line(props.answer.rows, file(), number);
    const best = all.reduce<number | null>((best, index) => {
      if (best === null) return index;
      return compare(props.answer.rows[index]?.self[0] ?? 0, props.answer.rows[best]?.self[0] ?? 0) > 0 ? index : best;
    }, null);
    if (best !== null) props.on_active(best);
  }
  return (
    <>
      <div class="code-beside" style={{ width: `${width()}px` }}>
        <Show when={source.value()} fallback={<p class="view-note">{source.error() ? source.error()?.message : ''}</p>}>
          {answer => (
            <>
              <Show when={answer().text === null || answer().is_newer || answer().file.name !== props.own_file}>
                <p class="source-strip" role="note">
                  {answer().text === null
                    ? `No text of ${printable(base_name(answer().file.name) || 'the file', 100)}: ${printable(answer().problem?.message ?? '', 200)}`
                    : answer().is_newer
                      ? 'The file was changed after the profile was recorded.'
                      : `Inlined from ${printable(answer().file.name, 200)}`}
                </p>
              </Show>
              <SourceListing
                app={app}
                answer={answer()}
                line={shown_line()}
                on_line={choose}
                go_to={go_to()}
                linked={new Set([line()])}
                unfold_all={false}
                search={app.state.search.trim()}
              />
            </>
          )}
        </Show>
      </div>
      <Splitter
        label="Width of the source"
        direction="columns"
        size={width()}
        least={240}
        most={1400}
        on_change={set_width}
      />
    </>
  );
}
