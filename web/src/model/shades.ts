// Blending and contrast of colors "#rrggbb".

export type Rgb = readonly [number, number, number];

export function rgbOf(color: string): Rgb {
  const hex = /^#?([0-9a-f]{6})/i.exec(color.trim())?.[1];
  const short = /^#?([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(color.trim());
  const digits =
    hex ??
    (short
      ? short
          .slice(1)
          .map(digit => digit + digit)
          .join('')
      : '808080');
  const value = Number.parseInt(digits, 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function hexOf([red, green, blue]: Rgb): string {
  const value = (Math.round(red) << 16) | (Math.round(green) << 8) | Math.round(blue);
  return `#${value.toString(16).padStart(6, '0')}`;
}

// `part` of the other color, from 0 to 1.
export function blend(one: string, other: string, part: number): string {
  const a = rgbOf(one);
  const b = rgbOf(other);
  return hexOf([0, 1, 2].map(i => a[i]! + (b[i]! - a[i]!) * part) as unknown as Rgb);
}

function luminance(color: string): number {
  const [red, green, blue] = rgbOf(color).map(value => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

// From 1 to 21; text needs 4.5 (WCAG AA).
export function contrast(one: string, other: string): number {
  const a = luminance(one);
  const b = luminance(other);
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

// A ramp from one color towards another, as far as text on it, and on a fill a tone nearer to the text, stays readable.
export function ramp(from: string, to: string, text: string, steps: number, furthest = 1): string[] {
  let most = furthest;
  while (most > 0.05 && contrast(text, blend(from, to, most)) < 6) most -= 0.05;
  return Array.from({ length: steps }, (_, step) => blend(from, to, (most * step) / Math.max(1, steps - 1)));
}
