// The control flow graph of a function: its basic blocks, and the edges between them.

import { createEffect, createMemo, For, type JSX, Match, on, Show, Switch } from 'solid-js';
import type { App } from '../../app/app';
import { SelectedName } from '../../components/function_columns';
import { MenuButton, type MenuItem } from '../../components/menu';
import { Problem } from '../../components/problem';
import { Segmented } from '../../components/segmented';
import { mainFile } from '../../model/code_rows';
import {
  type Block,
  blocksIn,
  type EdgeKind,
  edgeLabels,
  type Flow,
  flowOf,
  foldCold,
  loopAround,
} from '../../model/control_flow';
import { dotOf } from '../../model/dot';
import { counted, exact, percentBrief } from '../../model/format';
import { lineWidth } from '../../model/graph';
import { printable } from '../../model/visible';
import { isZero, share } from '../../protocol/cost';
import type { InstructionsAnswer } from '../../protocol/protocol';
import { comparedText, NoCode, useInstructions } from '../code/code';
import { LayingOut, useLaidOut } from '../node_link/laid_out';
import { NodeLink } from '../node_link/node_link';
import { useSettledSize } from '../node_link/settled_size';
import { textMeasure } from '../pictures/canvas_surface';
import { setOptions } from '../pictures/options';
import '../pictures/pictures.css';
import { SaveMenu } from '../pictures/tree_bar';
import { goToPlace } from '../source/places';
import { BlockBox } from './block_box';
import { blockLooks, type Detail, edgeLabel, layoutInput, wayLook } from './block_style';
import './control_flow.css';
import { BlockTip, blockLabel, EdgeTip, type FlowShown } from './flow_labels';

const mostBlocks = 300;
const mostWays = 320; // dense graphs are slow and unreadable
const fewBlocks = 60; // up to so many show their instructions if nothing else is chosen

const limits = [
  { value: '', least: 0, label: 'All executed' },
  { value: 'all', least: -1, label: 'All, including never executed' },
  ...[0.01, 0.02, 0.05, 0.1, 0.2].map(least => ({
    value: String(least),
    least,
    label: `From ${least * 100} % of the function’s self cost`,
  })),
];

export function ControlFlowView(props: { app: App }): JSX.Element {
  const { app } = props;
  const { answer } = useInstructions(app);
  const limit = () => limits.find(one => one.value === app.navigation.option('blocks.least', '')) ?? limits[0]!;
  const ownFile = () => app.state.selection?.file || mainFile(answer.value()?.rows ?? []);
  const detailOption = () => app.navigation.option('blocks.detail', '');
  const detailOf = (flow: Flow): Detail =>
    detailOption() === 'costs' || detailOption() === 'instructions'
      ? (detailOption() as Detail)
      : flow.blocks.length <= fewBlocks
        ? 'instructions'
        : 'costs';

  const folds = () => app.navigation.option('blocks.fold', 'yes') !== 'no';
  const opened = createMemo(() => new Set(app.navigation.option('blocks.open', '').split(' ').filter(Boolean)));
  function openFold(flow: Flow, block: number) {
    const rows = answer.value()?.rows ?? [];
    const addresses = (flow.blocks[block]?.folded ?? []).map(({ first }) => rows[first]?.address ?? '');
    setOptions(app, { 'blocks.open': [...opened(), ...addresses].join(' ') });
  }

  let picture!: HTMLDivElement;
  const size = useSettledSize(() => picture);

  function shownOf(answer: InstructionsAnswer, most: number): FlowShown {
    const all = flowOf(answer, limit().least, most);
    const blocks = all.blocks.length;
    const flow = folds() ? foldCold(all, block => opened().has(answer.rows[block.first]?.address ?? '')) : all;
    if (flow.arcs.length > mostWays && blocks > 12)
      return shownOf(answer, Math.floor(Math.min(most, Math.ceil(blocks * 1.6)) / 2));
    return { answer, flow, looks: blockLooks(app, flow, answer.rows, ownFile(), detailOf(flow)) };
  }
  const laidOut = useLaidOut<FlowShown>(app, {
    input: ({ flow, looks }) => layoutInput(app.palette, flow, looks, size()),
    less: ({ answer, flow }) => shownOf(answer, Math.floor(blocksIn(flow) / 2)),
    file: () => printable(app.state.selection?.name ?? 'function', 80),
    dot: dotText,
  });
  const { drawn } = laidOut;
  const measure = textMeasure(app.palette().font);
  createEffect(
    on([answer.value, limit, detailOption, folds, opened, () => app.state.relative, app.palette, size], ([now]) => {
      if (size().width === 0) return;
      if (now && now.blocks.length > 0) void laidOut.layOut(shownOf(now, mostBlocks));
      else laidOut.clear();
    }),
  );

  const found = createMemo(() => {
    const wanted = app.state.search.trim().toLowerCase();
    const now = drawn();
    if (!wanted || !now) return null;
    const holds = (block: Block) => {
      for (let at = block.first; at <= block.last; at++) {
        const row = now.answer.rows[at];
        if (row?.text?.toLowerCase().includes(wanted) || row?.address.includes(wanted)) return true;
      }
      return false;
    };
    return Uint8Array.from(now.flow.blocks, block => (holds(block) ? 1 : 0));
  });

  const hottest = createMemo(() => {
    const shares = drawn()?.flow.blocks.map(block => (block.folded ? 0 : block.share)) ?? [];
    return shares.indexOf(Math.max(...shares));
  });
  function openCode(block: Block) {
    const address = answer.value()?.rows[block.first]?.address;
    setOptions(app, { 'code.at': address ?? null });
    app.navigation.go('code');
  }
  function openSource(block: Block) {
    const rows = answer.value()?.rows ?? [];
    for (let at = block.first; at <= block.last; at++) {
      const row = rows[at];
      if (!row || row.line === 0 || !row.file) continue;
      goToPlace(app, null, { ...(row.file !== ownFile() && { file: row.file }), line: row.line }, 'function');
      return;
    }
    app.toasts.show('The source of this block is unknown');
  }
  const limitItems = (): MenuItem[] => [
    ...limits.map(
      ({ value, label }): MenuItem => ({
        kind: 'radio',
        label,
        checked: limit().value === value,
        run: () => setOptions(app, { 'blocks.least': value || null }),
      }),
    ),
    { kind: 'title', label: 'Cold blocks' },
    {
      kind: 'check',
      label: 'Fold the last 5 % of the cost',
      get checked() {
        return folds() && opened().size === 0;
      },
      run: () => setOptions(app, { 'blocks.fold': folds() && opened().size === 0 ? 'no' : null, 'blocks.open': null }),
    },
  ];

  return (
    <div class="picture" ref={picture}>
      <div class="picture-bar">
        <SelectedName app={app} />
        <Show when={drawn()}>
          {now => (
            <Segmented
              label="Block contents"
              choices={[
                { value: 'instructions', label: 'Instructions' },
                { value: 'costs', label: 'Costs only' },
              ]}
              value={detailOf(now().flow)}
              onChange={value => setOptions(app, { 'blocks.detail': value })}
            />
          )}
        </Show>
        <MenuButton label="Which blocks" text="Blocks" items={limitItems} />
        <span class="view-bar-gap" />
        <Show when={drawn()}>{now => <Sum flow={now().flow} />}</Show>
        <SaveMenu pictures={app.pictures} />
      </div>
      <Show when={app.measure.comparing() && answer.value()}>
        {now => (
          <p class="source-strip" role="note">
            {comparedText(app.measure, now())}
          </p>
        )}
      </Show>
      <Switch fallback={<p class="view-note">{answer.waiting() ? 'Looking…' : ''}</p>}>
        <Match when={answer.error() ?? laidOut.problem()}>{error => <Problem error={error()} />}</Match>
        <Match when={answer.value() && answer.value()!.blocks.length === 0}>
          <NoCode title="No control flow for this function" answer={answer.value()!} />
        </Match>
        <Match when={drawn()}>
          {now => (
            <>
              <NodeLink
                app={app}
                label="Control flow graph"
                ways={now().flow}
                placed={now().placed}
                home={0}
                hottest={hottest()}
                hot={[hottest(), ...loopAround(now().flow, hottest()), 0]}
                opens={block => now().flow.blocks[block]?.folded !== undefined}
                found={found()}
                kind={() => 'flow-block'}
                draw={(block, at, textScale) => (
                  <BlockBox look={now().looks[block]!} at={at} textScale={textScale} measure={measure} />
                )}
                describe={block => blockLabel(app, now(), block)}
                tip={block => <BlockTip app={app} shown={now()} index={block} />}
                line={way => wayLook(now().flow.arcs[way]!)}
                lineTip={way => <EdgeTip shown={now()} edge={now().flow.arcs[way]!} />}
                table={{
                  caption: 'Edges between blocks',
                  heads: ['From block', 'To block', 'Kind, count'],
                  cells(way) {
                    const { from, to, kind, count } = now().flow.arcs[way]!;
                    const title = (block: number) => `${block + 1}: ${now().looks[block]?.title}`;
                    return [
                      title(from),
                      title(to),
                      edgeLabels[kind] + (count === undefined ? '' : `, ${exact(count)}×`),
                    ];
                  },
                }}
                onOpen={block =>
                  now().flow.blocks[block]!.folded ? openFold(now().flow, block) : openCode(now().flow.blocks[block]!)
                }
                keys={{ s: block => openSource(now().flow.blocks[block]!) }}
                items={block => [
                  ...(now().flow.blocks[block]!.folded
                    ? [{ label: 'Open the cold blocks', run: () => openFold(now().flow, block) }]
                    : []),
                  { label: 'Machine code', key: 'Enter', run: () => openCode(now().flow.blocks[block]!) },
                  { label: 'Source', key: 's', run: () => openSource(now().flow.blocks[block]!) },
                ]}
                drawn={laidOut.takeWorld}
              />
              <Legend flow={now().flow} />
            </>
          )}
        </Match>
      </Switch>
      <LayingOut of={laidOut} />
    </div>
  );
}

function Sum(props: { flow: Flow }): JSX.Element {
  const hidden = () => props.flow.hidden;
  const folded = () => props.flow.blocks.reduce((sum, block) => sum + (block.folded?.length ?? 0), 0);
  const text = () => {
    const { blocks, cold, self } = hidden();
    if (blocks === 0) return '';
    if (blocks === cold) return `; ${counted(cold, 'block')} never executed`;
    const part = isZero(self) ? '' : ` with ${percentBrief(share(self, props.flow.self) ?? 0)} of the cost`;
    return `; ${counted(blocks, 'more block')}${part}`;
  };
  return (
    <span class="muted graph-sum" role="status">
      {counted(blocksIn(props.flow), 'block')}
      {folded() > 0 ? ` (${folded()} folded)` : ''}, {counted(props.flow.arcs.length, 'way')}
      {text()}
    </span>
  );
}

const kinds: EdgeKind[] = ['taken', 'not_taken', 'jump', 'next', 'indirect'];

function Legend(props: { flow: Flow }): JSX.Element {
  const used = createMemo(() => kinds.filter(kind => props.flow.arcs.some(edge => edge.kind === kind)));
  return (
    <Show when={used().length > 0}>
      <div class="flow-legend" role="note" aria-label="Legend">
        <For each={used()}>
          {kind => (
            <span>
              <svg class="graph-svg" width="34" height="10" aria-hidden="true">
                <g class={`flow-edge ${kind}`}>
                  <path class="graph-line" d="M1 5H25" />
                  <path class="graph-head" d="M33 5L24 1.2L24 8.8Z" />
                </g>
              </svg>
              {edgeLabels[kind]}
            </span>
          )}
        </For>
      </div>
    </Show>
  );
}

function dotText({ flow, looks, answer }: FlowShown): string {
  return dotOf(
    looks.map(({ title, cost, lines, fill }, index) => ({
      lines: [`${title}  ${cost}`, ...lines.map(line => `${line.cost}  ${line.text}`)],
      tooltip: answer.rows[flow.blocks[index]!.first]?.address ?? '',
      fill,
    })),
    flow.arcs.map(edge => ({
      from: edge.from,
      to: edge.to,
      label: [edge.kind === 'next' ? '' : edgeLabels[edge.kind], edgeLabel(edge)].filter(part => part).join(' '),
      width: lineWidth(edge.kind === 'jump' ? 0.1 : 0),
      dashed: edge.kind === 'not_taken' || edge.kind === 'indirect',
    })),
    'down',
  );
}
