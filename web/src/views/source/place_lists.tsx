// The hottest lines of the profile, and its files by cost.

import { createMemo, createSignal, type JSX, Show } from 'solid-js';
import type { App } from '../../app/app';
import { costColumn, FunctionName, numberWidth } from '../../components/function_columns';
import { allRows, type Column } from '../../components/grid';
import { NumberCell } from '../../components/number_cell';
import { usePages } from '../../components/pages';
import { Problem } from '../../components/problem';
import { Segmented } from '../../components/segmented';
import { Table } from '../../components/table';
import { counted, exact } from '../../model/format';
import { baseName } from '../../model/names';
import { printable } from '../../model/visible';
import { share } from '../../protocol/cost';
import type { FilesAnswer, LinesAnswer } from '../../protocol/protocol';
import { goToPlace, rememberFiles } from './places';

type HotLine = LinesAnswer['rows'][number];
type FileRow = FilesAnswer['rows'][number];

export function PlaceLists(props: { app: App; wide?: boolean }): JSX.Element {
  const { app } = props;
  const tab = () => (app.navigation.option('source.side', 'lines') === 'files' ? 'files' : 'lines');
  return (
    <>
      <div class="view-bar">
        <Segmented
          tabs
          label="Places"
          choices={[
            { value: 'lines', label: 'Hot lines' },
            { value: 'files', label: 'Files' },
          ]}
          value={tab()}
          onChange={id => app.navigation.setOption('source.side', id)}
        />
      </div>
      <div class="source-list" role="tabpanel" aria-label={tab() === 'files' ? 'Files' : 'Hot lines'}>
        <Show when={tab() === 'lines'} fallback={<Files app={app} wide={props.wide} />}>
          <HotLines app={app} wide={props.wide} />
        </Show>
      </div>
    </>
  );
}

function HotLines(props: { app: App; wide?: boolean }): JSX.Element {
  const { app } = props;
  const list = app.answers.follow(() => app.answers.question({ ask: 'lines' as const, limit: 500 }));
  const rows = createMemo(() => {
    const found = list.value()?.rows ?? [];
    rememberFiles(
      app,
      found.map(row => row.file),
    );
    return found;
  });
  const place = (row: HotLine) => placeText(row.file.name, row.line);
  const go = (row: HotLine) => goToPlace(app, row.function, { file: row.file.name, line: row.line }, 'function');
  const columns = createMemo<Column<HotLine>[]>(() => [
    costColumn<HotLine>(app, {
      id: 'self',
      title: 'Self',
      of: row => row.self,
      column: 0,
      bounds: row => row.self_bounds,
    }),
    ...(props.wide && (list.value()?.rows ?? []).some(row => row.with_calls)
      ? [
          costColumn<HotLine>(app, {
            id: 'with_calls',
            title: 'With calls',
            hint: 'With the calls made on the line and the code inlined there',
            of: row => row.with_calls ?? [],
            column: 0,
          }),
        ]
      : []),
    ...(props.wide && app.measure.columns().length > 1
      ? [
          costColumn<HotLine>(app, {
            id: 'second',
            title: `Self ${printable(app.measure.columns()[1] ?? '', 20)}`,
            of: row => row.self,
            column: 1,
            bounds: row => row.self_bounds,
          }),
        ]
      : []),
    {
      id: 'place',
      title: 'Line',
      width: props.wide ? 'minmax(12rem, 2fr)' : 'minmax(8rem, 2fr)',
      cell: row => (
        <>
          <button
            type="button"
            class="link name hot-place"
            tabindex="-1"
            title={printable(`${row.file.name}:${row.line}`, 600)}
            onClick={() => go(row)}
          >
            {printable(place(row), 120)}
          </button>
          <Show when={row.text}>{text => <code class="name muted">{printable(text())}</code>}</Show>
        </>
      ),
    },
    {
      id: 'function',
      title: 'Function',
      width: props.wide ? 'minmax(12rem, 1fr)' : 'minmax(6rem, 1fr)',
      cell: row => (
        <>
          <FunctionName app={app} func={row.function} />
          <Show when={row.functions > 1}>
            <span class="muted source-more" title={`${row.functions} functions have cost here`}>
              {props.wide ? `and ${row.functions - 1} more` : `+${row.functions - 1}`}
            </span>
          </Show>
        </>
      ),
    },
  ]);
  return (
    <Show when={!list.error()} fallback={<Problem error={list.error()!} />}>
      <Table
        label="Hot lines"
        columns={columns()}
        rows={allRows(rows)}
        onActivate={go}
        rowText={row => [exact(row.self[0] ?? 0), `${row.file.name}:${row.line}`, row.function.name].join('\t')}
        onCopy={text => void app.copy(text, 'the row')}
        list="hot lines"
      />
      <Show when={list.value()}>
        {answer => (
          <p class="source-omitted muted">
            <Show
              when={answer().omitted_rows > 0}
              fallback={app.state.chips.length === 0 ? 'All lines with cost' : 'All lines that pass the filters'}
            >
              {counted(answer().omitted_rows, 'more line')}
              {answer().omitted_self[0] == null ? '' : `: ${app.measure.cell(answer().omitted_self[0] ?? 0)}`}
            </Show>
          </p>
        )}
      </Show>
    </Show>
  );
}

function knownFile(name: string): string {
  return name === '???' ? '' : name;
}

function placeText(file: string, line: number): string {
  const name = baseName(knownFile(file));
  if (!name) return '(no line)';
  return line === 0 ? `${name} (no line)` : `${name}:${line}`;
}

function Files(props: { app: App; wide?: boolean }): JSX.Element {
  const { app } = props;
  const [wanted, setWanted] = createSignal('');
  const pages = usePages<FileRow>(app.answers, () =>
    app.answers.question({ ask: 'files' as const, ...(wanted() && { search: wanted() }) }),
  );
  const go = (row: FileRow) => {
    rememberFiles(app, [row]);
    goToPlace(app, null, { file: row.name }, 'file');
  };
  const columns = createMemo<Column<FileRow>[]>(() => [
    {
      id: 'self',
      title: 'Self',
      hint: 'Cost of the lines in this file',
      numeric: true,
      width: numberWidth(app, 0),
      cell: row => <NumberCell cost text={app.measure.cell(row.self)} share={share(row.self, app.measure.base())} />,
    },
    {
      id: 'name',
      title: 'File',
      width: 'minmax(8rem, 1fr)',
      cell: row => (
        <button type="button" class="link name" tabindex="-1" title={printable(row.name, 600)} onClick={() => go(row)}>
          {printable((props.wide ? knownFile(row.name) : baseName(knownFile(row.name))) || '(unknown file)', 300)}
        </button>
      ),
    },
  ]);
  return (
    <>
      <div class="source-find">
        <input
          class="field"
          type="search"
          aria-label="Find a file"
          placeholder="Find a file"
          spellcheck={false}
          autocomplete="off"
          value={wanted()}
          onInput={event => setWanted(event.currentTarget.value)}
        />
      </div>
      <Show when={!pages.list.error()} fallback={<Problem error={pages.list.error()!} />}>
        <Table
          label="Files"
          columns={columns()}
          rows={pages}
          isSelected={row => app.navigation.option('source.file', '') === row.name}
          onActivate={go}
          rowText={row => `${exact(row.self)}\t${row.name}`}
          onCopy={text => void app.copy(text, 'the row')}
          list={`files ${wanted()}`}
        />
      </Show>
    </>
  );
}
