// A view of one function while none is selected: offers the most expensive ones.

import { type JSX, Show } from 'solid-js';
import type { App } from '../app/app';
import { costColumn, nameColumn } from '../components/function_columns';
import { allRows } from '../components/grid';
import { Problem } from '../components/problem';
import { Table } from '../components/table';
import type { View } from '../model/views';
import type { FunctionRow } from '../protocol/protocol';
import './function_chooser.css';

export function FunctionChooser(props: { app: App; view: View }): JSX.Element {
  const { app } = props;
  // Lines and instructions have self cost.
  const by = () => (props.view.id === 'callers' ? ('inclusive' as const) : ('self' as const));
  const list = app.answers.follow(() => app.answers.question({ ask: 'functions', sort: by(), limit: 100 }));
  return (
    <div class="chooser">
      <div class="chooser-text">
        <h2>{props.view.title}: select a function</h2>
        <Show
          when={app.state.selection}
          fallback={
            <p>
              Choose one of the most expensive, or search with <kbd>/</kbd>
            </p>
          }
        >
          {name => (
            <p>
              {app.names.short(name())} is not in this profile. Choose another one, or search with <kbd>/</kbd>
            </p>
          )}
        </Show>
      </div>
      <Show when={list.error()}>{error => <Problem error={error()} />}</Show>
      <Table
        label="Most expensive functions"
        columns={[
          costColumn<FunctionRow>(app, { id: 'inclusive', title: 'Inclusive', of: row => row.inclusive, column: 0 }),
          costColumn<FunctionRow>(app, { id: 'self', title: 'Self', of: row => row.self, column: 0 }),
          nameColumn<FunctionRow>(app, { onGo: row => app.selection.select(row) }),
        ]}
        rows={allRows(() => list.value()?.rows ?? [])}
        onActivate={row => app.selection.select(row)}
      />
    </div>
  );
}
