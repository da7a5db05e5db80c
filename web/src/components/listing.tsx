// Lines of text with numbers before them, of any count and length. The numbers stay in sight when the text is scrolled to
// the side.

import { For, type JSX, Show } from 'solid-js';
import { Grid, type GridProps } from './grid';
import './listing.css';

export interface ListingProps<Row> extends GridProps<Row> {
  textTitle: JSX.Element;
  text(row: Row): JSX.Element;
  textWidth: number; // of the widest one, in characters
  active: number;
  onActive(index: number): void;
}

export function Listing<Row>(props: ListingProps<Row>): JSX.Element {
  return (
    <Grid
      {...props}
      name="listing"
      rowSize="--line-height"
      style={{ '--text-width': `${props.textWidth + 2}ch` }}
      cellCount={props.columns.length + 1}
      isSelected={(_, index) => props.active === index}
      head={
        <>
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
            {props.textTitle}
          </div>
        </>
      }
      cells={row => (
        <Show when={row() !== undefined}>
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
        </Show>
      )}
    />
  );
}
