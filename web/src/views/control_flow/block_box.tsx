// What a box of the control flow graph holds.

import { For, type JSX } from 'solid-js';
import type { PlacedNode } from '../../model/graph';
import { type BlockLook, head_height, line_height } from './block_look';

export function BlockBox(props: { look: BlockLook; at: PlacedNode }): JSX.Element {
  const { look, at } = props;
  const is_open = look.lines.length > 0;
  const y = (row: number) => head_height + 14 + row * line_height;
  return (
    <>
      <path
        class="flow-title-back"
        fill={look.fill}
        d={title_shape(at.width, is_open ? head_height : at.height, is_open)}
      />
      <rect class="graph-box" width={at.width} height={at.height} rx="5" />
      <text class="flow-title" x="9" y="16">
        {look.title}
      </text>
      <text class="flow-cost" x={at.width - 9} y="16">
        {look.cost}
      </text>
      <For each={look.lines}>
        {(line, row) => (
          <>
            <text class="flow-number" x={9 + look.cost_width} y={y(row())}>
              {line.cost}
            </text>
            <text class="flow-code" classList={{ more: line.row < 0 }} x={17 + look.cost_width} y={y(row())}>
              {line.text}
            </text>
          </>
        )}
      </For>
    </>
  );
}

// The upper corners are those of the box; all of them if it has nothing but a title.
function title_shape(width: number, height: number, open: boolean): string {
  const r = 5;
  const bottom = open
    ? `V${height}H0`
    : `V${height - r}A${r} ${r} 0 0 1 ${width - r} ${height}H${r}A${r} ${r} 0 0 1 0 ${height - r}`;
  return `M0 ${r}A${r} ${r} 0 0 1 ${r} 0H${width - r}A${r} ${r} 0 0 1 ${width} ${r}${bottom}Z`;
}
