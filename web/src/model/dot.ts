// A call graph for Graphviz.

export interface DotNode {
  lines: string[]; // of its label
  tooltip: string;
  fill: string;
}

export interface DotArc {
  from: number;
  to: number;
  label: string;
  width: number;
  dashed: boolean;
}

// Backslashes mean something in labels, and so do ends of lines.
export function dotText(text: string): string {
  const escaped = text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is taken out
    .replace(/[\u0000-\u001f\u007f]+/g, ' ')
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
    .replace(/\\/g, '\\\\')
    .replace(/"/g, '\\"');
  // Graphviz reads entities of HTML in any text.
  return escaped.replace(/&/g, '&amp;');
}

const quoted = (text: string) => `"${dotText(text)}"`;

export function dotOf(nodes: readonly DotNode[], arcs: readonly DotArc[], layout: 'down' | 'right'): string {
  return [
    'digraph calls {',
    `  rankdir=${layout === 'down' ? 'TB' : 'LR'};`,
    '  node [shape=box, style="filled,rounded", fontname="Helvetica", fontsize=11, margin="0.12,0.06"];',
    '  edge [fontname="Helvetica", fontsize=9, color="#85888f"];',
    ...nodes.map(
      ({ lines, tooltip, fill }, index) =>
        `  n${index} [label="${lines.map(dotText).join('\\n')}", tooltip=${quoted(tooltip)}, fillcolor=${quoted(fill)}];`,
    ),
    ...arcs.map(({ from, to, label, width, dashed }) => {
      const style = dashed ? ', style=dashed' : '';
      return `  n${from} -> n${to} [label=${quoted(label)}, penwidth=${width.toFixed(1)}${style}];`;
    }),
    '}',
    '',
  ].join('\n');
}
