// A table of links and numbers. On a phone each row has several lines.

import { For, type JSX } from 'solid-js';

export interface Column<Row> {
  title: string; // '': only what is in the cells
  class?: string;
  cell(row: Row): JSX.Element;
}

export function Table<Row>(props: { class: string; columns: Column<Row>[]; rows: readonly Row[] }): JSX.Element {
  return (
    <table class={`history-table ${props.class}`}>
      <thead>
        <tr>
          <For each={props.columns}>
            {column =>
              column.title ? (
                <th scope="col" class={column.class}>
                  {column.title}
                </th>
              ) : (
                <td />
              )
            }
          </For>
        </tr>
      </thead>
      <tbody>
        <For each={props.rows}>
          {row => (
            <tr>
              <For each={props.columns}>{column => <td class={column.class}>{column.cell(row)}</td>}</For>
            </tr>
          )}
        </For>
      </tbody>
    </table>
  );
}
