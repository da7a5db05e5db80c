import type { DrawingSurface, TextStyle } from '../../model/drawing_surface';

export type Measure = (text: string, size: number, weight?: number) => number;

const mostWidths = 20_000;
const widths = new Map<string, number>();
let measuring: CanvasRenderingContext2D | null = null;

// Of a text on one line, in CSS pixels.
export function textMeasure(font: string): Measure {
  measuring ??= document.createElement('canvas').getContext('2d');
  return (text, size, weight = 400) => {
    const key = `${weight} ${size} ${text}`;
    const known = widths.get(key);
    if (known !== undefined || !measuring) return known ?? text.length * size * 0.6;
    measuring.font = `${weight} ${size}px ${font}`;
    const width = measuring.measureText(text).width;
    if (widths.size >= mostWidths) widths.clear();
    widths.set(key, width);
    return width;
  };
}

// Draws on a canvas that has this many of its pixels for one of CSS.
export class CanvasSurface implements DrawingSurface {
  private readonly patterns = new Map<string, CanvasPattern | null>();
  readonly measure: Measure;

  constructor(
    private readonly context: CanvasRenderingContext2D,
    private readonly scale: number,
    private readonly font: string,
  ) {
    this.measure = textMeasure(font);
    context.textBaseline = 'alphabetic';
    context.direction = 'ltr';
  }

  rect(x: number, y: number, width: number, height: number, fill: string) {
    this.context.fillStyle = fill;
    this.context.fillRect(x, y, width, height);
  }
  hatch(x: number, y: number, width: number, height: number, color: string) {
    const pattern = this.pattern(color);
    if (!pattern) return;
    this.context.fillStyle = pattern;
    this.context.fillRect(x, y, width, height);
  }
  outline(x: number, y: number, width: number, height: number, color: string, line: number, dashed = false) {
    const { context } = this;
    context.strokeStyle = color;
    context.lineWidth = line;
    context.setLineDash(dashed ? [3, 2] : []);
    context.strokeRect(x, y, width, height);
  }
  text(text: string, x: number, y: number, style: TextStyle) {
    const { context } = this;
    context.font = `${style.weight ?? 400} ${style.size}px ${this.font}`;
    context.textAlign = style.align === 'middle' ? 'center' : style.align === 'end' ? 'right' : 'left';
    context.fillStyle = style.color;
    context.fillText(text, x, y);
  }
  begin() {}
  end() {}

  private pattern(color: string): CanvasPattern | null {
    const known = this.patterns.get(color);
    if (known !== undefined) return known;
    const size = Math.max(1, Math.round(6 * this.scale));
    const tile = document.createElement('canvas');
    tile.width = size;
    tile.height = size;
    const context = tile.getContext('2d');
    let pattern: CanvasPattern | null = null;
    if (context) {
      context.strokeStyle = color;
      context.lineWidth = 1.5 * this.scale;
      context.beginPath();
      for (const shift of [-size, 0, size]) {
        context.moveTo(shift - 1, size + 1);
        context.lineTo(shift + size + 1, -1);
      }
      context.stroke();
      pattern = this.context.createPattern(tile, 'repeat');
      pattern?.setTransform(new DOMMatrix().scale(6 / size));
    }
    this.patterns.set(color, pattern);
    return pattern;
  }
}
