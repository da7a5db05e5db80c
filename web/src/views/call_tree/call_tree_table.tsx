// The rows of a call tree, with the columns of one direction.

import { createEffect, createMemo, createSignal, type JSX, Show } from 'solid-js';
import type { App } from '../../app/app';
import { ChangeCell } from '../../components/change_cell';
import { costHint, countText, FunctionName, numberRoom, numberWidth, placeOf } from '../../components/function_columns';
import { functionMenu } from '../../components/function_menu';
import { allRows, type Column } from '../../components/grid';
import { useIsPhone } from '../../components/media';
import { NumberCell } from '../../components/number_cell';
import { OpenButton } from '../../components/open_button';
import { Table } from '../../components/table';
import { funcOfRow, type TreeRow } from '../../model/call_tree';
import { estimateText } from '../../model/estimates';
import { exact, percent } from '../../model/format';
import { inlinedMark, kinds } from '../../model/tree';
import { printable } from '../../model/visible';
import { type Cost, larger, share } from '../../protocol/cost';
import { specialName } from '../pictures/tree_style';
import './call_tree.css';
import type { CallTreeData } from './call_tree_data';

type Which = 'inclusive' | 'self';

export function costOf(row: TreeRow, which: Which): Cost | null {
  if (row.is === 'path') return row.of.kind === kinds.function || which === 'inclusive' ? row.of[which] : null;
  return which === 'inclusive' ? row.cost : null;
}

export const boundsOf = (row: TreeRow, which: Which) => (row.is === 'path' ? row.of[`${which}_bounds`] : undefined);

function costColumn(app: App, data: CallTreeData, which: Which, isCompact: boolean): Column<TreeRow> {
  const isCallers = () => data.direction() === 'callers';
  const onPath = () => isCallers() && !data.root();
  const whole = () => (data.root() ? (data.asked.value()?.whole ?? 0) : app.measure.base()); // of bars
  const hint = (row: TreeRow) => {
    const cost = costOf(row, which);
    const [least, most] = boundsOf(row, which) ?? [];
    return costHint(app, cost, 0, () =>
      cost !== null && least !== undefined && most !== undefined ? estimateText({ cost, least, most }, '') : [],
    );
  };
  return {
    id: which,
    title: which === 'self' ? 'Self' : onPath() ? 'Self here' : 'Inclusive',
    hint:
      which === 'self'
        ? 'Cost of the function’s own code on this path'
        : onPath()
          ? 'How much of the self cost of the function at the top is due to this path'
          : 'Cost of this path, with everything below it',
    numeric: true,
    width: numberWidth(app, 0, isCompact ? 0 : 1),
    cell: row => {
      const cost = costOf(row, which);
      return (
        <Show when={cost !== null || (row.is === 'path' && row.of.kind === kinds.function)}>
          <NumberCell
            text={`${boundsOf(row, which) ? '~' : ''}${app.measure.cell(cost, row.parent ?? undefined)}`}
            share={cost === null ? null : share(cost, whole())}
            certain={boundsOf(row, which) ? share(boundsOf(row, which)![0]!, whole()) : null}
            hint={hint(row)}
            quiet={row.is !== 'path'}
          />
        </Show>
      );
    },
  };
}

function changeColumn(app: App, rows: () => TreeRow[]): Column<TreeRow> {
  const before = (row: TreeRow) => (row.is === 'path' ? row.of.inclusive_before : row.before);
  const most = createMemo(() =>
    rows().reduce<Cost>((most, row) => larger(most, larger(costOf(row, 'inclusive') ?? 0, before(row) ?? 0)), 0),
  );
  return {
    id: 'change',
    title: 'Δ',
    hint: 'Change of the cost of this path',
    numeric: true,
    width: numberWidth(app, 0, 2),
    cell: row => {
      const [old, now] = [before(row), costOf(row, 'inclusive')];
      return (
        <ChangeCell
          before={old}
          after={now}
          relative={app.state.relative !== 'absolute'}
          estimated={boundsOf(row, 'inclusive') !== undefined}
          room={numberRoom(app, 0)}
          spell={app.measure.spelled}
          share={old == null || now === null ? null : share(Number(now) - Number(old), most())}
        />
      );
    },
  };
}

function callColumns(app: App): Column<TreeRow>[] {
  const text = (row: TreeRow) => {
    if (row.is !== 'path' || row.of.calls === null) return '';
    if (row.of.calls === 0) return '<1';
    return `${row.of.calls_estimated ? '~' : ''}${countText(row.of.calls)}`;
  };
  return [
    {
      id: 'calls',
      title: 'Calls',
      hint: 'Calls on this path; “~”: shared out among paths by cost',
      numeric: true,
      width: '13ch',
      cell: row => <NumberCell text={text(row)} />,
    },
    {
      id: 'per_call',
      title: 'Per call',
      hint: 'Cost of this path per call',
      numeric: true,
      width: '13ch',
      cell: row => (
        <NumberCell text={row.is === 'path' && row.of.per_call !== null ? app.measure.spelled(row.of.per_call) : ''} />
      ),
    },
  ];
}

const mostIndent = 24; // levels; deeper ones show their number

function NameCell(props: { app: App; data: CallTreeData; row: TreeRow; compact: boolean }): JSX.Element {
  const { app, data, row } = props;
  const func = funcOfRow(row);
  const depth = row.level - 1;
  const isFound = () =>
    func !== undefined &&
    app.state.search !== '' &&
    !app.state.search.startsWith('/') &&
    `${func.name}${func.context ?? ''}`.toLowerCase().includes(app.state.search.toLowerCase());
  return (
    <span
      class="call-tree-name"
      classList={{ found: isFound() }}
      style={{ 'padding-left': `${Math.min(depth, mostIndent) * (props.compact ? 8 : 14)}px` }}
    >
      <Show when={depth > mostIndent}>
        <span class="tag">{row.level}</span>
      </Show>
      <Show
        when={row.is === 'path' && row.of.leads_on && func}
        fallback={<span class="call-tree-leaf" aria-hidden="true" />}
      >
        <OpenButton
          open={row.is === 'path' && row.open}
          what={data.direction()}
          onOpen={isOpen => data.toggle(row, isOpen)}
        />
      </Show>
      <Show
        when={func}
        fallback={
          <button
            type="button"
            class="link muted"
            tabindex="-1"
            disabled={row.is === 'path'}
            onClick={() => data.more(row)}
          >
            {row.is === 'more'
              ? `${exact(row.rows)} more, ${percent(share(row.cost, app.measure.base()))}`
              : specialName(app.state, row.of.kind)}
          </button>
        }
      >
        {one => (
          <FunctionName
            app={app}
            func={one()}
            found={app.state.search}
            onGo={() => app.selection.activate(one(), 'callers')}
          >
            <Show when={row.is === 'path' && row.of.inlined}>
              <span class="tag" title="No call: the compiler put its code into the caller">
                {inlinedMark}
              </span>
            </Show>
            <Show when={row.is === 'path' && row.of.partly_paid}>
              <span class="tag" title="Its recorded callers account for only a part of its cost; the rest begins here">
                callers incomplete
              </span>
            </Show>
            <Show when={!props.compact}>
              <span class="name muted call-tree-place">{printable(placeOf(one()), 120)}</span>
            </Show>
          </FunctionName>
        )}
      </Show>
    </span>
  );
}

export function CallTreeTable(props: {
  app: App;
  data: CallTreeData;
  label: string;
  selects: boolean; // rows select their functions
  // Opens the hottest path below the row that is selected, and goes there.
  onHottest?(open: () => void): void;
}): JSX.Element {
  const { app, data } = props;
  const [at, setAt] = createSignal<TreeRow>();
  const [target, setTarget] = createSignal<number | undefined>(undefined, { equals: false });
  const isPhone = useIsPhone();
  const comparing = () => app.measure.comparing();
  let place!: HTMLDivElement;
  const columns = createMemo<Column<TreeRow>[]>(() => {
    const isDown = data.direction() === 'callees';
    const numbers = [
      costColumn(app, data, 'inclusive', isPhone()),
      ...(comparing() ? [changeColumn(app, data.rows)] : []),
      ...(isDown && !isPhone() ? [costColumn(app, data, 'self', false)] : []),
      ...(app.profile().has.counts && !isPhone() && !comparing() ? callColumns(app) : []),
    ];
    const name: Column<TreeRow> = {
      id: 'name',
      title: isDown ? 'Function, and what it calls' : 'Function, and what calls it',
      width: isPhone() ? 'minmax(9rem, 1fr)' : 'minmax(14rem, 1fr)',
      cell: row => <NameCell app={app} data={data} row={row} compact={isPhone()} />,
    };
    return isPhone() ? [name, ...numbers] : [...numbers, name];
  });
  const isAt = (row: TreeRow) => at()?.key === row.key && at()?.is === row.is;
  async function openHottest() {
    const row = at();
    setTarget(await data.hottest(row && data.rows().find(isAt)));
  }
  props.onHottest?.(() => void openHottest());
  app.keys.add(event => {
    // Beside another table only where the focus is.
    if (event.key !== '*' || (!props.onHottest && !place.contains(document.activeElement))) return false;
    void openHottest();
    return true;
  });
  createEffect(() => setAt(row => (data.rows().length > 0 ? row : undefined)));
  const rowText = (row: TreeRow) =>
    [costOf(row, 'inclusive') ?? '', costOf(row, 'self') ?? '', funcOfRow(row)?.name ?? ''].join('\t');
  const act = (row: TreeRow) => {
    if (row.is === 'more') data.more(row);
    else if (row.of.leads_on && funcOfRow(row)) data.toggle(row, !row.open);
  };
  return (
    <div class="call-tree-table" ref={place}>
      <Table
        label={props.label}
        columns={columns()}
        rows={allRows(data.rows)}
        isTree
        namesFirst={isPhone()}
        target={target()}
        onSelect={row => {
          setAt(row);
          const func = funcOfRow(row);
          if (func && props.selects) app.selection.select(func, 'replace');
        }}
        isSelected={isAt}
        onActivate={act}
        onExpand={(row, open) => row.is === 'path' && data.toggle(row, open)}
        rowLevel={row => ({
          level: row.level,
          ...(row.is === 'path' && row.of.leads_on && funcOfRow(row) && { expanded: row.open }),
        })}
        rowText={rowText}
        onCopy={text => void app.copy(text, 'the row')}
        rowMenu={row => {
          const func = funcOfRow(row);
          return func ? functionMenu(app, func, rowText(row)) : [];
        }}
      />
    </div>
  );
}
