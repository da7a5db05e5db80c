// The cycle of a function, and the files with its code.

import { createMemo, type JSX, Show } from 'solid-js';
import type { App } from '../../app/app';
import { costColumn, FunctionName, numberWidth } from '../../components/function_columns';
import { functionMenu } from '../../components/function_menu';
import { allRows } from '../../components/grid';
import { NumberCell } from '../../components/number_cell';
import { Table } from '../../components/table';
import { counted } from '../../model/format';
import { printable } from '../../model/visible';
import { share } from '../../protocol/cost';
import type { FunctionAnswer } from '../../protocol/protocol';

type Cycle = NonNullable<FunctionAnswer['cycle']>;
type Member = Cycle['members'][number];

export function CycleTable(props: { app: App; cycle: Cycle }): JSX.Element {
  const { app } = props;
  const columns = createMemo(() => [
    costColumn<Member>(app, {
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
      cell: (row: Member) => <FunctionName app={app} func={row} onGo={() => app.selection.activate(row)} />,
    },
  ]);
  return (
    <>
      <p class="side-text muted">
        {counted(props.cycle.functions, 'function')} that call each other, directly or not. Together: self{' '}
        {app.measure.spelled(props.cycle.self[0] ?? 0)}, inclusive {app.measure.spelled(props.cycle.inclusive[0] ?? 0)}.
      </p>
      <Table
        label="Functions of the cycle"
        columns={columns()}
        rows={allRows(() => props.cycle.members)}
        isSelected={row => app.selection.isSelected(row)}
        onActivate={row => app.selection.activate(row)}
        rowMenu={row => functionMenu(app, row)}
      />
      <Show when={props.cycle.functions > props.cycle.members.length}>
        <p class="side-text muted">{counted(props.cycle.functions - props.cycle.members.length, 'more function')}</p>
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
      width: numberWidth(app, 0),
      cell: (row: File) => <NumberCell text={app.measure.cell(row.self)} share={share(row.self, app.measure.base())} />,
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
      <p class="side-text muted">Files with its code, including inlined code.</p>
      <Table
        label="Files"
        columns={columns()}
        rows={allRows(() => props.files)}
        onActivate={() => app.navigation.go('source')}
      />
    </>
  );
}
