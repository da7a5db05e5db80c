// Any number of rows, of which only the visible ones exist. The grid itself has the focus and names its active row
// (aria-activedescendant), because the row may scroll away. Tables and listings render the rows.

import { type Accessor, createEffect, createMemo, createSignal, createUniqueId, For, type JSX } from 'solid-js';
import './grid.css';
import { type MenuItem, useContextMenu } from './menu';
import { watchSize } from './watch_size';

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
  want?(first: number, last: number): void; // these are visible
}

// Rows that are all loaded.
export function allRows<Row>(rows: () => readonly Row[]): Rows<Row> {
  return { count: () => rows().length, at: index => rows()[index] };
}

export interface GridControl {
  show(index: number, where?: 'near' | 'middle'): void; // scrolls to it
  top(): number;
  returnTo(top: number): void; // as soon as there are enough rows
  focus(): void;
}

// The visible rows, for a strip beside the grid.
export interface Sight {
  first: number;
  last: number;
}

export interface GridProps<Row> {
  label: string;
  columns: Column<Row>[];
  rows: Rows<Row>;
  onActivate?(row: Row): void; // double click, Enter
  rowText?(row: Row): string; // for the clipboard: Ctrl+C copies the active row
  onCopy?(text: string): void;
  rowClass?(row: Row): string | undefined;
  rowLevel?(row: Row): { level: number; expanded?: boolean } | undefined; // for rows that unfold: role treegrid
  onExpand?(row: Row, open: boolean): void; // right and left arrow
  isTree?: boolean; // arrows go on to the row above or below, where there is nothing to unfold or fold
  rowMenu?(row: Row): MenuItem[]; // right click, "m"
  control?(control: GridControl): void;
  onSight?(sight: Sight): void;
}

// Browsers limit heights to some ten million pixels; beyond that, scrolling is scaled.
const mostPixels = 12_000_000;
const spare = 8; // rows beyond the visible ones

export function Grid<Row>(
  props: GridProps<Row> & {
    name: 'table' | 'listing'; // its classes begin so
    class?: string;
    rowSize: string; // a variable of the style
    style: JSX.CSSProperties;
    cellCount: number; // in a row
    active: number;
    onActive(index: number): void; // click, arrows
    onSpace?(row: Row): void;
    isSelected(row: Row | undefined, index: number): boolean;
    classOf?(index: number): string;
    head: JSX.Element;
    cells(row: Accessor<Row | undefined>): JSX.Element;
  },
): JSX.Element {
  const id = createUniqueId();
  const [top, setTop] = createSignal(0);
  const [height, setHeight] = createSignal(600);
  const [headHeight, setHeadHeight] = createSignal(26);
  const [rowHeight, setRowHeight] = createSignal(20);
  const [wantedTop, setWantedTop] = createSignal(0);
  let scroller!: HTMLDivElement;
  let head!: HTMLDivElement;

  const whole = createMemo(() => props.rows.count() * rowHeight());
  const pixels = createMemo(() => Math.min(whole(), mostPixels));
  const room = () => Math.max(1, height() - rowHeight());
  const scale = createMemo(() => (whole() > pixels() ? (whole() - room()) / (pixels() - room()) : 1));
  const offset = createMemo(() => top() * scale());
  const seen = () => Math.max(rowHeight(), height() - headHeight());
  const first = createMemo(() => Math.max(0, Math.floor(offset() / rowHeight()) - spare));
  const last = createMemo(() => Math.min(props.rows.count(), Math.ceil((offset() + height()) / rowHeight()) + spare));
  const indices = createMemo(() => Array.from({ length: Math.max(0, last() - first()) }, (_, i) => first() + i));
  createEffect(() => props.rows.want?.(first(), last()));
  createEffect(() => props.onSight?.({ first: offset() / rowHeight(), last: (offset() + seen()) / rowHeight() }));

  watchSize(
    () => scroller,
    () => {
      setHeight(scroller.clientHeight);
      setHeadHeight(head.offsetHeight);
      const row = Number.parseFloat(getComputedStyle(scroller).getPropertyValue(props.rowSize));
      if (row > 0) setRowHeight(row);
    },
  );
  createEffect(() => {
    const target = wantedTop();
    if (target === 0 || pixels() < target) return;
    setWantedTop(0);
    queueMicrotask(() => {
      scroller.scrollTop = target;
    });
  });

  function show(index: number, where: 'near' | 'middle' = 'near') {
    const begin = index * rowHeight();
    const now = scroller.scrollTop * scale();
    let target = now;
    if (begin >= now && begin + rowHeight() <= now + seen()) return;
    if (where === 'middle') target = begin - Math.floor(seen() / 3 / rowHeight()) * rowHeight();
    else if (begin < now) target = begin;
    else target = begin + rowHeight() - seen();
    scroller.scrollTop = target / scale();
    setTop(scroller.scrollTop);
  }
  props.control?.({
    show,
    top,
    returnTo(target) {
      scroller.scrollTop = target;
      setWantedTop(target);
    },
    focus: () => scroller.focus(),
  });

  function moveTo(index: number) {
    const count = props.rows.count();
    if (count === 0) return;
    const next = Math.max(0, Math.min(count - 1, index));
    props.onActive(next);
    show(next);
  }
  // Open or closed; a row below another closes that one. Else the grid is scrolled.
  function fold(row: Row, open: boolean): boolean {
    const level = props.rowLevel?.(row);
    if (!level || !props.onExpand) return false;
    const isLeaf = level.expanded === undefined;
    if (props.isTree && (isLeaf || level.expanded === open)) return step(level.level, open && !isLeaf);
    if (isLeaf ? open || level.level === 1 : level.expanded === open) return false;
    props.onExpand(row, open);
    return true;
  }
  // To the first row below, or to the one above.
  function step(level: number, down: boolean): boolean {
    if (down) moveTo(props.active + 1);
    for (let at = props.active - 1; !down && at >= 0; at--) {
      if ((props.rowLevel?.(props.rows.at(at)!)?.level ?? level) >= level) continue;
      moveTo(at);
      return true;
    }
    return down;
  }
  // Which opens the menu, as touch screens have no right button: with its click, which else would be one on the menu.
  let isSecondTouch = false;
  const menu = useContextMenu<Row>('Row', row => props.rowMenu?.(row) ?? []);

  function onKey(event: KeyboardEvent) {
    if (event.target !== scroller || event.altKey) return;
    const { key } = event;
    const control = event.ctrlKey || event.metaKey;
    const page = Math.max(1, Math.floor(seen() / rowHeight()) - 1);
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page };
    const row = props.rows.at(props.active);
    if (key in steps && !control) moveTo(props.active + steps[key]!);
    else if (key === 'Home') moveTo(0);
    else if (key === 'End') moveTo(props.rows.count() - 1);
    else if (row === undefined) return;
    else if (key === 'c' && control && props.rowText) {
      if (String(window.getSelection())) return;
      props.onCopy?.(props.rowText(row));
    } else if (control) return;
    else if (key === 'ArrowRight' || key === 'ArrowLeft') {
      if (!fold(row, key === 'ArrowRight')) return;
    } else if (key === 'Enter' && props.onActivate) props.onActivate(row);
    else if (key === ' ' && props.onSpace) props.onSpace(row);
    else if ((key === 'm' || key === 'ContextMenu') && props.rowMenu) {
      const box = document.getElementById(`${id}-${props.active}`)?.getBoundingClientRect();
      menu.open(row, (box?.left ?? 0) + 120, box?.bottom ?? 0);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <div
      class={`grid ${props.name} ${props.class ?? ''}`}
      ref={scroller}
      role={props.onExpand ? 'treegrid' : 'grid'}
      tabindex="0"
      aria-label={props.label}
      aria-rowcount={props.rows.count() + 1}
      aria-colcount={props.cellCount}
      aria-activedescendant={
        props.rows.count() > 0 && props.active >= first() && props.active < last() ? `${id}-${props.active}` : undefined
      }
      onScroll={() => setTop(scroller.scrollTop)}
      onKeyDown={onKey}
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
            const level = createMemo(() => of(props.rowLevel));
            return (
              <div
                class={`${props.name}-row ${props.classOf?.(index) ?? ''} ${of(props.rowClass) ?? ''}`}
                id={`${id}-${index}`}
                role="row"
                aria-rowindex={index + 2}
                aria-selected={props.isSelected(row(), index)}
                aria-level={level()?.level}
                aria-expanded={level()?.expanded}
                style={{ transform: `translateY(${index * rowHeight() - offset() + top()}px)` }}
                onPointerUp={event => {
                  const one = row();
                  isSecondTouch =
                    event.pointerType === 'touch' &&
                    one !== undefined &&
                    props.isSelected(one, index) &&
                    !(event.target as HTMLElement).closest('button');
                }}
                onClick={event => {
                  const one = row();
                  props.onActive(index);
                  if (isSecondTouch && one !== undefined && props.rowMenu) menu.open(one, event.clientX, event.clientY);
                  isSecondTouch = false;
                }}
                onContextMenu={event => {
                  const one = row();
                  if (one === undefined || !props.rowMenu || String(window.getSelection())) return;
                  event.preventDefault();
                  props.onActive(index);
                  menu.open(one, event.clientX, event.clientY);
                }}
                onDblClick={() => of(props.onActivate)}
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
