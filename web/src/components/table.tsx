// A table of any number of rows, of which only those in sight exist. The grid itself has the focus and names its active
// row (aria-activedescendant), because the row may scroll away.

import {
  createEffect,
  createMemo,
  createSignal,
  createUniqueId,
  For,
  type JSX,
  on,
  onCleanup,
  onMount,
  Show,
} from 'solid-js';
import { type MenuItem, use_context_menu } from './menu';
import './table.css';

export interface Column<Row> {
  id: string;
  title: JSX.Element;
  hint?: string; // what the column means
  numeric?: boolean;
  width: string; // a track of a CSS grid: "7rem", "minmax(12rem, 1fr)"
  sortable?: boolean;
  cell(row: Row): JSX.Element;
}

export interface Rows<Row> {
  count(): number;
  at(index: number): Row | undefined; // undefined: not there yet
  want?(first: number, last: number): void; // these are in sight
}

export interface TableProps<Row> {
  label: string;
  columns: Column<Row>[];
  rows: Rows<Row>;
  sort?: { by: string; ascending: boolean };
  on_sort?(column: string): void;
  is_selected?(row: Row): boolean;
  on_select?(row: Row, index: number): void; // click, arrows
  on_activate?(row: Row): void; // double click, Enter
  on_toggle?(row: Row): void; // Space
  row_text?(row: Row): string; // for the clipboard: Ctrl+C copies the active row
  on_copy?(text: string): void;
  row_class?(row: Row): string | undefined;
  row_level?(row: Row): { level: number; expanded?: boolean } | undefined; // for rows that unfold: role treegrid
  on_expand?(row: Row, open: boolean): void; // right and left arrow
  row_menu?(row: Row): MenuItem[]; // right click, "m"
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
  const id = createUniqueId();
  const [top, set_top] = createSignal(0);
  const [height, set_height] = createSignal(600);
  const [row_height, set_row_height] = createSignal(24);
  const [active, set_active] = createSignal(0);
  let scroller!: HTMLDivElement;
  let head!: HTMLDivElement;

  // Browsers end at some ten million pixels; beyond, a pixel of the scroll bar is more than one of the table.
  const most_pixels = 12_000_000;
  const whole = createMemo(() => props.rows.count() * row_height());
  const pixels = createMemo(() => Math.min(whole(), most_pixels));
  const room = () => Math.max(1, height() - row_height());
  const scale = createMemo(() => (whole() > pixels() ? (whole() - room()) / (pixels() - room()) : 1));
  const offset = createMemo(() => top() * scale());
  const first = createMemo(() => Math.max(0, Math.floor(offset() / row_height()) - 6));
  const last = createMemo(() => Math.min(props.rows.count(), Math.ceil((offset() + height()) / row_height()) + 6));
  const indices = createMemo(() => Array.from({ length: Math.max(0, last() - first()) }, (_, i) => first() + i));
  createEffect(() => props.rows.want?.(first(), last()));

  const place = (index: number) => index * row_height() - offset() + top();

  onMount(() => {
    const measure = () => {
      set_height(scroller.clientHeight);
      const row = Number.parseFloat(getComputedStyle(scroller).getPropertyValue('--row'));
      if (row > 0) set_row_height(row);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(scroller);
    onCleanup(() => observer.disconnect());
  });
  const menu = use_context_menu<Row>('Row', row => props.row_menu?.(row) ?? []);
  const known = props.list === undefined ? undefined : places.get(props.list);
  if (known) set_active(known.active);
  // A known place is gone to as soon as there are rows enough to go there.
  let waiting_for = known?.top;
  createEffect(
    on(
      () => props.list,
      (list, before) => {
        if (before !== undefined) leave(before, top(), active());
        const place = list === undefined ? undefined : places.get(list);
        set_active(place?.active ?? 0);
        waiting_for = place?.top;
        scroller.scrollTop = place?.top ?? 0;
      },
      { defer: true },
    ),
  );
  createEffect(() => {
    if (waiting_for === undefined || pixels() < waiting_for) return;
    const target = waiting_for;
    waiting_for = undefined;
    queueMicrotask(() => {
      scroller.scrollTop = target;
    });
  });
  onCleanup(() => leave(props.list, top(), active()));

  function show(index: number) {
    const begin = index * row_height();
    const seen = height() - head.offsetHeight;
    let target = offset();
    if (begin < target) target = begin;
    else if (begin + row_height() > target + seen) target = begin + row_height() - seen;
    if (target !== offset()) scroller.scrollTop = target / scale();
  }

  function move_to(index: number) {
    const count = props.rows.count();
    if (count === 0) return;
    const next = Math.max(0, Math.min(count - 1, index));
    set_active(next);
    show(next);
    const row = props.rows.at(next);
    if (row !== undefined) props.on_select?.(row, next);
  }

  function on_key(event: KeyboardEvent) {
    if (event.target !== scroller) return;
    const rows_in_sight = Math.max(1, Math.floor((height() - head.offsetHeight) / row_height()) - 1);
    const row = props.rows.at(active());
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (event.key === 'ArrowDown' && plain) move_to(active() + 1);
    else if (event.key === 'ArrowUp' && plain) move_to(active() - 1);
    else if (event.key === 'PageDown' && plain) move_to(active() + rows_in_sight);
    else if (event.key === 'PageUp' && plain) move_to(active() - rows_in_sight);
    else if (event.key === 'Home' && plain) move_to(0);
    else if (event.key === 'End' && plain) move_to(props.rows.count() - 1);
    else if (event.key === 'Enter' && plain && row !== undefined && props.on_activate) props.on_activate(row);
    else if ((event.key === 'm' || event.key === 'ContextMenu') && plain && row !== undefined && props.row_menu) {
      const box = document.getElementById(`${id}-${active()}`)?.getBoundingClientRect();
      menu.open(row, (box?.left ?? 0) + 120, box?.bottom ?? 0);
    } else if (event.key === ' ' && plain && row !== undefined) {
      if (props.on_toggle) props.on_toggle(row);
      else props.on_select?.(row, active());
    } else if (
      (event.key === 'ArrowRight' || event.key === 'ArrowLeft') &&
      plain &&
      row !== undefined &&
      props.on_expand
    )
      props.on_expand(row, event.key === 'ArrowRight');
    else if (event.key === 'c' && (event.ctrlKey || event.metaKey) && row !== undefined && props.row_text) {
      if (String(window.getSelection())) return;
      props.on_copy?.(props.row_text(row));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  function on_click(row: Row | undefined, index: number) {
    set_active(index);
    if (row !== undefined) props.on_select?.(row, index);
  }

  const tracks = () => props.columns.map(column => column.width).join(' ');
  const aria_sort = (column: Column<Row>) =>
    props.sort?.by === column.id ? (props.sort.ascending ? 'ascending' : 'descending') : undefined;

  return (
    <div
      class="table"
      ref={scroller}
      role={props.on_expand ? 'treegrid' : 'grid'}
      tabindex="0"
      aria-label={props.label}
      aria-rowcount={props.rows.count() + 1}
      aria-colcount={props.columns.length}
      aria-activedescendant={
        props.rows.count() > 0 && active() >= first() && active() < last() ? `${id}-${active()}` : undefined
      }
      onScroll={() => set_top(scroller.scrollTop)}
      onKeyDown={on_key}
      style={{ '--tracks': tracks(), '--table-width': props.min_width ?? '100%' }}
    >
      <div class="table-head" ref={head} role="rowgroup">
        <div class="table-row" role="row" aria-rowindex="1">
          <For each={props.columns}>
            {column => (
              <div
                role="columnheader"
                aria-sort={aria_sort(column)}
                classList={{ 'table-cell': true, number: column.numeric === true }}
              >
                <Show
                  when={column.sortable && props.on_sort}
                  fallback={<span title={column.hint}>{column.title}</span>}
                >
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
        </div>
      </div>
      <div class="table-body" role="rowgroup" style={{ height: `${pixels()}px` }}>
        <For each={indices()}>
          {index => {
            const row = createMemo(() => props.rows.at(index));
            const level = () => {
              const one = row();
              return one === undefined ? undefined : props.row_level?.(one);
            };
            const selected = () => {
              const one = row();
              return one !== undefined && (props.is_selected?.(one) ?? false);
            };
            const extra = () => {
              const one = row();
              return one === undefined ? '' : (props.row_class?.(one) ?? '');
            };
            return (
              <div
                class={`table-row ${extra()}`}
                id={`${id}-${index}`}
                role="row"
                aria-rowindex={index + 2}
                aria-selected={selected()}
                aria-level={level()?.level}
                aria-expanded={level()?.expanded}
                classList={{ 'table-active': active() === index, odd: index % 2 === 1 }}
                style={{ transform: `translateY(${place(index)}px)` }}
                onClick={() => on_click(row(), index)}
                onContextMenu={event => {
                  const one = row();
                  if (one === undefined || !props.row_menu || String(window.getSelection())) return;
                  event.preventDefault();
                  on_click(one, index);
                  menu.open(one, event.clientX, event.clientY);
                }}
                onDblClick={() => {
                  const one = row();
                  if (one !== undefined) props.on_activate?.(one);
                }}
              >
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
              </div>
            );
          }}
        </For>
      </div>
      <menu.Menu />
    </div>
  );
}

// Rows that are all there.
export function all_rows<Row>(rows: () => readonly Row[]): Rows<Row> {
  return { count: () => rows().length, at: index => rows()[index] };
}
