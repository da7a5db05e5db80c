// The machine code of a function, alone or beside its source.

import { createEffect, createMemo, createSignal, type JSX, on, Show } from 'solid-js';
import type { App } from '../../app';
import { EmptyState } from '../../components/empty_state';
import { IconButton } from '../../components/icon_button';
import { MenuButton, type MenuItem } from '../../components/menu';
import { Problem } from '../../components/problem';
import { Segmented } from '../../components/segmented';
import { SidePanel } from '../../components/side_panel';
import type { InstructionsAnswer } from '../../engine/protocol';
import {
  type Code,
  code_of,
  hint_parts,
  hottest_instruction,
  instructions_of_line,
  main_file,
  weights_of,
} from '../../model/code_rows';
import { add, type Cost, compare, is_zero } from '../../model/cost';
import { counted } from '../../model/format';
import { base_name } from '../../model/names';
import { printable } from '../../model/visible';
import { SelectedName } from '../functions/columns';
import { Stops, use_walk } from '../listings/walk';
import { Warning } from '../listings/warning';
import { one_of } from '../pictures/options';
import { remember_files, use_file_id } from '../source/places';
import { SourceListing } from '../source/source_listing';
import './code.css';
import { CodeListing } from './code_listing';

// Those of the selected function.
export function use_instructions(app: App) {
  const id = createMemo(() => app.selected()?.id);
  const syntax = () => one_of(app, 'code.syntax', ['att', 'intel'] as const);
  const answer = app.use_answer(() => {
    const wanted = id();
    return wanted === undefined ? null : app.question({ ask: 'instructions' as const, id: wanted, syntax: syntax() });
  });
  return { id, syntax, answer };
}

export function CodeView(props: { app: App }): JSX.Element {
  const { app } = props;
  const { id, syntax, answer } = use_instructions(app);
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
  const code = createMemo(() => code_of(props.answer));
  const own_file = createMemo(() => app.state.selection?.file || main_file(rows()));
  const walk = use_walk(app, 'code', {
    where: createMemo(() => `${props.function_id} ${rows().length} ${rows()[0]?.address}`),
    in_address() {
      const index = code().index_of(app.option('code.at', ''));
      return index >= 0 ? index : undefined;
    },
    // What is gone has no address in the link: the one behind it stands for it.
    save: index => app.set_option('code.at', rows()[Math.ceil(index)]?.address ?? null),
    hottest: () => hottest_instruction(code(), rows(), app.comparing()),
    weights: () => weights_of(code(), rows(), app.comparing()),
    found(wanted) {
      const pattern = wanted.toLowerCase();
      const holds = (text: string | undefined) => text?.toLowerCase().includes(pattern) ?? false;
      return code().entries.flatMap(entry => {
        if (entry.is === 'gap') return [];
        const { text, address } =
          entry.is === 'gone' ? { ...entry.row, address: entry.row.address_before } : rows()[entry.index]!;
        return holds(text) || holds(address) ? [entry.index] : [];
      });
    },
  });
  const { active } = walk;

  const hex = () => app.option('code.hex', 'no') === 'yes';
  const beside = () => app.option('code.beside', 'no') === 'source';
  const toggle_beside = () => app.set_option('code.beside', beside() ? null : 'source');
  app.keys(event => {
    if (event.key !== 's' || event.ctrlKey || event.metaKey || event.altKey) return false;
    toggle_beside();
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
      run: () => app.set_option('code.hex', hex() ? null : 'yes'),
    },
    {
      kind: 'check',
      label: 'All calls and jumps',
      key: 'u',
      get checked() {
        return walk.unfold_all();
      },
      run: walk.toggle_unfold,
    },
  ];
  const [linked, set_linked] = createSignal<ReadonlySet<number>>(new Set<number>());

  return (
    <div class="code">
      <div class="view-bar source-bar">
        <SelectedName app={app} />
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
        <Stops walk={walk} what="instruction" hot="hot" />
        <MenuButton
          label="What is shown"
          text="Show"
          align="end"
          items={() => (has_bytes() ? options() : options().slice(1))}
        />
        <IconButton
          icon="beside"
          title="Source beside the machine code ( s )"
          pressed={beside()}
          on_press={toggle_beside}
        >
          <span class="source-wide">Source</span>
        </IconButton>
      </div>
      <Show when={app.comparing()}>
        <p class="source-strip" role="note">
          {compared_words(app, props.answer)}
        </p>
      </Show>
      <Show when={props.answer.is_guess}>
        <Warning>
          A guess: {printable(props.answer.path ?? '', 400)} was found by its name alone, it may be another program.
        </Warning>
      </Show>
      <Show when={props.answer.problem}>
        {problem => (
          <Warning>
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
          </Warning>
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
            on_active={walk.go}
            on_linked={set_linked}
          />
        </Show>
        <CodeListing
          app={app}
          answer={props.answer}
          code={code()}
          active={active()}
          on_active={walk.choose}
          go_to={walk.go_to()}
          linked={beside() ? linked() : undefined}
          hex={hex()}
          unfold_all={walk.unfold_all()}
          own_file={own_file()}
          search={walk.search()}
        />
      </div>
    </div>
  );
}

export function compared_words(app: App, { compared, rows, gone = [] }: InstructionsAnswer): string {
  if (!compared) return 'The machine code of the profile before: the function is not there any more.';
  if (!compared.by) {
    const { message, hint } = compared.problem ?? { message: '', hint: '' };
    return printable(`Nothing of it is compared: ${message}${hint ? `. ${hint}` : ''}.`, 800);
  }
  const lost = gone.reduce<Cost>((sum, row) => add(sum, row.self_before[0] ?? 0), 0);
  const that_cost = is_zero(lost) ? '' : ` that cost ${app.full(lost, 0, true)}`;
  if (compared.by === 'addresses') {
    const words = gone.length > 0 ? `; ${counted(gone.length, 'instruction')}${that_cost} executed only before` : '';
    return `Compared with the profile before, address by address: the program seems to be the same${words}.`;
  }
  const added = rows.filter(row => row.address_before === undefined).length;
  const words = `${added} of ${counted(rows.length, 'instruction')} new, ${gone.length} gone${that_cost}`;
  return `Compared with the code before: ${words}.`;
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
  const [go_to, set_go_to] = createSignal({ at: line() });
  createEffect(
    on([line, file, source.value], ([now]) => {
      if (now === 0) return;
      if (now !== shown_line()) set_shown_line(now);
      set_go_to({ at: now });
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
    <SidePanel name="beside" label="Width of the source" usual={560} least={240} most={1400} class="code-beside">
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
    </SidePanel>
  );
}
