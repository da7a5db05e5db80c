// What a function belongs to: its cycle, and the files that its code is in.

import { createMemo, type JSX, Show } from 'solid-js';
import type { App } from '../../app';
import { function_menu } from '../../components/function_menu';
import { all_rows } from '../../components/grid';
import { NumberCell } from '../../components/number_cell';
import { Table } from '../../components/table';
import type { FunctionAnswer } from '../../engine/protocol';
import { share } from '../../model/cost';
import { counted, exact } from '../../model/format';
import { printable } from '../../model/visible';
import { cost_column, FunctionName, number_width } from '../functions/columns';

type Cycle = NonNullable<FunctionAnswer['cycle']>;
type Member = Cycle['members'][number];

export function CycleTable(props: { app: App; cycle: Cycle }): JSX.Element {
  const { app } = props;
  const columns = createMemo(() => [
    cost_column<Member>(app, {
      id: 'self',
      title: 'Self',
      of: row => row.self,
      column: 0,
      parent: () => props.cycle.self[0] ?? 0,
    }),
    {
      id: 'name',
      title: 'Function',
      width: 'minmax(8rem, 1fr)',
      cell: (row: Member) => <FunctionName app={app} func={row} on_go={() => app.activate(row)} />,
    },
  ]);
  return (
    <>
      <p class="side-words muted">
        {counted(props.cycle.functions, 'function')} that call each other, directly or not. Together: self{' '}
        {exact(props.cycle.self[0] ?? 0)}, inclusive {exact(props.cycle.inclusive[0] ?? 0)}.
      </p>
      <Table
        label="Functions of the cycle"
        columns={columns()}
        rows={all_rows(() => props.cycle.members)}
        is_selected={row => app.is_selected(row)}
        on_activate={row => app.activate(row)}
        row_menu={row => function_menu(app, row)}
      />
      <Show when={props.cycle.functions > props.cycle.members.length}>
        <p class="side-words muted">
          {counted(props.cycle.functions - props.cycle.members.length, 'further function')}
        </p>
      </Show>
    </>
  );
}

type File = FunctionAnswer['files'][number];

export function FileList(props: { app: App; files: File[] }): JSX.Element {
  const { app } = props;
  const columns = createMemo(() => [
    {
      id: 'self',
      title: 'Self',
      numeric: true,
      width: number_width(app, 0),
      cell: (row: File) => <NumberCell text={app.cell(row.self)} share={share(row.self, app.base())} />,
    },
    {
      id: 'name',
      title: 'File',
      width: 'minmax(8rem, 1fr)',
      cell: (row: File) => (
        <span class="name" title={printable(row.name, 600)}>
          {printable(row.name || '(unknown)', 300)}
        </span>
      ),
    },
  ]);
  return (
    <>
      <p class="side-words muted">Where its code is; other files are those of code that was inlined.</p>
      <Table
        label="Files"
        columns={columns()}
        rows={all_rows(() => props.files)}
        on_activate={() => app.go('source')}
      />
    </>
  );
}
