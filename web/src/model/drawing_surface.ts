// What pictures are drawn with: a canvas on the page, SVG text in a file. Sizes are CSS pixels.

export interface TextStyle {
  size: number;
  color: string;
  weight?: number;
  align?: 'start' | 'end' | 'middle';
}

export interface DrawingSurface {
  rect(x: number, y: number, width: number, height: number, fill: string): void;
  // Hatches the area in this color: this part is estimated.
  hatch(x: number, y: number, width: number, height: number, color: string): void;
  outline(x: number, y: number, width: number, height: number, color: string, line: number, dashed?: boolean): void;
  // On the baseline.
  text(text: string, x: number, y: number, style: TextStyle): void;
  measure(text: string, size: number, weight?: number): number;
  // Elements up to end() have this tooltip.
  begin(title: () => string): void;
  end(): void;
}

// XML cannot represent most control characters, nor lone surrogates.
const notInXml =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

export function xmlText(text: string): string {
  return text
    .replace(notInXml, '\ufffd')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/'/g, '&#39;');
}

const number = (value: number) => String(Math.round(value * 100) / 100);

// Collects SVG elements; `document` makes a file of them.
export class SvgSurface implements DrawingSurface {
  private readonly parts: string[] = [];
  private readonly patterns = new Map<string, string>();

  constructor(
    private readonly font: string,
    private readonly measureText: (text: string, size: number, weight?: number) => number,
  ) {}

  rect(x: number, y: number, width: number, height: number, fill: string) {
    this.parts.push(`<rect ${this.box(x, y, width, height)} fill="${xmlText(fill)}"/>`);
  }
  hatch(x: number, y: number, width: number, height: number, color: string) {
    let id = this.patterns.get(color);
    if (!id) {
      id = `hatch${this.patterns.size}`;
      this.patterns.set(color, id);
    }
    this.parts.push(`<rect ${this.box(x, y, width, height)} fill="url(#${id})"/>`);
  }
  outline(x: number, y: number, width: number, height: number, color: string, line: number, dashed = false) {
    const dashes = dashed ? ' stroke-dasharray="3 2"' : '';
    this.parts.push(
      `<rect ${this.box(x, y, width, height)} fill="none" stroke="${xmlText(color)}" stroke-width="${number(line)}"${dashes}/>`,
    );
  }
  text(text: string, x: number, y: number, style: TextStyle) {
    const weight = style.weight ? ` font-weight="${style.weight}"` : '';
    const anchor = style.align && style.align !== 'start' ? ` text-anchor="${style.align}"` : '';
    this.parts.push(
      `<text x="${number(x)}" y="${number(y)}" font-size="${style.size}" fill="${xmlText(style.color)}"${weight}${anchor}>${xmlText(text)}</text>`,
    );
  }
  measure(text: string, size: number, weight?: number): number {
    return this.measureText(text, size, weight);
  }
  begin(title: () => string) {
    this.parts.push(`<g><title>${xmlText(title())}</title>`);
  }
  end() {
    this.parts.push('</g>');
  }

  document(width: number, height: number, background: string): string {
    const patterns = [...this.patterns].map(
      ([color, id]) =>
        `<pattern id="${id}" width="6" height="6" patternUnits="userSpaceOnUse"><path d="M-1 1l2-2M0 6l6-6M5 7l2-2" stroke="${xmlText(color)}" stroke-width="1.5"/></pattern>`,
    );
    return [
      `<svg xmlns="http://www.w3.org/2000/svg" width="${number(width)}" height="${number(height)}" viewBox="0 0 ${number(width)} ${number(height)}" font-family="${xmlText(this.font)}" xml:space="preserve">`,
      patterns.length > 0 ? `<defs>${patterns.join('')}</defs>` : '',
      `<rect width="100%" height="100%" fill="${xmlText(background)}"/>`,
      ...this.parts,
      '</svg>\n',
    ].join('\n');
  }

  private box(x: number, y: number, width: number, height: number): string {
    return `x="${number(x)}" y="${number(y)}" width="${number(width)}" height="${number(height)}"`;
  }
}
