// What a box of the call graph holds.

import { type Accessor, createMemo, type JSX, Show } from 'solid-js';
import type { App } from '../../app/app';
import { counted } from '../../model/format';
import type { GraphBox } from '../../model/graph';
import { fitting } from '../../model/labels';
import { type Cost, share } from '../../protocol/cost';
import { leastText } from '../node_link/camera';
import type { Measure } from '../pictures/canvas_surface';
import { type NodeLook, nodeHeight } from './graph_style';

export function FunctionBox(props: {
  app: App;
  node: GraphBox;
  look: NodeLook;
  width: number;
  measure: Measure;
  isMiddle: boolean;
  textScale: Accessor<number>;
  hidden: number; // callers that are not drawn
  onCallers(): void;
  onFold(): void;
}): JSX.Element {
  const { app, node, width } = props;
  const look = createMemo(() => props.look);
  const bar = (cost: Cost | null | undefined) =>
    Math.max(0, Math.min(1, share(cost ?? 0, app.measure.base()) ?? 0)) * (width - 16);
  const cycle = () => (node.cycle !== undefined && app.state.cycles ? `↻ ${node.cycle}` : '');
  const size = () => Math.max(12, leastText / (props.textScale() || 1));
  const isSmall = () => size() > 12;
  const isFirst = () => node.chain?.[0]?.id === node.id;
  const room = () => (isSmall() ? width - 10 : width - 16 - (cycle() || isFirst() ? 30 : 0) - (look().mark ? 14 : 0));
  return (
    <>
      <Show when={props.hidden > 0}>
        <text
          class="graph-stub graph-detail"
          x="8"
          y="-4"
          onClick={event => {
            event.stopPropagation();
            props.onCallers();
          }}
        >
          ↑ {counted(props.hidden, 'caller')}
        </text>
      </Show>
      <Show when={node.folded}>
        <path class="graph-pile" d={`M8 ${nodeHeight}v3.5h${width - 4.5}v-41h-3.5`} />
      </Show>
      <rect class="graph-box" width={width} height={nodeHeight} rx="5" fill={look().fill} />
      <Show when={props.textScale() > 0}>
        <text
          class="graph-name"
          x={isSmall() ? 5 : 8}
          y={isSmall() ? nodeHeight / 2 + size() * 0.35 : 16}
          font-size={`${size()}px`}
        >
          {look().mark ? `${look().mark} ` : ''}
          {fitting(look().labels, room(), text => props.measure(text, size(), props.isMiddle ? 600 : 400))}
        </text>
      </Show>
      <Show when={isFirst()}>
        <g
          class="graph-fold graph-detail"
          data-file="no"
          onClick={event => {
            event.stopPropagation();
            props.onFold();
          }}
        >
          <rect x={width - 28} width="28" height="24" />
          <path d={`M${width - 18} 14.5l5 -5l5 5`} />
        </g>
      </Show>
      <Show when={cycle()}>
        <text class="graph-cycle graph-detail" x={width - 8} y="16">
          {cycle()}
        </text>
      </Show>
      <text class="graph-cost graph-detail" x="8" y="31">
        {look().inclusive}
      </text>
      <text class="graph-cost graph-detail end" x={width - 8} y="31">
        {look().self}
      </text>
      <rect class="graph-track graph-detail" x="8" y="36" width={width - 16} height="4" rx="2" />
      <rect class="graph-inclusive graph-detail" x="8" y="36" width={bar(node.inclusive[0])} height="4" rx="2" />
      <rect class="graph-self graph-detail" x="8" y="36" width={bar(node.self[0])} height="4" rx="2" />
    </>
  );
}
