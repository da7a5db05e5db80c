// A table of any number of rows with sorting and selection.

import { createEffect, createSignal, For, type JSX, on, onCleanup, onMount, Show } from 'solid-js';
import { type Column, Grid, type GridControl, type GridProps } from './grid';
import './table.css';

export interface TableProps<Row> extends GridProps<Row> {
  sort?: { by: string; ascending: boolean };
  onSort?(column: string): void;
  isSelected?(row: Row): boolean;
  onSelect?(row: Row, index: number): void; // click, arrows
  onToggle?(row: Row): void; // Space
  list?: string; // identifies the list: a new one starts at the top, a known one where it was left
  minWidth?: string;
  target?: number | undefined; // the row to go to, once it is another
  namesFirst?: boolean; // the first column stays when the others are scrolled
}

// Scroll positions by `list`.
const places = new Map<string, { top: number; active: number }>();
const mostPlaces = 60;

function leave(list: string | undefined, top: number, active: number) {
  if (list === undefined) return;
  places.delete(list);
  places.set(list, { top, active });
  const oldest = places.keys().next().value;
  if (places.size > mostPlaces && oldest !== undefined) places.delete(oldest);
}

export function Table<Row>(props: TableProps<Row>): JSX.Element {
  const [active, setActive] = createSignal(0);
  let grid!: GridControl;
  let shown: string | undefined; // at the end, the properties may be those of what comes next

  function comeTo(list: string | undefined) {
    shown = list;
    const place = list === undefined ? undefined : places.get(list);
    setActive(place?.active ?? 0);
    grid.returnTo(place?.top ?? 0);
  }
  onMount(() => comeTo(props.list));
  createEffect(
    on(
      () => props.list,
      (list, before) => {
        leave(before, grid.top(), active());
        comeTo(list);
      },
      { defer: true },
    ),
  );
  onCleanup(() => leave(shown, grid.top(), active()));

  createEffect(
    on(
      () => props.target,
      target => {
        if (target === undefined || target < 0) return;
        moveTo(target);
        grid.show(target, 'middle');
      },
      { defer: true },
    ),
  );

  function moveTo(index: number) {
    setActive(index);
    const row = props.rows.at(index);
    if (row !== undefined) props.onSelect?.(row, index);
  }
  const ariaSort = (column: Column<Row>) =>
    props.sort?.by === column.id ? (props.sort.ascending ? 'ascending' : 'descending') : undefined;

  return (
    <Grid
      {...props}
      name="table"
      rowSize="--row"
      class={props.namesFirst ? 'names-first' : ''}
      style={{ '--table-width': props.minWidth ?? '100%' }}
      cellCount={props.columns.length}
      active={active()}
      onActive={moveTo}
      onSpace={row => (props.onToggle ? props.onToggle(row) : props.onSelect?.(row, active()))}
      isSelected={row => row !== undefined && (props.isSelected?.(row) ?? false)}
      classOf={index => `${active() === index ? 'table-active' : ''} ${index % 2 === 1 ? 'odd' : ''}`}
      control={control => {
        grid = control;
      }}
      head={
        <For each={props.columns}>
          {column => (
            <div
              role="columnheader"
              aria-sort={ariaSort(column)}
              classList={{ 'table-cell': true, number: column.numeric === true }}
            >
              <Show when={column.sortable && props.onSort} fallback={<span title={column.hint}>{column.title}</span>}>
                <button
                  type="button"
                  class="table-sort"
                  title={column.hint}
                  tabindex="-1"
                  onClick={() => props.onSort?.(column.id)}
                >
                  {column.title}
                  <span class="table-order" aria-hidden="true">
                    {ariaSort(column) === 'ascending' ? '↑' : ariaSort(column) ? '↓' : ''}
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
