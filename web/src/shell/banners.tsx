// What the reader has to know of the profile as a whole: that its file is damaged or has changed, that the server is gone.

import { createSignal, type JSX, Show } from 'solid-js';
import type { App } from '../app/app';
import { Banner } from '../components/banner';
import { damageOf } from '../model/damage';
import { baseName } from '../model/names';
import { mostOfNote } from '../model/share';
import { printable } from '../model/visible';
import type { Facts } from '../protocol/protocol';
import { Freshness } from './freshness';

export function Banners(props: { app: App; onDiagnostics(): void }): JSX.Element {
  const { app } = props;
  const [isSeen, setSeen] = createSignal(false);
  const [isNoteSeen, setNoteSeen] = createSignal(false);
  const nameOf = (facts: Facts) => printable(baseName(facts.files[0]?.name ?? ''), 80);
  const damages = () => {
    const { before, ...after } = app.profile();
    const sides: Facts[] = before && !before.problem ? [after, before] : [after];
    return sides
      .map(facts => ({ text: damageOf(facts), of: sides.length > 1 ? nameOf(facts) : '' }))
      .filter(one => one.text)
      .map(one => (one.of ? `${one.of}: ${one.text}` : one.text))
      .join(' ');
  };
  return (
    <>
      <Show when={app.kind === 'server'}>
        <Freshness app={app} />
      </Show>
      <Show when={!isNoteSeen() && app.note}>
        <Banner is="note" onClose={() => setNoteSeen(true)}>
          {printable(app.note, mostOfNote)}
        </Banner>
      </Show>
      <Show when={!isSeen() && damages()}>
        {text => (
          <Banner
            is="warning"
            onClose={() => setSeen(true)}
            action={
              <button type="button" class="button" onClick={() => props.onDiagnostics()}>
                Details
              </button>
            }
          >
            {printable(text(), 600)}
          </Banner>
        )}
      </Show>
    </>
  );
}
