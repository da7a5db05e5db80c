// What the boxes of basic blocks hold, and how large they are.

import type { App } from '../../app';
import type { InstructionRow } from '../../engine/protocol';
import { type Block, type Flow, type FlowEdge, lines_of_block } from '../../model/control_flow';
import { type Cost, is_zero } from '../../model/cost';
import { brief } from '../../model/format';
import type { LayoutInput } from '../../model/graph_layout';
import { shorten } from '../../model/names';
import { picture_change, shade, shades_of } from '../../model/picture_style';
import { cut, visible } from '../../model/visible';
import { change_fill, cost_label } from '../node_link/change_look';
import type { LineLook } from '../node_link/node_link';
import { text_measure } from '../pictures/canvas_surface';

export type Detail = 'instructions' | 'costs';

export const head_height = 24;
export const line_height = 15;
const most_lines = 24; // of one block
const most_text = 56; // characters of an instruction
const least_width = 118;
export const mono_size = 11;

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
  cost_width: number;
  width: number;
  height: number;
}

// Widths of fixed characters are alike: one is measured.
let character = { font: '', width: 0 };
export function mono_width(font: string): number {
  if (character.font !== font) {
    const context = document.createElement('canvas').getContext('2d');
    if (context) context.font = `${mono_size}px ${font}`;
    character = { font, width: context?.measureText('0').width ?? mono_size * 0.6 };
  }
  return character.width;
}

// What is jumped to is drawn, so that only the names of what is called are worth their room.
function squeezed(text: string | undefined, address: string): string {
  const short = (text ?? address).slice(0, 2000).replace(/\s+/g, ' ');
  const call = /^(call\S*|bl) \S+ <(.+)>$/.exec(short);
  if (call) return visible(`${call[1]} ${cut(shorten(call[2] ?? ''), most_text - 16)}`);
  return visible(cut(short.replace(/ *#.*$| *<.*>$/, ''), most_text));
}

function lines_of(app: App, rows: readonly InstructionRow[], block: Block, whole: Cost): BlockLine[] {
  const count = block.last - block.first + 1;
  const shown = count > most_lines ? most_lines - 1 : count;
  const lines = Array.from({ length: shown }, (_, at): BlockLine => {
    const row = rows[block.first + at]!;
    const cost = row.self[0] ?? 0;
    return {
      cost: is_zero(cost) ? '' : app.label(cost, whole),
      text: squeezed(row.text, row.address),
      row: block.first + at,
    };
  });
  if (shown < count) lines.push({ cost: '', text: `… ${count - shown} more instructions`, row: -1 });
  return lines;
}

export function block_looks(app: App, flow: Flow, rows: readonly InstructionRow[], own_file: string, detail: Detail) {
  const palette = app.palette();
  const shades = shades_of(palette);
  const measure = text_measure(palette.font);
  const character_width = mono_width(palette.mono);
  const most = flow.blocks.reduce((most, block) => Math.max(most, block.share), 0);
  const changed = (block: Block) => picture_change(block.self_before, block.self);
  const compared = flow.blocks.some(block => block.self_before !== undefined);
  const most_changed = flow.blocks.reduce((most, block) => Math.max(most, Math.abs(changed(block).delta)), 0);
  return flow.blocks.map((block): BlockLook => {
    const places = lines_of_block(rows, block, own_file);
    const title = visible(cut(places || (rows[block.first]?.address ?? ''), 40));
    const mark = compared ? changed(block).mark : '';
    const cost = `${mark} ${cost_label(app, block.self, block.self_before, flow.self)}`.trim();
    const lines = detail === 'instructions' ? lines_of(app, rows, block, flow.self) : [];
    const cost_width = lines.reduce((wide, line) => Math.max(wide, measure(line.cost, mono_size)), 0);
    const text = lines.reduce((wide, line) => Math.max(wide, line.text.length), 0) * character_width;
    const width = Math.ceil(
      Math.max(
        least_width,
        measure(title, 12, 600) + measure(cost, 12) + 34,
        lines.length > 0 ? cost_width + text + 28 : 0,
      ),
    );
    return {
      title,
      cost,
      fill: compared
        ? change_fill(shades, changed(block), most_changed)
        : shade(shades.heat, most > 0 ? block.share / most : 0),
      lines,
      cost_width,
      width,
      height: head_height + (lines.length > 0 ? lines.length * line_height + 8 : 0),
    };
  });
}

export function edge_label(edge: { count?: number | bigint }): string {
  return edge.count === undefined ? '' : brief(edge.count);
}

export const way_look = (edge: FlowEdge): LineLook => ({
  kind: `flow-edge ${edge.kind}`,
  head: 9,
  label: edge_label(edge),
});

export function layout_input(app: App, flow: Flow, looks: readonly BlockLook[]): LayoutInput {
  const measure = text_measure(app.palette().font);
  const counts = flow.arcs.map(edge => Number(edge.count ?? 0));
  const most = counts.reduce((most, count) => Math.max(most, count), 0);
  return {
    layout: 'down',
    nodes: looks.map(({ width, height }) => ({ width, height })),
    arcs: flow.arcs.map((edge, index) => ({
      from: edge.from,
      to: edge.to,
      weight: 1 + Math.round(most > 0 ? (9 * counts[index]!) / most : 0),
      label: edge_label(edge) ? { width: measure(edge_label(edge), 10) + 6, height: 14 } : null,
    })),
  };
}
