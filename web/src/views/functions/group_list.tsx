import type { JSX } from 'solid-js';
import { createMemo, Show } from 'solid-js';
import type { App } from '../../app/app';
import { ChangeCell } from '../../components/change_cell';
import { costHint, fitting, numberRoom, numberWidth } from '../../components/function_columns';
import type { Column } from '../../components/grid';
import { NumberCell } from '../../components/number_cell';
import { usePages } from '../../components/pages';
import { Problem } from '../../components/problem';
import { Table } from '../../components/table';
import { hueOf } from '../../model/color';
import { patternOfPath } from '../../model/filter';
import { exact } from '../../model/format';
import { baseName } from '../../model/names';
import { printable } from '../../model/visible';
import { share, subtract } from '../../protocol/cost';
import type { GroupBy, GroupRow } from '../../protocol/protocol';

const unnamed: Record<GroupBy, string> = {
  object: '(unknown)',
  file: '(unknown)',
  directory: '(no directory)',
  namespace: '(no namespace)',
  cycle: '(in no cycle)',
};

// The groups; a chosen one restricts the list beside it.
export function GroupList(props: { app: App; by: GroupBy }): JSX.Element {
  const { app } = props;
  const comparing = () => app.measure.comparing();
  const question = createMemo(() =>
    app.answers.question({
      ask: 'groups' as const,
      by: props.by,
      sort: comparing() ? ('self_change' as const) : ('self' as const),
      columns: [app.measure.event()],
    }),
  );
  const pages = usePages<GroupRow>(app.answers, question);
  const largest = () => pages.list.value()?.largest[0];
  const label = (row: GroupRow) => {
    if (row.name === '') return unnamed[props.by];
    return props.by === 'file' || props.by === 'object' ? baseName(row.name) : row.name;
  };
  const columns = createMemo<Column<GroupRow>[]>(() => [
    {
      id: 'self',
      title: comparing() ? 'Δ self' : 'Self',
      numeric: true,
      width: numberWidth(app, 0, comparing() ? 2 : 0),
      cell: row => (
        <Show
          when={comparing()}
          fallback={
            <NumberCell
              cost
              text={
                (row.self_bounds?.[0] ? '~' : '') +
                fitting(app, app.measure.cell(row.self[0] ?? null), row.self[0] ?? null, 0)
              }
              share={share(row.self[0] ?? 0, largest()?.self ?? app.measure.base())}
              hint={costHint(app, row.self[0] ?? null, 0, () => [], false, row.self_bounds?.[0])}
            />
          }
        >
          <ChangeCell
            before={row.self_before?.[0]}
            after={row.self[0] ?? null}
            relative={app.state.relative !== 'absolute'}
            estimated={(row.self_bounds ?? row.self_bounds_before) !== undefined}
            room={numberRoom(app, 0)}
            spell={app.measure.spelled}
            share={share(
              subtract(row.self[0] ?? 0, row.self_before?.[0] ?? 0),
              largest()?.self_change ?? app.measure.base(),
            )}
          />
        </Show>
      ),
    },
    {
      id: 'name',
      title: 'Group',
      width: 'minmax(6rem, 1fr)',
      cell: row => (
        <>
          <span class="swatch" style={{ background: `var(--swatch-${hueOf(row.name)})` }} aria-hidden="true" />
          <span class="name" title={printable(row.name, 600)}>
            {printable(label(row), 160)}
          </span>
        </>
      ),
    },
    {
      id: 'functions',
      title: '#',
      hint: 'Functions',
      numeric: true,
      width: '6ch',
      cell: row => <span class="number-text muted">{exact(row.functions)}</span>,
    },
  ]);
  const chosen = (row: GroupRow) => app.state.group.name === row.name;
  return (
    <Show when={!pages.list.error()} fallback={<Problem error={pages.list.error()!} />}>
      <Table
        label="Groups of functions"
        columns={columns()}
        rows={pages}
        isSelected={chosen}
        onSelect={row => app.navigation.update({ group: { by: props.by, name: row.name } }, 'replace')}
        onActivate={row => app.navigation.update({ group: { by: props.by, name: chosen(row) ? null : row.name } })}
        rowMenu={row => [
          { label: 'Show all functions', run: () => app.navigation.update({ group: { by: props.by, name: null } }) },
          ...(props.by === 'object' || props.by === 'file'
            ? [
                {
                  label: `Filter by this ${props.by}`,
                  run: () =>
                    app.navigation.update({
                      chips: [
                        ...app.state.chips,
                        { kind: props.by as 'file' | 'object', pattern: patternOfPath(row.name) },
                      ],
                    }),
                },
              ]
            : []),
          { label: 'Copy name', run: () => void app.copy(row.name, 'the name') },
        ]}
        list={JSON.stringify(question())}
      />
    </Show>
  );
}
