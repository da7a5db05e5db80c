// Lines of text with numbers before them, of any count and length. The numbers stay in sight when the text is scrolled to
// the side. As in tables only those rows exist that can be seen, and the listing itself has the focus.

import {
  createEffect,
  createMemo,
  createSignal,
  createUniqueId,
  For,
  type JSX,
  onCleanup,
  onMount,
  Show,
} from 'solid-js';
import './listing.css';
import { type MenuItem, use_context_menu } from './menu';
import type { Rows } from './table';

export interface ListingColumn<Row> {
  id: string;
  title: JSX.Element;
  hint?: string;
  numeric?: boolean;
  width: string; // a length
  cell(row: Row): JSX.Element;
}

export interface ListingControl {
  show(index: number, where?: 'near' | 'middle'): void; // brings it in sight
  focus(): void;
}

// Which rows are in sight, as places in the whole: for a strip beside the listing.
export interface Sight {
  first: number;
  last: number;
}

export interface ListingProps<Row> {
  label: string;
  columns: ListingColumn<Row>[];
  rows: Rows<Row>;
  text_title: JSX.Element;
  text(row: Row): JSX.Element;
  text_width: number; // of the widest one, in characters
  active: number;
  on_active(index: number): void;
  on_activate?(row: Row): void; // double click, Enter
  row_class?(row: Row): string | undefined;
  row_level?(row: Row): { level: number; expanded?: boolean } | undefined;
  on_expand?(row: Row, open: boolean): void;
  row_text?(row: Row): string;
  on_copy?(text: string): void;
  row_menu?(row: Row): MenuItem[];
  control?(control: ListingControl): void;
  on_sight?(sight: Sight): void;
}

export function Listing<Row>(props: ListingProps<Row>): JSX.Element {
  const id = createUniqueId();
  const [top, set_top] = createSignal(0);
  const [height, set_height] = createSignal(600);
  const [row_height, set_row_height] = createSignal(20);
  const menu = use_context_menu<Row>('Row', row => props.row_menu?.(row) ?? []);
  let scroller!: HTMLDivElement;
  let head!: HTMLDivElement;
  const head_height = 26;

  const seen = () => Math.max(row_height(), height() - head_height);
  const first = createMemo(() => Math.max(0, Math.floor(top() / row_height()) - 8));
  const last = createMemo(() => Math.min(props.rows.count(), Math.ceil((top() + height()) / row_height()) + 8));
  const indices = createMemo(() => Array.from({ length: Math.max(0, last() - first()) }, (_, i) => first() + i));
  createEffect(() => props.on_sight?.({ first: top() / row_height(), last: (top() + seen()) / row_height() }));

  function show(index: number, where: 'near' | 'middle' = 'near') {
    const begin = index * row_height();
    const now = scroller.scrollTop;
    const in_sight = begin >= now && begin + row_height() <= now + seen();
    if (in_sight) return;
    if (where === 'middle') scroller.scrollTop = begin - Math.floor(seen() / 3 / row_height()) * row_height();
    else if (begin < now) scroller.scrollTop = begin;
    else scroller.scrollTop = begin + row_height() - seen();
    set_top(scroller.scrollTop);
  }

  onMount(() => {
    const measure = () => {
      set_height(scroller.clientHeight);
      const row = Number.parseFloat(getComputedStyle(scroller).getPropertyValue('--line-height'));
      if (row > 0) set_row_height(row);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(scroller);
    onCleanup(() => observer.disconnect());
    props.control?.({ show, focus: () => scroller.focus() });
  });

  function move_to(index: number) {
    const count = props.rows.count();
    if (count === 0) return;
    const next = Math.max(0, Math.min(count - 1, index));
    props.on_active(next);
    show(next);
  }
  function sideways(row: Row, step: 1 | -1) {
    const level = props.row_level?.(row);
    const opens = level?.expanded !== undefined && level.expanded !== step > 0;
    if (opens) props.on_expand?.(row, step > 0);
    else if (step < 0 && level && level.level > 1) props.on_expand?.(row, false);
    else scroller.scrollLeft += step * 64;
  }

  function on_key(event: KeyboardEvent) {
    if (event.target !== scroller) return;
    const page = Math.max(1, Math.floor(seen() / row_height()) - 1);
    const row = props.rows.at(props.active);
    const control = event.ctrlKey || event.metaKey;
    const plain = !control && !event.altKey;
    if (event.key === 'ArrowDown' && plain) move_to(props.active + 1);
    else if (event.key === 'ArrowUp' && plain) move_to(props.active - 1);
    else if (event.key === 'PageDown' && plain) move_to(props.active + page);
    else if (event.key === 'PageUp' && plain) move_to(props.active - page);
    else if (event.key === 'Home' && !event.altKey) move_to(0);
    else if (event.key === 'End' && !event.altKey) move_to(props.rows.count() - 1);
    else if (row === undefined) return;
    else if (event.key === 'ArrowRight' && plain) sideways(row, 1);
    else if (event.key === 'ArrowLeft' && plain) sideways(row, -1);
    else if (event.key === 'Enter' && plain && props.on_activate) props.on_activate(row);
    else if ((event.key === 'm' || event.key === 'ContextMenu') && plain && props.row_menu) {
      const box = document.getElementById(`${id}-${props.active}`)?.getBoundingClientRect();
      if (box) menu.open(row, box.left + 120, box.bottom);
    } else if (event.key === 'c' && control && props.row_text) {
      if (String(window.getSelection())) return;
      props.on_copy?.(props.row_text(row));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  const tracks = () => props.columns.map(column => column.width).join(' ');
  return (
    <div
      class="listing"
      ref={scroller}
      role={props.on_expand ? 'treegrid' : 'grid'}
      tabindex="0"
      aria-label={props.label}
      aria-rowcount={props.rows.count() + 1}
      aria-colcount={props.columns.length + 1}
      aria-activedescendant={
        props.active >= first() && props.active < last() && props.rows.count() > 0 ? `${id}-${props.active}` : undefined
      }
      onScroll={() => set_top(scroller.scrollTop)}
      onKeyDown={on_key}
      style={{ '--tracks': tracks(), '--text-width': `${props.text_width + 2}ch` }}
    >
      <div class="listing-head" ref={head} role="rowgroup">
        <div class="listing-row" role="row" aria-rowindex="1">
          <div class="listing-numbers">
            <For each={props.columns}>
              {column => (
                <div
                  role="columnheader"
                  class="listing-cell"
                  classList={{ number: column.numeric === true }}
                  title={column.hint}
                >
                  {column.title}
                </div>
              )}
            </For>
          </div>
          <div role="columnheader" class="listing-text">
            {props.text_title}
          </div>
        </div>
      </div>
      <div class="listing-body" role="rowgroup" style={{ height: `${props.rows.count() * row_height()}px` }}>
        <For each={indices()}>
          {index => {
            const row = createMemo(() => props.rows.at(index));
            const level = createMemo(() => {
              const one = row();
              return one === undefined ? undefined : props.row_level?.(one);
            });
            return (
              <Show when={row() !== undefined}>
                <div
                  class={`listing-row ${props.row_class?.(row() as Row) ?? ''}`}
                  id={`${id}-${index}`}
                  role="row"
                  aria-rowindex={index + 2}
                  aria-selected={props.active === index}
                  aria-level={level()?.level}
                  aria-expanded={level()?.expanded}
                  style={{ transform: `translateY(${index * row_height()}px)` }}
                  onClick={() => props.on_active(index)}
                  onContextMenu={event => {
                    if (!props.row_menu || String(window.getSelection())) return;
                    event.preventDefault();
                    props.on_active(index);
                    menu.open(row() as Row, event.clientX, event.clientY);
                  }}
                  onDblClick={() => props.on_activate?.(row() as Row)}
                >
                  <div class="listing-numbers">
                    <For each={props.columns}>
                      {(column, at) => (
                        <div
                          role="gridcell"
                          aria-colindex={at() + 1}
                          class={`listing-cell listing-${column.id}`}
                          classList={{ number: column.numeric === true }}
                        >
                          {column.cell(row() as Row)}
                        </div>
                      )}
                    </For>
                  </div>
                  <div role="gridcell" class="listing-text" aria-colindex={props.columns.length + 1}>
                    {props.text(row() as Row)}
                  </div>
                </div>
              </Show>
            );
          }}
        </For>
      </div>
      <menu.Menu />
    </div>
  );
}
