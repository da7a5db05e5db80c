import type { JSX } from 'solid-js';
import { Icon, type IconName } from './icon';

export function IconButton(props: {
  icon: IconName;
  label?: string; // if it has no text
  title?: string;
  pressed?: boolean;
  disabled?: boolean;
  onPress(): void;
  children?: JSX.Element; // the text
}): JSX.Element {
  return (
    <button
      type="button"
      class="button quiet"
      aria-label={props.label}
      aria-pressed={props.pressed}
      title={props.title}
      disabled={props.disabled}
      onClick={() => props.onPress()}
    >
      <Icon name={props.icon} />
      {props.children}
    </button>
  );
}
