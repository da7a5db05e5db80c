// Pictures as files: SVG as it is, PNG with twice the pixels.

import type { App } from '../../app';
import { save_file } from '../../components/save_file';
import { type Pen, SvgPen } from '../../model/drawing_surface';
import { CanvasPen, text_measure } from './canvas_surface';

export interface Drawing {
  width: number;
  height: number;
  draw(pen: Pen): void;
}

// What browsers take as a canvas, in both directions and in all.
const most_side = 16_000;
const most_area = 100_000_000;

export function svg_text(app: App, drawing: Drawing): string {
  const { font, surface } = app.palette();
  const pen = new SvgPen(font, text_measure(font));
  drawing.draw(pen);
  return pen.document(drawing.width, drawing.height, surface);
}

function png_scale(width: number, height: number): number {
  return Math.min(2, most_side / Math.max(width, height), Math.sqrt(most_area / (width * height)));
}

function save_canvas(app: App, canvas: HTMLCanvasElement, name: string) {
  canvas.toBlob(blob => {
    if (blob) save_file(name, 'image/png', blob);
    else app.toast('The picture is too large for a PNG file');
  }, 'image/png');
}

export function save_svg(name: string, text: string) {
  save_file(name, 'image/svg+xml', text);
}

export function save_png(app: App, name: string, drawing: Drawing) {
  const scale = png_scale(drawing.width, drawing.height);
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(drawing.width * scale);
  canvas.height = Math.ceil(drawing.height * scale);
  const context = canvas.getContext('2d');
  if (!context) return;
  context.scale(scale, scale);
  context.fillStyle = app.palette().surface;
  context.fillRect(0, 0, drawing.width, drawing.height);
  drawing.draw(new CanvasPen(context, scale, app.palette().font));
  save_canvas(app, canvas, name);
}

// What the page's menu offers to save, and the view's own.
export function offer_drawing(app: App, name: string, drawing: () => Drawing | null) {
  const save = (kind: 'svg' | 'png') => () => {
    const one = drawing();
    if (!one) return;
    if (kind === 'svg') save_svg(`${name}.svg`, svg_text(app, one));
    else save_png(app, `${name}.png`, one);
  };
  app.offer_picture({ label: 'Picture (SVG)', save: save('svg') });
  app.offer_picture({ label: 'Picture (PNG)', save: save('png') });
}

const kept_styles = [
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
const not_for_files = /^(class|id|role|tabindex|data-.*|aria-.*|style)$/;

// A drawing of the page as a file: what style sheets say about it becomes part of it, its data-title a title.
export function svg_of_element(drawn: SVGGElement, width: number, height: number, background: string): string {
  const space = 'http://www.w3.org/2000/svg';
  const file = document.createElementNS(space, 'svg');
  file.setAttribute('width', String(Math.ceil(width)));
  file.setAttribute('height', String(Math.ceil(height)));
  file.setAttribute('viewBox', `0 0 ${Math.ceil(width)} ${Math.ceil(height)}`);
  const paper = document.createElementNS(space, 'rect');
  paper.setAttribute('width', '100%');
  paper.setAttribute('height', '100%');
  paper.setAttribute('fill', background);
  const copy = drawn.cloneNode(true) as SVGGElement;
  copy.removeAttribute('transform');
  const originals = [drawn, ...drawn.querySelectorAll<SVGElement>('*')];
  const copies = [copy, ...copy.querySelectorAll<SVGElement>('*')];
  copies.forEach((element, index) => {
    const style = getComputedStyle(originals[index]!);
    if (style.display === 'none' || originals[index]!.dataset.file === 'no') {
      element.remove();
      return;
    }
    const title = element.getAttribute('data-title');
    for (const name of element.getAttributeNames()) if (not_for_files.test(name)) element.removeAttribute(name);
    // All but the opacity are inherited: what is as above need not be said again.
    const above = index > 0 ? getComputedStyle(originals[index]!.parentElement!) : null;
    for (const property of kept_styles) {
      const value = style.getPropertyValue(property);
      const is_usual = property === 'opacity' ? value === '1' : above?.getPropertyValue(property) === value;
      if (is_usual) element.removeAttribute(property);
      else element.setAttribute(property, value);
    }
    if (title) {
      const words = document.createElementNS(space, 'title');
      words.textContent = title;
      element.prepend(words);
    }
  });
  file.append(paper, copy);
  return new XMLSerializer().serializeToString(file);
}

export async function save_svg_as_png(app: App, name: string, text: string, width: number, height: number) {
  const address = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const scale = png_scale(width, height);
    const canvas = document.createElement('canvas');
    canvas.width = Math.ceil(width * scale);
    canvas.height = Math.ceil(height * scale);
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    save_canvas(app, canvas, name);
  } catch {
    app.toast('The browser could not make a PNG file of it');
  } finally {
    URL.revokeObjectURL(address);
  }
}
