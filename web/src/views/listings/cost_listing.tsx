// A listing with costs, calls and jumps below rows, and a strip that shows where the cost is.

import { createMemo, createSignal, type JSX, Show } from 'solid-js';
import type { App } from '../../app/app';
import { ChangeCell } from '../../components/change_cell';
import { numberWidth } from '../../components/function_columns';
import { functionMenu } from '../../components/function_menu';
import type { Column, Sight } from '../../components/grid';
import { HeatStrip } from '../../components/heat_strip';
import { Listing } from '../../components/listing';
import type { MenuItem } from '../../components/menu';
import { NumberCell } from '../../components/number_cell';
import { exact } from '../../model/format';
import type { Weight } from '../../model/heat';
import { printable } from '../../model/visible';
import { type Cost, isZero, share, subtract } from '../../protocol/cost';
import type { LineCall } from '../../protocol/protocol';
import type { Folding } from './folding';

export type ListedRow =
  | { is: 'line' | 'instruction'; open?: boolean } // open: undefined: nothing is below
  | { is: 'gap' | 'removed' }
  | { is: 'call'; call: LineCall }
  | { is: 'jump' | 'inlined' };

const isBelow = ({ is }: ListedRow) => is === 'call' || is === 'jump' || is === 'inlined';

export function CostListing<Row extends ListedRow>(props: {
  app: App;
  label: string;
  folding: Folding;
  row(row: number, sub: number, open: boolean | undefined): Row;
  below(row: number): number;
  numberOf(row: Row): number | undefined;
  columns: Column<Row>[];
  textTitle: string;
  text(row: Row): JSX.Element;
  textWidth: number;
  weights: Weight[]; // by number
  linked?: ReadonlySet<number>; // numbers that belong to what is active elsewhere
  rowClass?(row: Row): string;
  rowText(row: Row): string;
  onActivate(row: Row): void;
  menu(row: Row): MenuItem[];
}): JSX.Element {
  const { app, folding } = props;
  const [sight, setSight] = createSignal<Sight>({ first: 0, last: 1 });
  function rowAt(at: number): Row | undefined {
    const rows = folding.rows();
    if (at < 0 || at >= rows.count) return undefined;
    const { row, sub } = rows.at(at);
    return props.row(row, sub, props.below(row) > 0 ? rows.isOpen(row) : undefined);
  }
  const weights = createMemo(() => props.weights.map(({ at, cost }) => ({ at: folding.rowOf(at), cost })));
  return (
    <div class="source-body">
      <Listing
        label={props.label}
        columns={props.columns}
        rows={{ count: () => folding.rows().count, at: rowAt }}
        textTitle={props.textTitle}
        text={props.text}
        textWidth={props.textWidth}
        active={folding.active()}
        onActive={folding.setActive}
        onActivate={props.onActivate}
        rowLevel={row => (isBelow(row) ? { level: 2 } : { level: 1, expanded: 'open' in row ? row.open : undefined })}
        onExpand={(row, open) => {
          const number = props.numberOf(row);
          if (number !== undefined) folding.expand(number, open);
        }}
        rowClass={row => {
          const linked = props.linked?.has(props.numberOf(row) ?? -1);
          return `${isBelow(row) ? 'source-below' : linked ? 'source-linked' : ''} ${props.rowClass?.(row) ?? ''}`;
        }}
        rowText={props.rowText}
        onCopy={text => void app.copy(text, 'the row')}
        rowMenu={row => {
          const text = props.rowText(row);
          if (row.is === 'call') return functionMenu(app, row.call, text);
          const copy: MenuItem = { label: 'Copy row', key: 'Ctrl+C', run: () => void app.copy(text, 'the row') };
          return [...props.menu(row), ...(text ? [copy] : [])];
        }}
        control={folding.takeControl}
        onSight={setSight}
      />
      <HeatStrip
        app={app}
        weights={weights()}
        rows={folding.rows().count}
        sight={sight()}
        onGo={row => {
          folding.setActive(row);
          folding.show(row);
        }}
      />
    </div>
  );
}

export function costColumn<Row extends ListedRow>(
  app: App,
  column: number,
  title: string,
  hint: string,
  of: { cost(row: Row): Cost | null; whole(): Cost; most(): Cost },
): Column<Row> {
  const text = (row: Row) => {
    const cost = of.cost(row);
    if (cost === null || (!isBelow(row) && isZero(cost))) return '';
    return row.is === 'call' && row.call.counted_again ? exact(cost) : app.measure.cell(cost, of.whole(), column);
  };
  return {
    id: `cost:${column}`,
    title: column === 0 ? title : `${title} ${printable(app.measure.columns()[column] ?? '', 20)}`,
    hint,
    numeric: true,
    width: numberWidth(app, column),
    cell: row => (
      <NumberCell
        text={text(row)}
        share={isBelow(row) || column > 0 ? null : share(of.cost(row) ?? 0, of.most())}
        quiet={isBelow(row)}
      />
    ),
  };
}

// `costs`: before and after; null: the row has none.
export function changeColumn<Row extends ListedRow>(
  app: App,
  of: { costs(row: Row): [Cost, Cost] | null; most(): Cost; hint?: string },
): Column<Row> {
  return {
    id: 'change',
    title: 'Δ self',
    hint: `Change of the self cost${of.hint ?? ''}`,
    numeric: true,
    width: numberWidth(app, 0, 2),
    cell: row => {
      const [before, after] = of.costs(row) ?? [0, 0];
      return (
        <Show when={!(isZero(before) && isZero(after))}>
          <ChangeCell
            before={before}
            after={after}
            relative={app.state.relative !== 'absolute'}
            share={share(subtract(after, before), of.most())}
          />
        </Show>
      );
    },
  };
}
