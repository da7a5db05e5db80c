import { createMemo, type JSX } from 'solid-js';
import type { App } from '../../app/app';
import { ChangeCell } from '../../components/change_cell';
import { allRows, type Column } from '../../components/grid';
import { NumberCell } from '../../components/number_cell';
import { Table } from '../../components/table';
import { exact, percent } from '../../model/format';
import { printable } from '../../model/visible';
import { type Cost, share } from '../../protocol/cost';
import type { EventNumbers } from '../../protocol/protocol';

// Costs of a function by all event types; a click selects one.
export function EventTable(props: { app: App; events: EventNumbers[] }): JSX.Element {
  const { app } = props;
  const fact = (name: string) => app.profile().events.find(type => type.name === name);
  const text = (row: EventNumbers, cost: Cost | null | undefined) => {
    if (cost === null || cost === undefined) return '–';
    return app.state.relative === 'absolute' ? exact(cost) : percent(share(cost, fact(row.name)?.base ?? 0));
  };
  const column = (id: 'self' | 'inclusive', title: string): Column<EventNumbers>[] => {
    const before = (row: EventNumbers) => (id === 'self' ? row.self_before : row.inclusive_before);
    const now: Column<EventNumbers> = {
      id,
      title,
      numeric: true,
      width: 'minmax(7ch, 1fr)',
      cell: row => <NumberCell text={text(row, row[id])} share={share(row[id] ?? 0, fact(row.name)?.base ?? 0)} />,
    };
    if (!app.measure.comparing()) return [now];
    return [
      now,
      {
        id: `${id}_change`,
        title: 'Δ',
        numeric: true,
        width: 'minmax(11ch, 0.9fr)',
        cell: row => <ChangeCell before={before(row)} after={row[id] ?? null} relative={true} />,
      },
    ];
  };
  const columns = createMemo<Column<EventNumbers>[]>(() => [
    {
      id: 'name',
      title: 'Event',
      width: 'minmax(5ch, 0.7fr)',
      cell: row => (
        <span class="name" title={printable(fact(row.name)?.long_name ?? '', 200)}>
          {printable(row.name, 60)}
        </span>
      ),
    },
    ...column('self', 'Self'),
    ...(app.profile().has.calls ? column('inclusive', 'Inclusive') : []),
  ]);
  return (
    <Table
      label="Event types"
      columns={columns()}
      rows={allRows(() => props.events)}
      minWidth={app.measure.comparing() ? '32rem' : undefined}
      isSelected={row => row.name === app.measure.event()}
      onActivate={row => app.navigation.update({ event: row.name === app.profile().event ? null : row.name })}
      rowMenu={row => [
        {
          label: `Use ${printable(row.name, 40)}`,
          run: () => app.navigation.update({ event: row.name === app.profile().event ? null : row.name }),
        },
        { label: 'As a second column', run: () => app.navigation.update({ second: row.name }) },
      ]}
    />
  );
}
