// Any number of rows, of which only those in sight exist. The grid itself has the focus and names its active row
// (aria-activedescendant), because the row may scroll away. What rows look like is said by tables and listings.

import { type Accessor, createEffect, createMemo, createSignal, createUniqueId, For, type JSX } from 'solid-js';
import './grid.css';
import { type MenuItem, use_context_menu } from './menu';
import { watch_size } from './watch_size';

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

// Rows that are all there.
export function all_rows<Row>(rows: () => readonly Row[]): Rows<Row> {
  return { count: () => rows().length, at: index => rows()[index] };
}

export interface GridControl {
  show(index: number, where?: 'near' | 'middle'): void; // brings it in sight
  top(): number;
  return_to(top: number): void; // as soon as there are rows enough
  focus(): void;
}

// Which rows are in sight, as places in the whole: for a strip beside the grid.
export interface Sight {
  first: number;
  last: number;
}

export interface GridProps<Row> {
  label: string;
  columns: Column<Row>[];
  rows: Rows<Row>;
  on_activate?(row: Row): void; // double click, Enter
  row_text?(row: Row): string; // for the clipboard: Ctrl+C copies the active row
  on_copy?(text: string): void;
  row_class?(row: Row): string | undefined;
  row_level?(row: Row): { level: number; expanded?: boolean } | undefined; // for rows that unfold: role treegrid
  on_expand?(row: Row, open: boolean): void; // right and left arrow
  row_menu?(row: Row): MenuItem[]; // right click, "m"
  control?(control: GridControl): void;
  on_sight?(sight: Sight): void;
}

// Browsers end at some ten million pixels; beyond, a pixel of the scroll bar is more than one of the grid.
const most_pixels = 12_000_000;
const spare = 8; // rows beyond those in sight

export function Grid<Row>(
  props: GridProps<Row> & {
    name: 'table' | 'listing'; // its classes begin so
    row_size: string; // a variable of the style
    style: JSX.CSSProperties;
    cell_count: number; // in a row
    active: number;
    on_active(index: number): void; // click, arrows
    on_space?(row: Row): void;
    is_selected(row: Row | undefined, index: number): boolean;
    class_of?(index: number): string;
    head: JSX.Element;
    cells(row: Accessor<Row | undefined>): JSX.Element;
  },
): JSX.Element {
  const id = createUniqueId();
  const [top, set_top] = createSignal(0);
  const [height, set_height] = createSignal(600);
  const [head_height, set_head_height] = createSignal(26);
  const [row_height, set_row_height] = createSignal(20);
  const [wanted_top, set_wanted_top] = createSignal(0);
  let scroller!: HTMLDivElement;
  let head!: HTMLDivElement;

  const whole = createMemo(() => props.rows.count() * row_height());
  const pixels = createMemo(() => Math.min(whole(), most_pixels));
  const room = () => Math.max(1, height() - row_height());
  const scale = createMemo(() => (whole() > pixels() ? (whole() - room()) / (pixels() - room()) : 1));
  const offset = createMemo(() => top() * scale());
  const seen = () => Math.max(row_height(), height() - head_height());
  const first = createMemo(() => Math.max(0, Math.floor(offset() / row_height()) - spare));
  const last = createMemo(() => Math.min(props.rows.count(), Math.ceil((offset() + height()) / row_height()) + spare));
  const indices = createMemo(() => Array.from({ length: Math.max(0, last() - first()) }, (_, i) => first() + i));
  createEffect(() => props.rows.want?.(first(), last()));
  createEffect(() => props.on_sight?.({ first: offset() / row_height(), last: (offset() + seen()) / row_height() }));

  watch_size(
    () => scroller,
    () => {
      set_height(scroller.clientHeight);
      set_head_height(head.offsetHeight);
      const row = Number.parseFloat(getComputedStyle(scroller).getPropertyValue(props.row_size));
      if (row > 0) set_row_height(row);
    },
  );
  createEffect(() => {
    const target = wanted_top();
    if (target === 0 || pixels() < target) return;
    set_wanted_top(0);
    queueMicrotask(() => {
      scroller.scrollTop = target;
    });
  });

  function show(index: number, where: 'near' | 'middle' = 'near') {
    const begin = index * row_height();
    const now = scroller.scrollTop * scale();
    let target = now;
    if (begin >= now && begin + row_height() <= now + seen()) return;
    if (where === 'middle') target = begin - Math.floor(seen() / 3 / row_height()) * row_height();
    else if (begin < now) target = begin;
    else target = begin + row_height() - seen();
    scroller.scrollTop = target / scale();
    set_top(scroller.scrollTop);
  }
  props.control?.({
    show,
    top,
    return_to(target) {
      scroller.scrollTop = target;
      set_wanted_top(target);
    },
    focus: () => scroller.focus(),
  });

  function move_to(index: number) {
    const count = props.rows.count();
    if (count === 0) return;
    const next = Math.max(0, Math.min(count - 1, index));
    props.on_active(next);
    show(next);
  }
  // Open or closed; a row below another closes that one. Else the grid is scrolled.
  function fold(row: Row, open: boolean): boolean {
    const level = props.row_level?.(row);
    if (!level || !props.on_expand) return false;
    if (level.expanded === undefined ? open || level.level === 1 : level.expanded === open) return false;
    props.on_expand(row, open);
    return true;
  }
  const menu = use_context_menu<Row>('Row', row => props.row_menu?.(row) ?? []);

  function on_key(event: KeyboardEvent) {
    if (event.target !== scroller || event.altKey) return;
    const { key } = event;
    const control = event.ctrlKey || event.metaKey;
    const page = Math.max(1, Math.floor(seen() / row_height()) - 1);
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page };
    const row = props.rows.at(props.active);
    if (key in steps && !control) move_to(props.active + steps[key]!);
    else if (key === 'Home') move_to(0);
    else if (key === 'End') move_to(props.rows.count() - 1);
    else if (row === undefined) return;
    else if (key === 'c' && control && props.row_text) {
      if (String(window.getSelection())) return;
      props.on_copy?.(props.row_text(row));
    } else if (control) return;
    else if (key === 'ArrowRight' || key === 'ArrowLeft') {
      if (!fold(row, key === 'ArrowRight')) return;
    } else if (key === 'Enter' && props.on_activate) props.on_activate(row);
    else if (key === ' ' && props.on_space) props.on_space(row);
    else if ((key === 'm' || key === 'ContextMenu') && props.row_menu) {
      const box = document.getElementById(`${id}-${props.active}`)?.getBoundingClientRect();
      menu.open(row, (box?.left ?? 0) + 120, box?.bottom ?? 0);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <div
      class={`grid ${props.name}`}
      ref={scroller}
      role={props.on_expand ? 'treegrid' : 'grid'}
      tabindex="0"
      aria-label={props.label}
      aria-rowcount={props.rows.count() + 1}
      aria-colcount={props.cell_count}
      aria-activedescendant={
        props.rows.count() > 0 && props.active >= first() && props.active < last() ? `${id}-${props.active}` : undefined
      }
      onScroll={() => set_top(scroller.scrollTop)}
      onKeyDown={on_key}
      style={{ '--tracks': props.columns.map(column => column.width).join(' '), ...props.style }}
    >
      <div class={`${props.name}-head`} ref={head} role="rowgroup">
        <div class={`${props.name}-row`} role="row" aria-rowindex="1">
          {props.head}
        </div>
      </div>
      <div class={`${props.name}-body`} role="rowgroup" style={{ height: `${pixels()}px` }}>
        <For each={indices()}>
          {index => {
            const row = createMemo(() => props.rows.at(index));
            const of = <Answer,>(ask: ((row: Row) => Answer) | undefined) => {
              const one = row();
              return one === undefined ? undefined : ask?.(one);
            };
            const level = createMemo(() => of(props.row_level));
            return (
              <div
                class={`${props.name}-row ${props.class_of?.(index) ?? ''} ${of(props.row_class) ?? ''}`}
                id={`${id}-${index}`}
                role="row"
                aria-rowindex={index + 2}
                aria-selected={props.is_selected(row(), index)}
                aria-level={level()?.level}
                aria-expanded={level()?.expanded}
                style={{ transform: `translateY(${index * row_height() - offset() + top()}px)` }}
                onClick={() => props.on_active(index)}
                onContextMenu={event => {
                  const one = row();
                  if (one === undefined || !props.row_menu || String(window.getSelection())) return;
                  event.preventDefault();
                  props.on_active(index);
                  menu.open(one, event.clientX, event.clientY);
                }}
                onDblClick={() => of(props.on_activate)}
              >
                {props.cells(row)}
              </div>
            );
          }}
        </For>
      </div>
      <menu.Menu />
    </div>
  );
}
