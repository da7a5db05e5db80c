// Descriptions of functions and calls of the picture.

import type { JSX } from 'solid-js';
import { For, Show } from 'solid-js';
import type { App } from '../../app/app';
import type { Measure } from '../../app/measure';
import { brief, change, counted, exact } from '../../model/format';
import { type Graph, type GraphBox, hiddenCallers } from '../../model/graph';
import { inlinedMark } from '../../model/tree';
import { printable } from '../../model/visible';
import type { Cost } from '../../protocol/cost';
import type { GraphArc } from '../../protocol/protocol';

const mostNamed = 12;

export function countText(count: Cost | null, atLeast: boolean | undefined): string {
  if (count === null) return 'not counted';
  return `${atLeast ? '≥ ' : ''}${exact(count)} ×`;
}

function beforeText(before: Cost | null | undefined, after: Cost | null | undefined): string {
  if (before === undefined || before === null || after === null || after === undefined) return '';
  const { direction, mark, text, ratio } = change(before, after, brief);
  return direction === 'same' ? 'unchanged' : `${mark} ${text}${ratio ? ` (${ratio})` : ''}`;
}

function costText(measure: Measure, cost: Cost | null | undefined): string {
  return cost === null || cost === undefined ? 'unknown' : measure.full(cost);
}

// The first and the last function of a chain.
export function boxName(app: App, { folded, ...node }: GraphBox): string {
  const first = app.names.short(node);
  return folded ? `${first} … ${app.names.short(folded.at(-1)!)}` : first;
}

export function NodeTip(props: { app: App; node: GraphBox }): JSX.Element {
  const { app, node } = props;
  const row = (title: string, cost: Cost | null | undefined, before: Cost | null | undefined) => (
    <>
      <dt>{title}</dt>
      <dd>
        {costText(app.measure, cost)}
        <Show when={app.measure.comparing()}>
          <div class="muted">{beforeText(before, cost)}</div>
        </Show>
      </dd>
    </>
  );
  return (
    <>
      <div class="name-tip picture-tip-name">{app.names.full(node)}</div>
      <For each={node.folded?.slice(1, mostNamed)}>{one => <div>↓ {app.names.short(one)}</div>}</For>
      <Show when={(node.folded?.length ?? 0) > mostNamed}>
        <div class="muted">… {counted(node.folded!.length - mostNamed, 'more function')}</div>
      </Show>
      <div class="muted">
        {printable([node.object, node.file].filter(part => part && part !== '???').join(' · '), 300)}
      </div>
      <dl class="picture-tip">
        {row('Inclusive', node.inclusive[0], node.inclusive_before?.[0])}
        {row('Self', node.self[0], node.self_before?.[0])}
        <dt>Called</dt>
        <dd>
          {countText(node.called, node.at_least)}
          <Show when={node.per_call !== null}>{`, ${brief(node.per_call ?? 0)} each`}</Show>
        </dd>
      </dl>
      <Show when={node.cycle !== undefined && app.state.cycles}>
        <p class="picture-tip-note">In cycle {node.cycle}: its functions call each other, directly or not.</p>
      </Show>
    </>
  );
}

export function ArcTip(props: { app: App; graph: Graph; arc: GraphArc }): JSX.Element {
  const { app, graph, arc } = props;
  const name = (index: number) => app.names.short(graph.nodes[index]!);
  return (
    <>
      <div class="name-tip picture-tip-name">
        {name(arc.from)} → {name(arc.to)}
      </div>
      <dl class="picture-tip">
        <dt>Cost</dt>
        <dd>
          {costText(app.measure, arc.cost[0])}
          <Show when={app.measure.comparing()}>
            <div class="muted">{beforeText(arc.cost_before?.[0], arc.cost[0])}</div>
          </Show>
        </dd>
        <dt>Calls</dt>
        <dd>{arc.inlined ? `none: ${inlinedMark} inlined` : countText(arc.count, arc.at_least)}</dd>
      </dl>
      <Show when={arc.counted_again}>
        <p class="picture-tip-note">Counted again in recursion: calls within these calls are in their cost, too.</p>
      </Show>
    </>
  );
}

export function arcLabel(measure: Measure, arc: GraphArc, parent: Cost | undefined): string {
  const cost = arc.cost[0] ?? null;
  const before = arc.cost_before?.[0];
  const delta =
    measure.comparing() && before !== undefined && before !== null ? change(before, cost ?? 0, brief) : null;
  const ofCost = delta
    ? delta.direction === 'same'
      ? '='
      : `${delta.mark} ${delta.text}`
    : measure.label(cost, parent);
  const text = arc.inlined ? `${inlinedMark} ${ofCost}` : ofCost;
  // Beside the cost of the function that would be no part of it.
  if (arc.counted_again && !delta) return arc.count === null ? '' : `${arc.at_least ? '≥' : ''}${brief(arc.count)} ×`;
  if (arc.count === null) return text;
  return `${arc.at_least ? '≥' : ''}${brief(arc.count)} × · ${text}`;
}

export function nodeLabel(app: App, graph: Graph, index: number): string {
  const node = graph.nodes[index]!;
  const chain = node.folded ?? [];
  const head = chain.length > 0 ? `chain of ${counted(chain.length, 'function')}: ` : '';
  const members = chain.length > 0 ? chain : [node];
  const names = (arcs: number[], end: 'from' | 'to') =>
    arcs
      .slice(0, 8)
      .map(arc => app.names.short(graph.nodes[graph.arcs[arc]![end]]!))
      .join(', ');
  const callers = graph.callers[index]!;
  const hidden = hiddenCallers(graph, index);
  const callees = graph.callees[index]!;
  return [
    head + members.slice(0, mostNamed).map(app.names.short).join(', '),
    `inclusive ${costText(app.measure, node.inclusive[0])}${app.measure.comparing() ? ` ${beforeText(node.inclusive_before?.[0], node.inclusive[0])}` : ''}`,
    `self ${costText(app.measure, node.self[0])}`,
    `called ${countText(node.called, node.at_least)}`,
    ...(node.cycle !== undefined && app.state.cycles ? [`in cycle ${node.cycle}`] : []),
    callers.length > 0 ? `called by ${names(callers, 'from')}` : 'no callers shown',
    ...(hidden > 0 ? [`${counted(hidden, 'caller')} not drawn`] : []),
    callees.length > 0 ? `calls ${names(callees, 'to')}` : 'no callees shown',
  ].join('; ');
}
