import type { JSX } from 'solid-js';

// Drawn on a grid of 16, with the color of the text around.
const paths = {
  back: 'M10 3.5 5.5 8l4.5 4.5',
  forward: 'M6 3.5 10.5 8 6 12.5',
  down: 'M4 6l4 4 4-4',
  right: 'M6 4l4 4-4 4',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zm3.6-1.4L14 14',
  close: 'M4 4l8 8M12 4l-8 8',
  plus: 'M8 3v10M3 8h10',
  check: 'M3.5 8.5l3 3 6-7',
  sliders: 'M2 5h6m4 0h2M2 11h2m4 0h6M10 7a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM6 13a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  help: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM6.3 6.4a1.75 1.75 0 1 1 2.6 1.5c-.6.4-.9.7-.9 1.4M8 11.2v.1',
  sun: 'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1.1 1.1M11.9 11.9 13 13M13 3l-1.1 1.1M4.1 11.9 3 13',
  moon: 'M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7z',
  screen: 'M2 3h12v8H2zM6 14h4M8 11v3',
  open: 'M2 12.5v-9h4l1.5 2H14v7z',
  warning: 'M8 2.5 14.5 13.5h-13zM8 6.5v3.2M8 11.6v.1',
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z',
  download: 'M8 2v8M4.5 7 8 10.5 11.5 7M2.5 13.5h11',
  share: 'M8 10V2M5 4.5 8 1.5l3 3M5 7H3v7h10V7h-2',
  reload: 'M13 8a5 5 0 1 1-1.5-3.6L13 6M13 2.5V6H9.5',
  filter: 'M2 3.5h12L9.5 8.5v4l-3 1.5V8.5z',
  panelLeft: 'M2 3h12v10H2zM6 3v10',
  beside: 'M2 3h12v10H2zM8 3v10',
  up: 'M4 10l4-4 4 4',
  unfold: 'M2 4h12M6 8h8M6 12h8',
  panel: 'M2 3h12v10H2zM10 3v10',
  history: 'M2 2v12h12M4.5 10.5 7 7l2.5 2L13.5 4',
  layers: 'M8 2 14.5 5.5 8 9 1.5 5.5zM1.5 9 8 12.5 14.5 9',
  cycle: 'M12.5 6A5 5 0 0 0 3.6 5.2M3.5 10a5 5 0 0 0 8.9.8M12.7 2.8V6H9.5M3.3 13.2V10h3.2',
} as const;

export type IconName = keyof typeof paths;

export function Icon(props: { name: IconName; label?: string }): JSX.Element {
  return (
    <svg
      class="icon"
      viewBox="0 0 16 16"
      width="16"
      height="16"
      role={props.label ? 'img' : undefined}
      aria-label={props.label}
      aria-hidden={props.label ? undefined : 'true'}
    >
      <path d={paths[props.name]} />
    </svg>
  );
}
