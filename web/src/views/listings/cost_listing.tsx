// A listing of what has cost, with calls and jumps below, and where in all of it the cost is.

import { createMemo, createSignal, type JSX, Show } from 'solid-js';
import type { App } from '../../app';
import { ChangeCell } from '../../components/change_cell';
import { function_menu } from '../../components/function_menu';
import type { Column, Sight } from '../../components/grid';
import { HeatStrip } from '../../components/heat_strip';
import { Listing } from '../../components/listing';
import type { MenuItem } from '../../components/menu';
import { NumberCell } from '../../components/number_cell';
import type { LineCall } from '../../engine/protocol';
import { type Cost, is_zero, share, subtract } from '../../model/cost';
import { exact } from '../../model/format';
import type { Weight } from '../../model/heat';
import { printable } from '../../model/visible';
import { number_width } from '../functions/columns';
import type { Folding } from './folding';

export type ListedRow =
  | { is: 'line' | 'instruction'; open?: boolean } // open: undefined: nothing is below
  | { is: 'gap' | 'gone' }
  | { is: 'call'; call: LineCall }
  | { is: 'jump' };

const is_below = (row: ListedRow) => row.is === 'call' || row.is === 'jump';

export function CostListing<Row extends ListedRow>(props: {
  app: App;
  label: string;
  folding: Folding;
  row(row: number, sub: number, open: boolean | undefined): Row;
  below(row: number): number;
  number_of(row: Row): number | undefined;
  columns: Column<Row>[];
  text_title: string;
  text(row: Row): JSX.Element;
  text_width: number;
  weights: Weight[]; // by number
  linked?: ReadonlySet<number>; // numbers that belong to what is active elsewhere
  row_class?(row: Row): string;
  row_text(row: Row): string;
  on_activate(row: Row): void;
  menu(row: Row): MenuItem[];
}): JSX.Element {
  const { app, folding } = props;
  const [sight, set_sight] = createSignal<Sight>({ first: 0, last: 1 });
  function row_at(at: number): Row | undefined {
    const rows = folding.rows();
    if (at < 0 || at >= rows.count) return undefined;
    const { row, sub } = rows.at(at);
    return props.row(row, sub, props.below(row) > 0 ? rows.is_open(row) : undefined);
  }
  const weights = createMemo(() => props.weights.map(({ at, cost }) => ({ at: folding.row_of(at), cost })));
  return (
    <div class="source-body">
      <Listing
        label={props.label}
        columns={props.columns}
        rows={{ count: () => folding.rows().count, at: row_at }}
        text_title={props.text_title}
        text={props.text}
        text_width={props.text_width}
        active={folding.active()}
        on_active={folding.set_active}
        on_activate={props.on_activate}
        row_level={row => (is_below(row) ? { level: 2 } : { level: 1, expanded: 'open' in row ? row.open : undefined })}
        on_expand={(row, open) => {
          const number = props.number_of(row);
          if (number !== undefined) folding.expand(number, open);
        }}
        row_class={row => {
          const linked = props.linked?.has(props.number_of(row) ?? -1);
          return `${is_below(row) ? 'source-below' : linked ? 'source-linked' : ''} ${props.row_class?.(row) ?? ''}`;
        }}
        row_text={props.row_text}
        on_copy={text => void app.copy(text, 'the row')}
        row_menu={row => {
          const text = props.row_text(row);
          if (row.is === 'call') return function_menu(app, row.call, text);
          const copy: MenuItem = { label: 'Copy row', key: 'Ctrl+C', run: () => void app.copy(text, 'the row') };
          return [...props.menu(row), ...(text ? [copy] : [])];
        }}
        control={folding.take_control}
        on_sight={set_sight}
      />
      <HeatStrip
        app={app}
        weights={weights()}
        rows={folding.rows().count}
        sight={sight()}
        on_go={row => {
          folding.set_active(row);
          folding.show(row);
        }}
      />
    </div>
  );
}

export function cost_column<Row extends ListedRow>(
  app: App,
  column: number,
  title: string,
  hint: string,
  of: { cost(row: Row): Cost | null; whole(): Cost; most(): Cost },
): Column<Row> {
  const text = (row: Row) => {
    const cost = of.cost(row);
    if (cost === null || (!is_below(row) && is_zero(cost))) return '';
    return row.is === 'call' && row.call.recursive ? exact(cost) : app.cell(cost, of.whole(), column);
  };
  return {
    id: `cost:${column}`,
    title: column === 0 ? title : `${title} ${printable(app.columns()[column] ?? '', 20)}`,
    hint,
    numeric: true,
    width: number_width(app, column),
    cell: row => (
      <NumberCell
        text={text(row)}
        share={is_below(row) || column > 0 ? null : share(of.cost(row) ?? 0, of.most())}
        quiet={is_below(row)}
      />
    ),
  };
}

// `costs`: before and after; null: the row has none.
export function change_column<Row extends ListedRow>(
  app: App,
  of: { costs(row: Row): [Cost, Cost] | null; most(): Cost; hint?: string },
): Column<Row> {
  return {
    id: 'change',
    title: 'Δ self',
    hint: `Change of the self cost against the profile before${of.hint ?? ''}`,
    numeric: true,
    width: number_width(app, 0, 2),
    cell: row => {
      const [before, after] = of.costs(row) ?? [0, 0];
      return (
        <Show when={!(is_zero(before) && is_zero(after))}>
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
