// Above the views, over the whole width: what the reader has to know about all that is shown.

import { type JSX, Show } from 'solid-js';
import './banner.css';
import { Icon } from './icon';
import { IconButton } from './icon_button';

export function Banner(props: {
  is: 'error' | 'warning' | 'news' | 'note';
  children: JSX.Element;
  action?: JSX.Element; // a button
  onClose?(): void;
}): JSX.Element {
  return (
    <div class={`banner ${props.is}`} role={props.is === 'error' ? 'alert' : 'status'}>
      <Icon name={({ news: 'reload', note: 'share', error: 'warning', warning: 'warning' } as const)[props.is]} />
      <span class="banner-text">{props.children}</span>
      {props.action}
      <Show when={props.onClose}>{close => <IconButton icon="close" label="Close" onPress={() => close()()} />}</Show>
    </div>
  );
}
