// Descriptions of blocks and edges.

import { For, type JSX } from 'solid-js';
import type { App } from '../../app/app';
import type { Measure } from '../../app/measure';
import { type Block, edgeLabels, type Flow, type FlowEdge } from '../../model/control_flow';
import { brief, change, exact, percent } from '../../model/format';
import { printable } from '../../model/visible';
import type { InstructionsAnswer } from '../../protocol/protocol';
import type { BlockLook } from './block_style';

export interface FlowShown {
  answer: InstructionsAnswer;
  flow: Flow;
  looks: readonly BlockLook[];
}

function edgeText({ looks }: FlowShown, edge: FlowEdge, end: 'from' | 'to'): string {
  const other = looks[edge[end]]?.title ?? '';
  const count = edge.count === undefined ? '' : `, ${exact(edge.count)}×`;
  return `${edgeLabels[edge.kind]} ${end === 'to' ? 'to' : 'from'} ${other}${count}`;
}

function costText(measure: Measure, { self, selfBefore }: Block): string {
  if (selfBefore === undefined) return measure.full(self);
  const { direction, mark, text } = change(selfBefore, self, brief);
  return `${measure.full(self)}, ${direction === 'same' ? 'unchanged' : `${mark} ${text}`}`;
}

export function blockLabel(app: App, shown: FlowShown, index: number): string {
  const { answer, flow, looks } = shown;
  const block = flow.blocks[index]!;
  const count = block.last - block.first + 1;
  return printable(
    [
      `Block ${index + 1} of ${flow.blocks.length}: ${looks[index]?.title ?? ''}`,
      `from ${answer.rows[block.first]?.address}${block.folded ? '' : `, ${count} instructions`}`,
      `self ${costText(app.measure, block)}`,
      ...flow.callees[index]!.slice(0, 8).map(edge => edgeText(shown, flow.arcs[edge]!, 'to')),
      ...looks[index]!.lines.map(line => `${line.cost} ${line.text}`.trim()),
    ].join('; '),
    3000,
  );
}

export function BlockTip(props: { app: App; shown: FlowShown; index: number }): JSX.Element {
  const { app, shown, index } = props;
  const { answer, flow, looks } = shown;
  const block = flow.blocks[index]!;
  return (
    <>
      <div class="name-tip">{looks[index]?.title}</div>
      <div>
        self {costText(app.measure, block)}, {percent(block.share)} of the function
      </div>
      <div class="muted">
        {block.folded ? '' : `${block.last - block.first + 1} instructions `}from {answer.rows[block.first]?.address}
      </div>
      <For each={flow.callers[index]!.slice(0, 6)}>
        {edge => <div class="muted">← {edgeText(shown, flow.arcs[edge]!, 'from')}</div>}
      </For>
      <For each={flow.callees[index]!.slice(0, 6)}>
        {edge => <div class="muted">→ {edgeText(shown, flow.arcs[edge]!, 'to')}</div>}
      </For>
    </>
  );
}

export function EdgeTip(props: { shown: FlowShown; edge: FlowEdge }): JSX.Element {
  const { looks } = props.shown;
  return (
    <>
      <div class="name-tip">
        {looks[props.edge.from]?.title} → {looks[props.edge.to]?.title}
      </div>
      <div>
        {edgeLabels[props.edge.kind]}
        {props.edge.count === undefined ? ': count not known exactly' : `: ${exact(props.edge.count)}×`}
      </div>
    </>
  );
}
