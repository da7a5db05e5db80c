// The machine code of a function, alone or beside its source.

import { createEffect, createMemo, createSignal, type JSX, on, Show } from 'solid-js';
import type { App } from '../../app/app';
import type { Measure } from '../../app/measure';
import { EmptyState } from '../../components/empty_state';
import { SelectedName } from '../../components/function_columns';
import { IconButton } from '../../components/icon_button';
import { MenuButton, type MenuItem } from '../../components/menu';
import { Problem } from '../../components/problem';
import { Segmented } from '../../components/segmented';
import { SidePanel } from '../../components/side_panel';
import {
  type Code,
  codeOf,
  hintParts,
  hottestInstruction,
  instructionsOfLine,
  mainFile,
  weightsOf,
} from '../../model/code_rows';
import { counted } from '../../model/format';
import { baseName } from '../../model/names';
import { printable } from '../../model/visible';
import { add, type Cost, compare, isZero } from '../../protocol/cost';
import type { InstructionsAnswer } from '../../protocol/protocol';
import { Stops, useWalk } from '../listings/walk';
import { Warning } from '../listings/warning';
import { oneOf } from '../pictures/options';
import { rememberFiles, useFileId } from '../source/places';
import { SourceListing } from '../source/source_listing';
import './code.css';
import { CodeListing } from './code_listing';

// Those of the selected function.
export function useInstructions(app: App) {
  const id = createMemo(() => app.selection.selected()?.id);
  const syntax = () => oneOf(app.navigation, 'code.syntax', ['att', 'intel'] as const);
  const answer = app.answers.follow(() => {
    const wanted = id();
    return wanted === undefined
      ? null
      : app.answers.question({ ask: 'instructions' as const, id: wanted, syntax: syntax() });
  });
  return { id, syntax, answer };
}

export function CodeView(props: { app: App }): JSX.Element {
  const { app } = props;
  const { id, syntax, answer } = useInstructions(app);
  return (
    <Show when={!answer.error()} fallback={<Problem error={answer.error()!} />}>
      <Show when={answer.value()} fallback={<p class="view-note">{answer.waiting() ? 'Looking…' : ''}</p>}>
        {now => (
          <Show
            when={now().rows.length > 0}
            fallback={<NoCode title="No machine code for this function" answer={now()} />}
          >
            <Opened app={app} answer={now()} functionId={id() ?? 0} syntax={syntax()} />
          </Show>
        )}
      </Show>
    </Show>
  );
}

export function NoCode(props: { title: string; answer: InstructionsAnswer }): JSX.Element {
  const hint = () => hintParts(props.answer.problem?.hint ?? '');
  const text = () => {
    const { command, text: advice } = hint();
    return [props.answer.problem?.message ?? 'The profile has no instructions for it', command ? '' : advice]
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
  functionId: number;
  syntax: 'att' | 'intel';
}): JSX.Element {
  const { app } = props;
  const rows = () => props.answer.rows;
  const code = createMemo(() => codeOf(props.answer));
  const ownFile = createMemo(() => app.state.selection?.file || mainFile(rows()));
  const walk = useWalk(app, 'code', {
    where: createMemo(() => `${props.functionId} ${rows().length} ${rows()[0]?.address}`),
    inAddress() {
      const index = code().indexOf(app.navigation.option('code.at', ''));
      return index >= 0 ? index : undefined;
    },
    // A removed instruction has no address for the link: the next one stands for it.
    save: index => app.navigation.setOption('code.at', rows()[Math.ceil(index)]?.address ?? null),
    hottest: () => hottestInstruction(code(), rows(), app.measure.comparing()),
    weights: () => weightsOf(code(), rows(), app.measure.comparing()),
    found(wanted) {
      const pattern = wanted.toLowerCase();
      const holds = (text: string | undefined) => text?.toLowerCase().includes(pattern) ?? false;
      return code().entries.flatMap(entry => {
        if (entry.is === 'gap') return [];
        const { text, address } =
          entry.is === 'removed' ? { ...entry.row, address: entry.row.address_before } : rows()[entry.index]!;
        return holds(text) || holds(address) ? [entry.index] : [];
      });
    },
  });
  const { active } = walk;

  const hex = () => app.navigation.option('code.hex', 'no') === 'yes';
  const beside = () => app.navigation.option('code.beside', 'no') === 'source';
  const toggleBeside = () => app.navigation.setOption('code.beside', beside() ? null : 'source');
  app.keys.add(event => {
    if (event.key !== 's' || event.ctrlKey || event.metaKey || event.altKey) return false;
    toggleBeside();
    return true;
  });
  const hasText = createMemo(() => rows().some(row => row.text !== undefined));
  const hasBytes = createMemo(() => rows().some(row => row.bytes));
  const options = (): MenuItem[] => [
    {
      kind: 'check',
      label: 'Instruction bytes',
      get checked() {
        return hex();
      },
      run: () => app.navigation.setOption('code.hex', hex() ? null : 'yes'),
    },
    {
      kind: 'check',
      label: 'All calls and jumps',
      key: 'u',
      get checked() {
        return walk.unfoldAll();
      },
      run: walk.toggleUnfold,
    },
  ];
  const [linked, setLinked] = createSignal<ReadonlySet<number>>(new Set<number>());

  return (
    <div class="code">
      <div class="view-bar source-bar">
        <SelectedName app={app} />
        <span class="muted name code-object" title={printable(props.answer.path || props.answer.object, 600)}>
          {printable(baseName(props.answer.object), 120)}
        </span>
        <Show when={hasText()}>
          <Segmented
            label="Syntax"
            choices={[
              { value: 'att', label: 'AT&T' },
              { value: 'intel', label: 'Intel' },
            ]}
            value={props.syntax}
            onChange={value => app.navigation.setOption('code.syntax', value === 'att' ? null : value)}
          />
        </Show>
        <span class="view-bar-gap" />
        <Stops walk={walk} what="instruction" hot="hot" />
        <MenuButton
          label="Display options"
          text="Show"
          align="end"
          items={() => (hasBytes() ? options() : options().slice(1))}
        />
        <IconButton
          icon="beside"
          title="Source beside the machine code ( s )"
          pressed={beside()}
          onPress={toggleBeside}
        >
          <span class="source-wide">Source</span>
        </IconButton>
      </div>
      <Show when={app.measure.comparing()}>
        <p class="source-strip" role="note">
          {comparedText(app.measure, props.answer)}
        </p>
      </Show>
      <Show when={props.answer.is_guess}>
        <Warning>
          Guess: {printable(props.answer.path ?? '', 400)} was found by name only and may be another program.
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
                  {printable(hintParts(hint()).text, 400)}{' '}
                  <Show when={hintParts(hint()).command}>
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
            functionId={props.functionId}
            ownFile={ownFile()}
            active={active()}
            onActive={walk.go}
            onLinked={setLinked}
          />
        </Show>
        <CodeListing
          app={app}
          answer={props.answer}
          code={code()}
          active={active()}
          onActive={walk.choose}
          goTo={walk.goTo()}
          linked={beside() ? linked() : undefined}
          hex={hex()}
          unfoldAll={walk.unfoldAll()}
          ownFile={ownFile()}
          search={walk.search()}
        />
      </div>
    </div>
  );
}

export function comparedText(measure: Measure, { compared, rows, removed = [] }: InstructionsAnswer): string {
  if (!compared) return 'Machine code of the old profile: the function was removed.';
  if (!compared.by) {
    const { message, hint } = compared.problem ?? { message: '', hint: '' };
    return printable(`Not compared: ${message}${hint ? `. ${hint}` : ''}.`, 800);
  }
  const lost = removed.reduce<Cost>((sum, row) => add(sum, row.self_before[0] ?? 0), 0);
  const thatCost = isZero(lost) ? '' : ` that cost ${measure.full(lost, 0, true)}`;
  if (compared.by === 'addresses') {
    const changes =
      removed.length > 0
        ? `; ${counted(removed.length, 'instruction')}${thatCost} executed only in the old profile`
        : '';
    return `Compared with the old profile by address: the program seems unchanged${changes}.`;
  }
  const added = rows.filter(row => row.address_before === undefined).length;
  const changes = `${added} of ${counted(rows.length, 'instruction')} new, ${removed.length} removed${thatCost}`;
  return `Compared with the old code: ${changes}.`;
}

// The source that the active instruction is of. Selecting a line goes to its most expensive instruction.
function SourceBeside(props: {
  app: App;
  answer: InstructionsAnswer;
  code: Code;
  functionId: number;
  ownFile: string;
  active: number;
  onActive(index: number): void;
  onLinked(instructions: ReadonlySet<number>): void;
}): JSX.Element {
  const { app } = props;
  const row = () => props.answer.rows[props.active];
  // Where nothing says which file an instruction is of, the last one stays.
  const file = createMemo<string>(before => row()?.file || before, props.ownFile);
  const fileId = useFileId(app, () => (file() === props.ownFile ? undefined : file() || undefined));
  const source = app.answers.follow(() => {
    const id = fileId();
    if (id === undefined) return null;
    return app.answers.question({
      ask: 'source' as const,
      function: props.functionId,
      ...(id !== null && { file: id }),
    });
  });
  createEffect(() => {
    const answer = source.value();
    if (answer) rememberFiles(app, [answer.file, ...(answer.files ?? [])]);
  });
  const line = () => (row()?.file === file() ? (row()?.line ?? 0) : 0);
  const [shownLine, setShownLine] = createSignal(line());
  const [goTo, setGoTo] = createSignal({ at: line() });
  createEffect(
    on([line, file, source.value], ([now]) => {
      if (now === 0) return;
      if (now !== shownLine()) setShownLine(now);
      setGoTo({ at: now });
    }),
  );
  createEffect(() => {
    props.onLinked(new Set(instructionsOfLine(props.answer.rows, file(), shownLine())));
  });
  function choose(number: number) {
    if (number === shownLine()) return;
    setShownLine(number);
    const all = instructionsOfLine(props.answer.rows, file(), number);
    const best = all.reduce<number | null>((best, index) => {
      if (best === null) return index;
      return compare(props.answer.rows[index]?.self[0] ?? 0, props.answer.rows[best]?.self[0] ?? 0) > 0 ? index : best;
    }, null);
    if (best !== null) props.onActive(best);
  }
  return (
    <SidePanel
      name="beside"
      label="Source panel width"
      title="Source"
      usual={560}
      least={240}
      most={1400}
      class="code-beside"
    >
      <Show when={source.value()} fallback={<p class="view-note">{source.error() ? source.error()?.message : ''}</p>}>
        {answer => (
          <>
            <Show when={answer().text === null || answer().is_newer || answer().file.name !== props.ownFile}>
              <p class="source-strip" role="note">
                {answer().text === null
                  ? `No source text for ${printable(baseName(answer().file.name) || 'the file', 100)}: ${printable(answer().problem?.message ?? '', 200)}`
                  : answer().is_newer
                    ? 'The file was changed after the profile was recorded.'
                    : `Inlined from ${printable(answer().file.name, 200)}`}
              </p>
            </Show>
            <SourceListing
              app={app}
              answer={answer()}
              line={shownLine()}
              onLine={choose}
              goTo={goTo()}
              linked={new Set([line()])}
              unfoldAll={false}
              search={app.state.search.trim()}
            />
          </>
        )}
      </Show>
    </SidePanel>
  );
}
