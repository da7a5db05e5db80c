// The parts of a profile: dumps in the course of a run, threads, processes. What is chosen here restricts all views.

import { createMemo, For, type JSX, Show } from 'solid-js';
import type { App } from '../../app/app';
import { ChangeCell } from '../../components/change_cell';
import { countText, FunctionName, numberWidth } from '../../components/function_columns';
import { allRows, type Column } from '../../components/grid';
import { Icon } from '../../components/icon';
import { useIsPhone } from '../../components/media';
import type { MenuItem } from '../../components/menu';
import { NumberCell } from '../../components/number_cell';
import { Problem } from '../../components/problem';
import { Table } from '../../components/table';
import { counted, exact, percent, percentBrief } from '../../model/format';
import { baseName } from '../../model/names';
import { withOrWithout } from '../../model/timeline';
import { printable } from '../../model/visible';
import { type Cost, share, subtract } from '../../protocol/cost';
import type { PartRow } from '../../protocol/protocol';
import './parts.css';
import { Timeline } from './timeline';

const mostParts = 5000;

export function partTitle(part: PartRow): string {
  const labels = [
    part.part === undefined ? `row ${part.index < 0 ? -part.index : part.index + 1}` : `part ${part.part}`,
    part.thread !== undefined ? `thread ${part.thread}` : '',
    part.pid !== undefined ? `process ${part.pid}` : '',
  ];
  return printable(`${labels.filter(label => label).join(', ')}${part.index < 0 ? ', removed' : ''}`, 120);
}

export function PartsView(props: { app: App }): JSX.Element {
  const { app } = props;
  const isPhone = useIsPhone();
  const id = createMemo(() => {
    const now = app.selection.selected()?.id;
    return now !== undefined && now >= 0 ? now : undefined;
  });
  const answer = app.answers.follow(() => {
    const wanted = id();
    return app.answers.question({
      ask: 'parts' as const,
      limit: mostParts,
      ...(wanted !== undefined && { id: wanted }),
    });
  });
  const rows = createMemo(() => answer.value()?.rows ?? []);
  // Below them removed parts, which cannot be selected.
  const listed = createMemo<PartRow[]>(() => [
    ...rows(),
    ...(answer.value()?.removed ?? []).map(part => ({
      ...part,
      index: -1 - part.index,
      selected: false,
      self: part.self.map(() => 0),
      self_before: part.self,
    })),
  ]);
  const isGone = (part: PartRow) => part.index < 0;
  const chosen = () => app.state.parts;
  const isChosen = (part: PartRow) => !isGone(part) && (chosen().length === 0 || chosen().includes(part.index));
  const choose = (parts: number[]) => app.navigation.update({ parts });
  // If no selected part has a counterpart, they are compared with all old parts.
  const hasSameBefore = () => rows().some(part => chosen().includes(part.index) && part.before !== undefined);
  const toggle = (part: PartRow) =>
    !isGone(part) &&
    choose(
      withOrWithout(
        chosen(),
        part.index,
        rows().map(row => row.index),
      ),
    );
  const only = (part: PartRow) => !isGone(part) && choose([part.index]);
  const whole = (column: number): Cost => answer.value()?.total[column] ?? 0;
  const kept = () => {
    const part = share(answer.value()?.selected[0] ?? 0, whole(0));
    return part === null ? '' : `: ${percentBrief(part)}`;
  };
  const several = (value: (part: PartRow) => unknown) => new Set(listed().map(value)).size > 1;

  // Shares of a function's cost are of the part's cost.
  function functionColumn(which: 'self' | 'inclusive'): Column<PartRow> {
    const cost = (part: PartRow) => part.function?.[which][0] ?? null;
    return {
      id: `function_${which}`,
      title: which === 'self' ? 'Its self' : 'Its inclusive',
      hint: `${which === 'self' ? 'Self' : 'Inclusive'} cost of the selected function in each part${which === 'inclusive' ? '; unknown for functions in cycles' : ''}`,
      numeric: true,
      width: digits(0),
      cell: part => (
        <NumberCell
          text={app.measure.cell(cost(part), part.self[0] ?? undefined)}
          share={cost(part) === null ? null : share(cost(part)!, part.self[0] ?? 0)}
        />
      ),
    };
  }
  const digits = (column: number) =>
    `${Math.max(8, app.state.relative === 'absolute' ? exact(whole(column)).length + 2 : 8)}ch`;
  // Of all parts, whatever is chosen of them.
  function ownColumn(name: string, column: number): Column<PartRow> {
    const partOf = (part: PartRow) => share(part.self[column] ?? 0, whole(column));
    return {
      id: `self:${column}`,
      title: column === 0 ? 'Cost' : `Cost ${printable(name, 20)}`,
      hint: 'Self cost of all functions in this part',
      numeric: true,
      width: digits(column),
      cell: part => (
        <NumberCell
          text={
            part.self[column] == null
              ? '–'
              : app.state.relative === 'absolute'
                ? app.measure.spelled(part.self[column], name)
                : percent(partOf(part))
          }
          share={partOf(part)}
        />
      ),
    };
  }
  // Beside costs that are shown as they are.
  const shareColumn = (): Column<PartRow> => ({
    id: 'share',
    title: 'Share',
    hint: 'Share of the cost of all parts',
    numeric: true,
    width: '8ch',
    cell: part => <NumberCell text={part.self[0] == null ? '–' : percent(share(part.self[0], whole(0)))} quiet />,
  });
  const changeColumn = (): Column<PartRow> => ({
    id: 'change',
    title: 'Δ cost',
    hint: 'Change against the old part of the same number and thread',
    numeric: true,
    width: numberWidth(app, 0, 2),
    cell: part => (
      <ChangeCell
        before={part.self_before?.[0]}
        after={part.self[0] ?? null}
        relative={app.state.relative !== 'absolute'}
        spell={app.measure.spelled}
        share={share(subtract(part.self[0] ?? 0, part.self_before?.[0] ?? 0), whole(0))}
      />
    ),
  });
  const textColumn = (id: string, title: string, width: string, text: (part: PartRow) => string): Column<PartRow> => ({
    id,
    title,
    width,
    cell: part => (
      <span class="name" title={printable(text(part), 900)}>
        {printable(text(part), 300)}
      </span>
    ),
  });
  const number = (value: number | string | undefined) => (value === undefined ? '–' : String(value));

  const chosenColumn: Column<PartRow> = {
    id: 'chosen',
    title: <span class="offscreen">Shown</span>,
    width: '22px',
    cell: part => (
      <button
        type="button"
        class="parts-check"
        disabled={isGone(part)}
        classList={{ off: !isChosen(part) }}
        role="checkbox"
        aria-checked={isChosen(part)}
        aria-label={partTitle(part)}
        tabindex="-1"
        onClick={event => {
          event.stopPropagation();
          toggle(part);
        }}
      >
        <Show when={isChosen(part)}>
          <Icon name="check" />
        </Show>
      </button>
    ),
  };
  const costColumns = () => [
    ...(app.measure.comparing() ? [changeColumn()] : []),
    ...app.measure
      .columns()
      .slice(0, isPhone() ? 1 : 2)
      .flatMap((name, column) => [
        ownColumn(name, column),
        ...(column === 0 && app.state.relative === 'absolute' ? [shareColumn()] : []),
      ]),
  ];
  // On a phone a name and numbers.
  const phoneColumns = () => [
    chosenColumn,
    textColumn('part', 'Part', 'minmax(6rem, 1fr)', partTitle),
    ...costColumns(),
  ];
  const allColumns = (): Column<PartRow>[] => [
    chosenColumn,
    { ...textColumn('part', 'Part', '7ch', part => number(part.part)), numeric: true },
    ...(several(part => part.thread)
      ? [{ ...textColumn('thread', 'Thread', '8ch', part => number(part.thread)), numeric: true }]
      : []),
    ...(several(part => part.pid)
      ? [{ ...textColumn('pid', 'Process', '10ch', part => number(part.pid)), numeric: true }]
      : []),
    ...costColumns(),
    ...(id() !== undefined
      ? [
          functionColumn('self'),
          functionColumn('inclusive'),
          {
            id: 'function_called',
            title: 'Its calls',
            hint: 'How often the selected function was called in this part',
            numeric: true,
            width: '11ch',
            cell: (part: PartRow) => (
              <NumberCell text={part.function ? countText(part.function.called, part.function.at_least) : ''} quiet />
            ),
          },
        ]
      : []),
    {
      id: 'calls',
      title: 'Calls',
      hint: 'Calls in this part',
      numeric: true,
      width: '12ch',
      cell: part => <NumberCell text={isGone(part) ? '' : exact(part.calls)} quiet />,
    },
    textColumn('trigger', 'Trigger', 'minmax(10rem, 2fr)', part => part.trigger ?? ''),
    textColumn('timerange', 'Time range', 'minmax(10rem, 1.4fr)', part => part.timerange ?? ''),
    ...(several(part => part.file)
      ? [textColumn('file', 'File', 'minmax(8rem, 1fr)', part => baseName(part.file ?? ''))]
      : []),
    ...(several(part => part.command)
      ? [textColumn('command', 'Command', 'minmax(8rem, 1fr)', part => part.command ?? '')]
      : []),
    ...(several(part => part.descriptions.join())
      ? [textColumn('descriptions', 'Descriptions', 'minmax(6rem, 1fr)', part => part.descriptions.join('; '))]
      : []),
  ];
  const columns = createMemo(() => (isPhone() ? phoneColumns() : allColumns()));
  const rowText = (part: PartRow) =>
    [
      partTitle(part),
      ...part.self.map(cost => (cost === null ? '' : exact(cost))),
      ...(app.measure.comparing() && part.self_before ? part.self_before.map(cost => `before ${cost ?? ''}`) : []),
      exact(part.calls),
      part.trigger ?? '',
      part.timerange ?? '',
    ].join('\t');
  const choosing = (part: PartRow): MenuItem[] => [
    { label: 'Only this part', key: 'Enter', run: () => only(part) },
    { label: isChosen(part) ? 'Without this part' : 'With this part', key: 'Space', run: () => toggle(part) },
    { label: 'All parts', run: () => choose([]) },
  ];
  const groups = createMemo(() => {
    const groups: { label: string; parts: number[] }[] = [];
    const group = (label: (value: string) => string, value: (part: PartRow) => number | string | undefined) => {
      const values = new Map<string, number[]>();
      for (const part of rows()) {
        const key = String(value(part) ?? '');
        values.set(key, [...(values.get(key) ?? []), part.index]);
      }
      if (values.size < 2 || values.size > 8 || values.size === rows().length) return;
      for (const [key, parts] of values) if (key) groups.push({ label: label(key), parts });
    };
    group(
      pid => `Process ${pid}`,
      part => part.pid,
    );
    group(
      thread => `Thread ${thread}`,
      part => part.thread,
    );
    return groups;
  });
  const further = () => (answer.value()?.matching ?? 0) + (answer.value()?.matching_removed ?? 0) - listed().length;
  const same = (a: readonly number[], b: readonly number[]) =>
    a.length === b.length && a.every((one, at) => one === b[at]);

  return (
    <Show when={!answer.error()} fallback={<Problem error={answer.error()!} />}>
      <Show when={answer.value()} fallback={<p class="view-note">{answer.waiting() ? 'Looking…' : ''}</p>}>
        <div class="parts">
          <div class="view-bar">
            <span aria-live="polite">
              <Show
                when={chosen().length > 0}
                fallback={`All ${counted(rows().length, 'part')}: choose some to restrict all views to them`}
              >
                All views show {counted(chosen().length, 'part')} of {rows().length}
                {kept()}
              </Show>
              <Show when={app.measure.comparing() && chosen().length > 0}>
                {hasSameBefore() ? ', compared with the same old parts' : ', compared with the whole old profile'}
              </Show>
            </span>
            <Show when={chosen().length > 0}>
              <button type="button" class="button" onClick={() => choose([])}>
                Show all
              </button>
            </Show>
            <For each={groups()}>
              {group => (
                <button
                  type="button"
                  class="button quiet"
                  aria-pressed={same(chosen(), group.parts)}
                  onClick={() => choose(same(chosen(), group.parts) ? [] : group.parts)}
                >
                  {printable(group.label, 40)}
                </button>
              )}
            </For>
            <span class="view-bar-gap" />
            <Show when={app.state.selection && id() !== undefined}>
              <span class="parts-function">
                <FunctionName app={app} func={{ id: 0, ...app.state.selection! }} />
              </span>
            </Show>
          </div>
          <Timeline
            parts={rows()}
            whole={whole(0)}
            spelled={cost => app.measure.full(cost)}
            isChosen={isChosen}
            onOnly={only}
            onToggle={part => (chosen().length === 0 ? only(part) : toggle(part))}
            onTip={(x, y, part) =>
              app.tip.show(x, y, () => (
                <>
                  <div class="name-tip">{partTitle(part)}</div>
                  <Show when={part.self[0] !== null}>
                    <div>
                      {app.measure.full(part.self[0] ?? 0)}, {percent(share(part.self[0] ?? 0, whole(0)))} of all parts
                    </div>
                  </Show>
                  <Show when={part.timerange}>
                    <div class="muted">{printable(part.timerange ?? '', 200)}</div>
                  </Show>
                  <Show when={part.trigger}>
                    <div class="muted">{printable(part.trigger ?? '', 200)}</div>
                  </Show>
                </>
              ))
            }
            onTipEnd={() => app.tip.hide()}
          />
          <Table
            label="Parts"
            columns={columns()}
            rows={allRows(listed)}
            isSelected={part => chosen().includes(part.index)}
            onActivate={only}
            onToggle={toggle}
            rowText={rowText}
            onCopy={text => void app.copy(text, 'the row')}
            rowClass={part => (isChosen(part) ? undefined : 'parts-off')}
            rowMenu={part => [
              ...(isGone(part) ? [] : choosing(part)),
              { label: 'Copy row', key: 'Ctrl+C', run: () => void app.copy(rowText(part), 'the row') },
            ]}
            list="parts"
            minWidth={isPhone() ? undefined : '60rem'}
          />
          <Show when={further() > 0}>
            <p class="source-omitted muted">{counted(further(), 'more part')}</p>
          </Show>
        </div>
      </Show>
    </Show>
  );
}
