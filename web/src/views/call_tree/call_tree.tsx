// The call tree as a table whose rows unfold: from the roots down to callees, or from self costs up to callers.

import { type JSX, Match, Show, Switch } from 'solid-js';
import type { App } from '../../app/app';
import { EmptyState } from '../../components/empty_state';
import { IconButton } from '../../components/icon_button';
import { Problem } from '../../components/problem';
import { Segmented } from '../../components/segmented';
import { boundsText, funcOfRow, type TreeRow, textTable } from '../../model/call_tree';
import { counted, exact, percent } from '../../model/format';
import { printable } from '../../model/visible';
import { share } from '../../protocol/cost';
import { Certainty, RootChip } from '../pictures/tree_bar';
import { specialName } from '../pictures/tree_style';
import { type CallTreeData, type Direction, useCallTree } from './call_tree_data';
import { boundsOf, CallTreeTable, costOf } from './call_tree_table';

// As `callcost tree` prints it.
function treeText(app: App, data: CallTreeData): string {
  const base = app.measure.base();
  const answer = data.asked.value();
  const isDown = data.direction() === 'callees';
  const numbers = (row: TreeRow) => {
    const cost = costOf(row, 'inclusive') ?? 0;
    return [exact(cost), percent(share(cost, base)), ...(answer?.estimated ? [bounds(row)] : [])];
  };
  const bounds = (row: TreeRow) => (row.is === 'path' ? boundsText(boundsOf(row, 'inclusive'), base) : '');
  const name = (row: TreeRow) => {
    const func = funcOfRow(row);
    if (func) return printable(func.name + (func.context ?? ''), 4000);
    return row.is === 'more' ? `(${counted(row.rows, 'more path')})` : specialName(app.state, row.of.kind);
  };
  const which = isDown || data.root() ? 'inclusive' : 'self';
  const head = [which, `${which === 'self' ? 'self' : 'incl'}%`, ...(answer?.estimated ? ['between'] : [])];
  return textTable([
    [...head, ...(isDown ? ['self'] : []), 'function'],
    ...data.rows().map(row => {
      const self = costOf(row, 'self');
      const own = self === null ? '' : exact(self);
      return [...numbers(row), ...(isDown ? [own] : []), ' '.repeat(row.level - 1) + name(row)];
    }),
  ]);
}

function Bar(props: { app: App; data: CallTreeData; onHottest(): void }): JSX.Element {
  const { app, data } = props;
  // However flat the profile is.
  const drawn = () =>
    app.navigation.update({
      view: 'flame',
      options: { ...app.state.options, 'flame.direction': 'callers', 'flame.flat': 'draw' },
    });
  return (
    <div class="picture-bar">
      <Segmented
        label="Direction"
        choices={[
          { value: 'callees', label: 'Top down', hint: 'From the roots down to callees' },
          { value: 'callers', label: 'Bottom up', hint: 'From functions with self cost up to their callers' },
        ]}
        value={data.direction()}
        onChange={(direction: Direction) => data.begin(data.root(), direction)}
      />
      <RootChip
        app={app}
        root={data.root()}
        what={`${data.direction()} of`}
        onClose={() => data.begin(null, data.direction())}
      />
      <Show when={!data.root() && app.selection.selected()}>
        {one => (
          <button type="button" class="button quiet" onClick={() => data.begin(one().name, data.direction())}>
            Only {data.direction()} of {app.names.short(one().name)}
          </button>
        )}
      </Show>
      <Show when={data.direction() === 'callers' && !data.root()}>
        <button type="button" class="button quiet" onClick={drawn}>
          Inverted flame graph
        </button>
      </Show>
      <button type="button" class="button quiet" title="Open the hottest path ( * )" onClick={() => props.onHottest()}>
        Hottest path
      </button>
      <span class="view-bar-gap" />
      <Show when={data.asked.value()}>
        {now => <Certainty estimated={now().estimated} part={now().certainty} before={now().certainty_before} />}
      </Show>
      <IconButton
        icon="copy"
        label="Copy the tree as text"
        title="Copy the tree as text"
        onPress={() => void app.copy(treeText(app, data), 'the tree')}
      />
    </div>
  );
}

export function CallTreeView(props: { app: App }): JSX.Element {
  const { app } = props;
  const data = useCallTree(app, 'tree');
  let openHottest = () => {};
  return (
    <div class="picture call-tree">
      <Bar app={app} data={data} onHottest={() => openHottest()} />
      <CallTree
        app={app}
        data={data}
        label="Call tree"
        selects
        onHottest={open => {
          openHottest = open;
        }}
      />
    </div>
  );
}

// With what there is instead of rows.
export function CallTree(props: Parameters<typeof CallTreeTable>[0]): JSX.Element {
  const { app, data } = props;
  return (
    <Switch>
      <Match when={data.asked.error()}>{error => <Problem error={error()} />}</Match>
      <Match when={data.rootMissing()}>
        <EmptyState title="This function is not in the profile" text="The tree cannot begin at it." />
      </Match>
      <Match when={data.asked.value() && data.rows().length === 0}>
        <EmptyState
          title="No paths"
          text={app.state.chips.length > 0 ? 'No cost passes the filters.' : 'There is no cost.'}
        />
      </Match>
      <Match when={data.asked.value()}>
        <CallTreeTable {...props} />
      </Match>
    </Switch>
  );
}
