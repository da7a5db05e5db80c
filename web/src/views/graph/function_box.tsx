// What a box of the call graph holds.

import { createMemo, type JSX, Show } from 'solid-js';
import type { App } from '../../app/app';
import { fitting } from '../../model/labels';
import { type Cost, share } from '../../protocol/cost';
import type { GraphNode } from '../../protocol/protocol';
import type { Measure } from '../pictures/canvas_surface';
import { type NodeLook, nodeHeight } from './graph_style';

export function FunctionBox(props: {
  app: App;
  node: GraphNode;
  look: NodeLook;
  width: number;
  measure: Measure;
  isMiddle: boolean;
}): JSX.Element {
  const { app, node, width } = props;
  const look = createMemo(() => props.look);
  const bar = (cost: Cost | null | undefined) =>
    Math.max(0, Math.min(1, share(cost ?? 0, app.measure.base()) ?? 0)) * (width - 16);
  const cycle = () => (node.cycle !== undefined && app.state.cycles ? `↻ ${node.cycle}` : '');
  const room = () => width - 16 - (cycle() ? 30 : 0) - (look().mark ? 14 : 0);
  return (
    <>
      <rect class="graph-box" width={width} height={nodeHeight} rx="5" fill={look().fill} />
      <text class="graph-name" x="8" y="16">
        {look().mark ? `${look().mark} ` : ''}
        {fitting(look().labels, room(), text => props.measure(text, 12, props.isMiddle ? 600 : 400))}
      </text>
      <Show when={cycle()}>
        <text class="graph-cycle" x={width - 8} y="16">
          {cycle()}
        </text>
      </Show>
      <text class="graph-cost" x="8" y="31">
        {look().inclusive}
      </text>
      <text class="graph-cost end" x={width - 8} y="31">
        {look().self}
      </text>
      <rect class="graph-track" x="8" y="36" width={width - 16} height="4" rx="2" />
      <rect class="graph-inclusive" x="8" y="36" width={bar(node.inclusive[0])} height="4" rx="2" />
      <rect class="graph-self" x="8" y="36" width={bar(node.self[0])} height="4" rx="2" />
    </>
  );
}
