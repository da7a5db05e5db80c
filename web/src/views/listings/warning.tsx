import type { JSX } from 'solid-js';
import { Icon } from '../../components/icon';

// A warning above a listing.
export function Warning(props: { children: JSX.Element }): JSX.Element {
  return (
    <p class="source-strip warning" role="note">
      <Icon name="warning" />
      <span>{props.children}</span>
    </p>
  );
}
