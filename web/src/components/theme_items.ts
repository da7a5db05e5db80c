import { setTheme, theme } from '../app/theme';
import type { Theme } from '../model/state';
import type { MenuItem } from './menu';

const themes: [Theme, string][] = [
  ['system', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];

export function themeItems(): MenuItem[] {
  return [
    { kind: 'title', label: 'Theme' },
    ...themes.map(
      ([value, label]): MenuItem => ({ kind: 'radio', label, checked: theme() === value, run: () => setTheme(value) }),
    ),
  ];
}
