// A color for an object or a namespace: the same name has the same color everywhere, every time.

export function hashOf(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193) >>> 0;
  value ^= value >>> 15;
  return Math.imul(value, 0x2c1b3c6d) >>> 0;
}

export const hues = 12;

// Which of `hues` colors; the theme says what they look like (CSS variables --hue-0 to --hue-11).
export function hueOf(key: string): number {
  return key === '' ? 0 : 1 + (hashOf(key) % (hues - 1));
}
