// What a box of the control flow graph holds.

import { type Accessor, For, type JSX, Show } from 'solid-js';
import type { PlacedNode } from '../../model/graph';
import { fitting } from '../../model/labels';
import { leastText } from '../node_link/camera';
import type { Measure } from '../pictures/canvas_surface';
import { type BlockLook, headHeight, lineHeight } from './block_style';

export function BlockBox(props: {
  look: BlockLook;
  at: PlacedNode;
  textScale: Accessor<number>;
  measure: Measure;
}): JSX.Element {
  const { look, at } = props;
  const isOpen = look.lines.length > 0;
  const size = () => Math.max(12, leastText / (props.textScale() || 1));
  const y = (row: number) => headHeight + 14 + row * lineHeight;
  return (
    <>
      <path
        class="flow-title-back"
        fill={look.fill}
        d={titleShape(at.width, isOpen ? headHeight : at.height, isOpen)}
      />
      <rect class="graph-box" width={at.width} height={at.height} rx="5" />
      <Show when={props.textScale() > 0}>
        <text class="flow-title" x="9" y={4 + size()} font-size={`${size()}px`}>
          {fitting([look.title], at.width - (size() > 12 ? 12 : 0), text => props.measure(text, size(), 600))}
        </text>
      </Show>
      <text class="flow-cost graph-detail" x={at.width - 9} y="16">
        {look.cost}
      </text>
      <For each={look.lines}>
        {(line, row) => (
          <>
            <text class="flow-number graph-detail" x={9 + look.costWidth} y={y(row())}>
              {line.cost}
            </text>
            <text
              class="flow-code graph-detail"
              classList={{ more: line.row < 0 }}
              x={17 + look.costWidth}
              y={y(row())}
            >
              {line.text}
            </text>
          </>
        )}
      </For>
    </>
  );
}

// The upper corners are those of the box; all of them if it has nothing but a title.
function titleShape(width: number, height: number, open: boolean): string {
  const r = 5;
  const bottom = open
    ? `V${height}H0`
    : `V${height - r}A${r} ${r} 0 0 1 ${width - r} ${height}H${r}A${r} ${r} 0 0 1 0 ${height - r}`;
  return `M0 ${r}A${r} ${r} 0 0 1 ${r} 0H${width - r}A${r} ${r} 0 0 1 ${width} ${r}${bottom}Z`;
}
