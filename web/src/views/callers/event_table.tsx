import { createMemo, type JSX } from 'solid-js';
import type { App } from '../../app/app';
import { ChangeCell } from '../../components/change_cell';
import { allRows, type Column } from '../../components/grid';
import { NumberCell } from '../../components/number_cell';
import { Table } from '../../components/table';
import { explains } from '../../components/tooltip';
import { brief, exact, percent } from '../../model/format';
import { printable } from '../../model/visible';
import { type Cost, share } from '../../protocol/cost';
import type { EventNumbers } from '../../protocol/protocol';

// Costs of a function by all event types; a click selects one.
export function EventTable(props: { app: App; events: EventNumbers[] }): JSX.Element {
  const { app } = props;
  const fact = (name: string) => app.profile().events.find(type => type.name === name);
  const text = (row: EventNumbers, cost: Cost | null | undefined) => {
    if (cost === null || cost === undefined) return '–';
    if (app.state.relative !== 'absolute') return percent(share(cost, fact(row.name)?.base ?? 0));
    return app.measure.comparing() && exact(cost).length > 9 ? brief(cost) : exact(cost);
  };
  const hint = (row: EventNumbers, cost: Cost | null | undefined) =>
    cost == null
      ? undefined
      : explains(
          app.tip,
          () => `${exact(cost)} ${printable(row.name, 60)} (${percent(share(cost, fact(row.name)?.base ?? 0))})`,
        );
  const column = (id: 'self' | 'inclusive', title: string): Column<EventNumbers>[] => {
    const before = (row: EventNumbers) => (id === 'self' ? row.self_before : row.inclusive_before);
    const now: Column<EventNumbers> = {
      id,
      title,
      numeric: true,
      width: 'minmax(8ch, 1fr)',
      cell: row => (
        <NumberCell
          text={text(row, row[id])}
          share={share(row[id] ?? 0, fact(row.name)?.base ?? 0)}
          hint={hint(row, row[id])}
        />
      ),
    };
    if (!app.measure.comparing()) return [now];
    return [
      now,
      {
        id: `${id}_change`,
        title: 'Δ',
        numeric: true,
        width: 'minmax(10ch, 1fr)',
        cell: row => <ChangeCell before={before(row)} after={row[id] ?? null} relative={true} />,
      },
    ];
  };
  const columns = createMemo<Column<EventNumbers>[]>(() => [
    {
      id: 'name',
      title: 'Event',
      width: 'minmax(4ch, 0.7fr)',
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
