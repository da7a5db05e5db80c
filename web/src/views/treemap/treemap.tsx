import type { JSX } from 'solid-js';
import type { App } from '../../app';

export function TreemapView(_props: { app: App }): JSX.Element {
  return <p class="view-note">Not built yet.</p>;
}
