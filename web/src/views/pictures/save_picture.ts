// Pictures as files: SVG as it is, PNG with twice the pixels.

import type { App } from '../../app/app';
import type { Toasts } from '../../app/notices';
import { saveFile } from '../../components/save_file';
import { type DrawingSurface, SvgSurface } from '../../model/drawing_surface';
import { CanvasSurface, textMeasure } from './canvas_surface';

export interface Drawing {
  width: number;
  height: number;
  draw(surface: DrawingSurface): void;
}

// Limits of browsers for a canvas: side and area.
const mostSide = 16_000;
const mostArea = 100_000_000;

export function svgText(palette: App['palette'], drawing: Drawing): string {
  const { font, surface: background } = palette();
  const surface = new SvgSurface(font, textMeasure(font));
  drawing.draw(surface);
  return surface.document(drawing.width, drawing.height, background);
}

function pngScale(width: number, height: number): number {
  return Math.min(2, mostSide / Math.max(width, height), Math.sqrt(mostArea / (width * height)));
}

function saveCanvas(toasts: Toasts, canvas: HTMLCanvasElement, name: string) {
  canvas.toBlob(blob => {
    if (blob) saveFile(name, 'image/png', blob);
    else toasts.show('The picture is too large for a PNG file');
  }, 'image/png');
}

export function saveSvg(name: string, text: string) {
  saveFile(name, 'image/svg+xml', text);
}

export function savePng(app: App, name: string, drawing: Drawing) {
  const scale = pngScale(drawing.width, drawing.height);
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(drawing.width * scale);
  canvas.height = Math.ceil(drawing.height * scale);
  const context = canvas.getContext('2d');
  if (!context) return;
  context.scale(scale, scale);
  context.fillStyle = app.palette().surface;
  context.fillRect(0, 0, drawing.width, drawing.height);
  drawing.draw(new CanvasSurface(context, scale, app.palette().font));
  saveCanvas(app.toasts, canvas, name);
}

const captionSize = 13;
const captionLine = 20;

// With lines of text above it: the first is its title.
export function captioned(app: App, drawing: Drawing, caption: readonly string[]): Drawing {
  const { font, text, muted } = app.palette();
  const above = captionLine * caption.length + captionLine / 2;
  const measure = textMeasure(font);
  const widths = caption.map((line, at) => measure(line, captionSize, at === 0 ? 600 : 400) + captionLine);
  return {
    width: Math.max(drawing.width, ...widths),
    height: drawing.height + above,
    draw(surface) {
      caption.forEach((line, at) => {
        const style = { size: captionSize, color: at === 0 ? text : muted, ...(at === 0 && { weight: 600 }) };
        surface.text(line, captionLine / 2, captionLine * (at + 1), style);
      });
      drawing.draw(lowered(surface, above));
    },
  };
}

function lowered(surface: DrawingSurface, by: number): DrawingSurface {
  return {
    rect: (x, y, width, height, fill) => surface.rect(x, y + by, width, height, fill),
    hatch: (x, y, width, height, color) => surface.hatch(x, y + by, width, height, color),
    outline: (x, y, width, height, color, line, dashed) =>
      surface.outline(x, y + by, width, height, color, line, dashed),
    text: (text, x, y, style) => surface.text(text, x, y + by, style),
    measure: (text, size, weight) => surface.measure(text, size, weight),
    begin: title => surface.begin(title),
    end: () => surface.end(),
  };
}

// What the page's menu offers to save, and the view's own.
export function offerDrawing(app: App, name: string, drawing: () => Drawing | null, what = 'Picture') {
  const save = (kind: 'svg' | 'png') => (caption?: readonly string[]) => {
    const plain = drawing();
    const one = plain && caption ? captioned(app, plain, caption) : plain;
    if (!one) return;
    if (kind === 'svg') saveSvg(`${name}.svg`, svgText(app.palette, one));
    else savePng(app, `${name}.png`, one);
  };
  app.pictures.offer({ label: `${what} (SVG)`, save: save('svg') });
  app.pictures.offer({ label: `${what} (PNG)`, save: save('png') });
}

const keptStyles = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linejoin',
  'paint-order',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
];
const notForFiles = /^(class|id|role|tabindex|data-.*|aria-.*|style)$/;

// An SVG of the page as a file: computed styles become attributes, data-title a title.
export function svgOfElement(
  app: App,
  drawn: SVGGElement,
  of: { width: number; height: number },
  caption: readonly string[] = [],
): { text: string; width: number; height: number } {
  const lines = captioned(app, { ...of, draw: () => {} }, caption);
  const { width, height } = caption.length > 0 ? lines : of;
  const space = 'http://www.w3.org/2000/svg';
  const file = document.createElementNS(space, 'svg');
  file.setAttribute('width', String(Math.ceil(width)));
  file.setAttribute('height', String(Math.ceil(height)));
  file.setAttribute('viewBox', `0 0 ${Math.ceil(width)} ${Math.ceil(height)}`);
  const paper = document.createElementNS(space, 'rect');
  paper.setAttribute('width', '100%');
  paper.setAttribute('height', '100%');
  paper.setAttribute('fill', app.palette().surface);
  const copy = drawn.cloneNode(true) as SVGGElement;
  copy.removeAttribute('transform');
  if (height > of.height) copy.setAttribute('transform', `translate(0 ${height - of.height})`);
  const originals = [drawn, ...drawn.querySelectorAll<SVGElement>('*')];
  const copies = [copy, ...copy.querySelectorAll<SVGElement>('*')];
  copies.forEach((element, index) => {
    const style = getComputedStyle(originals[index]!);
    if (style.display === 'none' || originals[index]!.dataset.file === 'no') {
      element.remove();
      return;
    }
    const title = element.getAttribute('data-title');
    for (const name of element.getAttributeNames()) if (notForFiles.test(name)) element.removeAttribute(name);
    // All but the opacity are inherited: repeated values are left out.
    const above = index > 0 ? getComputedStyle(originals[index]!.parentElement!) : null;
    for (const property of keptStyles) {
      const value = style.getPropertyValue(property);
      const isUsual = property === 'opacity' ? value === '1' : above?.getPropertyValue(property) === value;
      if (isUsual) element.removeAttribute(property);
      else element.setAttribute(property, value);
    }
    if (title) {
      const tooltip = document.createElementNS(space, 'title');
      tooltip.textContent = title;
      element.prepend(tooltip);
    }
  });
  file.append(paper);
  caption.forEach((line, at) => {
    const text = document.createElementNS(space, 'text');
    const { font, text: first, muted } = app.palette();
    const attributes = { x: captionLine / 2, y: captionLine * (at + 1), 'font-family': font, 'font-size': captionSize };
    for (const [name, value] of Object.entries(attributes)) text.setAttribute(name, String(value));
    text.setAttribute('fill', at === 0 ? first : muted);
    if (at === 0) text.setAttribute('font-weight', '600');
    text.textContent = line;
    file.append(text);
  });
  file.append(copy);
  return { text: new XMLSerializer().serializeToString(file), width, height };
}

export async function saveSvgAsPng(app: App, name: string, text: string, width: number, height: number) {
  const address = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const scale = pngScale(width, height);
    const canvas = document.createElement('canvas');
    canvas.width = Math.ceil(width * scale);
    canvas.height = Math.ceil(height * scale);
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    saveCanvas(app.toasts, canvas, name);
  } catch {
    app.toasts.show('The browser could not create a PNG file');
  } finally {
    URL.revokeObjectURL(address);
  }
}
