import type { JSX } from 'solid-js';
import { Icon } from '../../components/icon';

// Above a listing: what must be known to trust it.
export function Warning(props: { children: JSX.Element }): JSX.Element {
  return (
    <p class="source-strip warning" role="note">
      <Icon name="warning" />
      <span>{props.children}</span>
    </p>
  );
}
