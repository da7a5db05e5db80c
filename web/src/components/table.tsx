// A table of any number of rows, that can be sorted and chosen from.

import { createEffect, createSignal, For, type JSX, on, onCleanup, onMount, Show } from 'solid-js';
import { type Column, Grid, type GridControl, type GridProps } from './grid';
import './table.css';

export interface TableProps<Row> extends GridProps<Row> {
  sort?: { by: string; ascending: boolean };
  on_sort?(column: string): void;
  is_selected?(row: Row): boolean;
  on_select?(row: Row, index: number): void; // click, arrows
  on_toggle?(row: Row): void; // Space
  list?: string; // which rows these are: another list begins at its top, a known one where it was left
  min_width?: string;
}

// Where lists were left, by their `list`.
const places = new Map<string, { top: number; active: number }>();
const most_places = 60;

function leave(list: string | undefined, top: number, active: number) {
  if (list === undefined) return;
  places.delete(list);
  places.set(list, { top, active });
  const oldest = places.keys().next().value;
  if (places.size > most_places && oldest !== undefined) places.delete(oldest);
}

export function Table<Row>(props: TableProps<Row>): JSX.Element {
  const [active, set_active] = createSignal(0);
  let grid!: GridControl;
  let shown: string | undefined; // at the end, the properties may be those of what comes next

  function come_to(list: string | undefined) {
    shown = list;
    const place = list === undefined ? undefined : places.get(list);
    set_active(place?.active ?? 0);
    grid.return_to(place?.top ?? 0);
  }
  onMount(() => come_to(props.list));
  createEffect(
    on(
      () => props.list,
      (list, before) => {
        leave(before, grid.top(), active());
        come_to(list);
      },
      { defer: true },
    ),
  );
  onCleanup(() => leave(shown, grid.top(), active()));

  function move_to(index: number) {
    set_active(index);
    const row = props.rows.at(index);
    if (row !== undefined) props.on_select?.(row, index);
  }
  const aria_sort = (column: Column<Row>) =>
    props.sort?.by === column.id ? (props.sort.ascending ? 'ascending' : 'descending') : undefined;

  return (
    <Grid
      {...props}
      name="table"
      row_size="--row"
      style={{ '--table-width': props.min_width ?? '100%' }}
      cell_count={props.columns.length}
      active={active()}
      on_active={move_to}
      on_space={row => (props.on_toggle ? props.on_toggle(row) : props.on_select?.(row, active()))}
      is_selected={row => row !== undefined && (props.is_selected?.(row) ?? false)}
      class_of={index => `${active() === index ? 'table-active' : ''} ${index % 2 === 1 ? 'odd' : ''}`}
      control={control => {
        grid = control;
      }}
      head={
        <For each={props.columns}>
          {column => (
            <div
              role="columnheader"
              aria-sort={aria_sort(column)}
              classList={{ 'table-cell': true, number: column.numeric === true }}
            >
              <Show when={column.sortable && props.on_sort} fallback={<span title={column.hint}>{column.title}</span>}>
                <button
                  type="button"
                  class="table-sort"
                  title={column.hint}
                  tabindex="-1"
                  onClick={() => props.on_sort?.(column.id)}
                >
                  {column.title}
                  <span class="table-order" aria-hidden="true">
                    {aria_sort(column) === 'ascending' ? '↑' : aria_sort(column) ? '↓' : ''}
                  </span>
                </button>
              </Show>
            </div>
          )}
        </For>
      }
      cells={row => (
        <For each={props.columns}>
          {(column, at) => (
            <div
              role="gridcell"
              aria-colindex={at() + 1}
              classList={{ 'table-cell': true, number: column.numeric === true }}
            >
              <Show when={row() !== undefined} fallback={<span class="table-missing">·</span>}>
                {column.cell(row() as Row)}
              </Show>
            </div>
          )}
        </For>
      )}
    />
  );
}
