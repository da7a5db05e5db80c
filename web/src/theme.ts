// Light and dark: what the system says, unless the reader has chosen. Colours are CSS variables; canvases read them here.

import { type Accessor, createEffect, createMemo, createRoot, createSignal } from 'solid-js';
import { hue_of, hues } from './model/colour';
import type { Theme } from './model/state';
import { recall, remember } from './storage';

const dark_system = window.matchMedia('(prefers-color-scheme: dark)');

export const { theme, set_theme, is_dark } = createRoot(() => {
  const recalled = recall('theme');
  const [theme, set_theme] = createSignal<Theme>(recalled === 'light' || recalled === 'dark' ? recalled : 'system');
  const [system_dark, set_system_dark] = createSignal(dark_system.matches);
  dark_system.addEventListener('change', event => set_system_dark(event.matches));
  const is_dark = createMemo(() => theme() === 'dark' || (theme() === 'system' && system_dark()));
  createEffect(() => {
    document.documentElement.dataset.theme = is_dark() ? 'dark' : 'light';
    remember('theme', theme() === 'system' ? null : theme());
  });
  return { theme, set_theme, is_dark };
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
  accent_soft: string; // behind text
  on_accent: string;
  selection: string; // a selected row
  match: string; // what a search found
  more: string; // costs more than before
  less: string;
  warning: string;
  warning_soft: string; // behind text
  hues: string[]; // fills that `text` is readable on; 0 is neutral
  font: string; // family
  mono: string;
  fill(key: string): string; // for an object or a namespace
}

function read_palette(dark: boolean): Palette {
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
    accent_soft: read('accent-soft'),
    on_accent: read('on-accent'),
    selection: read('selection'),
    match: read('match'),
    more: read('more'),
    less: read('less'),
    warning: read('warning'),
    warning_soft: read('warning-soft'),
    hues: fills,
    font: read('font'),
    mono: read('mono'),
    fill: key => fills[hue_of(key)] ?? fills[0] ?? '',
  };
}

export function create_palette(): Accessor<Palette> {
  return createMemo(() => {
    document.documentElement.dataset.theme = is_dark() ? 'dark' : 'light';
    return read_palette(is_dark());
  });
}
