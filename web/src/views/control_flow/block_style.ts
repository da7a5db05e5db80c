// What the boxes of basic blocks hold, and how large they are.

import type { App } from '../../app/app';
import type { Measure } from '../../app/measure';
import { type Block, type Flow, type FlowEdge, linesOfBlock } from '../../model/control_flow';
import { brief, counted } from '../../model/format';
import type { LayoutInput, Size } from '../../model/graph';
import { pictureChange, shade, shadesOf } from '../../model/picture_style';
import { cut, visible } from '../../model/visible';
import { type Cost, isZero } from '../../protocol/cost';
import type { InstructionRow } from '../../protocol/protocol';
import { leastText } from '../node_link/camera';
import { changeFill, costLabel } from '../node_link/change_style';
import type { LineLook } from '../node_link/node_link';
import { textMeasure } from '../pictures/canvas_surface';

export type Detail = 'instructions' | 'costs';

export const headHeight = 24;
export const lineHeight = 15;
const mostLines = 24; // of one block
const mostText = 56; // characters of an instruction
const leastWidth = 118;
export const monoSize = 11;

export interface BlockLine {
  cost: string;
  text: string;
  row: number; // -1: how many are left out
}

export interface BlockLook {
  title: string; // where it is
  cost: string;
  fill: string;
  lines: BlockLine[];
  costWidth: number;
  width: number;
  height: number;
}

// Monospace: one character is measured.
let character = { font: '', width: 0 };
export function monoWidth(font: string): number {
  if (character.font !== font) {
    const context = document.createElement('canvas').getContext('2d');
    if (context) context.font = `${monoSize}px ${font}`;
    character = { font, width: context?.measureText('0').width ?? monoSize * 0.6 };
  }
  return character.width;
}

// Jump targets are drawn as edges, so only names of callees are shown.
function squeezed(text: string | undefined, address: string): string {
  const short = (text ?? address).slice(0, 2000).replace(/\s+/g, ' ');
  const call = /^(call\S*|bl) \S+ <(.+)>$/.exec(short);
  if (call) return visible(`${call[1]} ${cut(call[2] ?? '', mostText - 16)}`);
  return visible(cut(short.replace(/ *#.*$| *<.*>$/, ''), mostText));
}

function linesOf(measure: Measure, rows: readonly InstructionRow[], block: Block, whole: Cost): BlockLine[] {
  const count = block.last - block.first + 1;
  const shown = count > mostLines ? mostLines - 1 : count;
  const lines = Array.from({ length: shown }, (_, at): BlockLine => {
    const row = rows[block.first + at]!;
    const cost = row.self[0] ?? 0;
    return {
      cost: isZero(cost) ? '' : measure.label(cost, whole),
      text: squeezed(row.text, row.address),
      row: block.first + at,
    };
  });
  if (shown < count) lines.push({ cost: '', text: `… ${count - shown} more instructions`, row: -1 });
  return lines;
}

export function blockLooks(app: App, flow: Flow, rows: readonly InstructionRow[], ownFile: string, detail: Detail) {
  const palette = app.palette();
  const shades = shadesOf(palette);
  const measure = textMeasure(palette.font);
  const characterWidth = monoWidth(palette.mono);
  const most = flow.blocks.reduce((most, block) => Math.max(most, block.share), 0);
  const changed = (block: Block) => pictureChange(block.selfBefore, block.self);
  const compared = flow.blocks.some(block => block.selfBefore !== undefined);
  const mostChanged = flow.blocks.reduce((most, block) => Math.max(most, Math.abs(changed(block).delta)), 0);
  return flow.blocks.map((block): BlockLook => {
    const places = linesOfBlock(rows, block, ownFile);
    const title = block.folded
      ? counted(block.folded.length, 'cold block')
      : visible(cut(places || (rows[block.first]?.address ?? ''), 40));
    const mark = compared ? changed(block).mark : '';
    const cost = `${mark} ${costLabel(app, block.self, block.selfBefore, flow.self)}`.trim();
    const lines = detail === 'instructions' && !block.folded ? linesOf(app.measure, rows, block, flow.self) : [];
    const costWidth = lines.reduce((wide, line) => Math.max(wide, measure(line.cost, monoSize)), 0);
    const text = lines.reduce((wide, line) => Math.max(wide, line.text.length), 0) * characterWidth;
    const width = Math.ceil(
      Math.max(
        leastWidth,
        measure(title, 12, 600) + measure(cost, 12) + 34,
        lines.length > 0 ? costWidth + text + 28 : 0,
      ),
    );
    return {
      title,
      cost,
      fill: compared
        ? changeFill(shades, changed(block), mostChanged)
        : shade(shades.heat, most > 0 ? block.share / most : 0),
      lines,
      costWidth,
      width,
      height: headHeight + (lines.length > 0 ? lines.length * lineHeight + 8 : 0),
    };
  });
}

export function edgeLabel(edge: { count?: number | bigint }): string {
  return edge.count === undefined ? '' : brief(edge.count);
}

export const wayLook = (edge: FlowEdge): LineLook => ({
  kind: `flow-edge ${edge.kind}`,
  head: 9,
  label: edgeLabel(edge),
});

export function layoutInput(
  palette: App['palette'],
  flow: Flow,
  looks: readonly BlockLook[],
  window: Size,
): LayoutInput {
  const measure = textMeasure(palette().font);
  const counts = flow.arcs.map(edge => Number(edge.count ?? 0));
  const most = counts.reduce((most, count) => Math.max(most, count), 0);
  return {
    layout: 'down',
    window,
    nodes: looks.map(({ width, height }, block) => ({ width, height, priority: looks.length - block })),
    arcs: flow.arcs.map((edge, index) => ({
      from: edge.from,
      to: edge.to,
      weight: 1 + Math.round(most > 0 ? (9 * counts[index]!) / most : 0),
      back: edge.to <= edge.from,
      label: edgeLabel(edge) ? { width: measure(edgeLabel(edge), leastText) + 6, height: 15 } : null,
    })),
  };
}
