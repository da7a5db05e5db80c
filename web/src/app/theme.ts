// Light and dark: the system's preference unless the user chose one. Colors are CSS variables; canvases read them here.

import { type Accessor, createEffect, createMemo, createRoot, createSignal } from 'solid-js';
import { hueOf, hues } from '../model/color';
import { boxFill } from '../model/picture_style';
import type { Theme } from '../model/state';
import { recall, remember } from './storage';

const darkSystem = window.matchMedia('(prefers-color-scheme: dark)');

export const { theme, setTheme, isDark } = createRoot(() => {
  const recalled = recall('theme');
  const [theme, setTheme] = createSignal<Theme>(recalled === 'light' || recalled === 'dark' ? recalled : 'system');
  const [systemDark, setSystemDark] = createSignal(darkSystem.matches);
  darkSystem.addEventListener('change', event => setSystemDark(event.matches));
  const isDark = createMemo(() => theme() === 'dark' || (theme() === 'system' && systemDark()));
  createEffect(() => {
    document.documentElement.dataset.theme = isDark() ? 'dark' : 'light';
    remember('theme', theme() === 'system' ? null : theme());
  });
  return { theme, setTheme, isDark };
});

export interface Palette {
  dark: boolean;
  text: string;
  muted: string;
  faint: string;
  surface: string; // the page
  raised: string; // panels, toolbars
  sunken: string;
  line: string; // hairlines
  accent: string;
  accentSoft: string; // behind text
  onAccent: string;
  selection: string; // a selected row
  match: string; // what a search found
  more: string; // more expensive
  less: string;
  warning: string;
  warningSoft: string; // behind text
  hues: string[]; // fills that `text` is readable on; 0 is neutral
  boxes: string[]; // the same, stronger: of boxes that touch each other
  font: string; // family
  mono: string;
  fill(key: string): string; // for an object or a namespace
}

function readPalette(dark: boolean): Palette {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const fills = Array.from({ length: hues }, (_, hue) => read(`hue-${hue}`));
  return {
    dark,
    text: read('text'),
    muted: read('muted'),
    faint: read('faint'),
    surface: read('surface'),
    raised: read('raised'),
    sunken: read('sunken'),
    line: read('line'),
    accent: read('accent'),
    accentSoft: read('accent-soft'),
    onAccent: read('on-accent'),
    selection: read('selection'),
    match: read('match'),
    more: read('more'),
    less: read('less'),
    warning: read('warning'),
    warningSoft: read('warning-soft'),
    hues: fills,
    boxes: fills.map((fill, hue) => boxFill(fill, read(`swatch-${hue}`), dark)),
    font: read('font'),
    mono: read('mono'),
    fill: key => fills[hueOf(key)] ?? fills[0] ?? '',
  };
}

export function createPalette(): Accessor<Palette> {
  return createMemo(() => {
    document.documentElement.dataset.theme = isDark() ? 'dark' : 'light';
    return readPalette(isDark());
  });
}
