// Drop zones, while files are dragged over the page.

import { createSignal, For, type JSX, onCleanup, onMount, Show } from 'solid-js';
import { printable } from '../model/visible';
import './drop_layer.css';

export type DropTarget = 'open' | 'older' | 'newer'; // which of both the dropped profile is

export function DropLayer(props: {
  compareWith: string | null;
  onDrop(files: File[], target: DropTarget): void;
}): JSX.Element {
  const [dragging, setDragging] = createSignal(false);
  const [over, setOver] = createSignal<DropTarget | null>(null);
  let timer: ReturnType<typeof setTimeout> | undefined;

  const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
  const targetOf = (event: DragEvent): DropTarget => {
    const zone = (event.target as HTMLElement | null)?.closest?.('[data-drop]');
    if (props.compareWith === null) return 'open';
    return (zone?.getAttribute('data-drop') as DropTarget | null | undefined) ?? 'newer';
  };
  // dragleave fires for every element: the drag is over when dragover events stop.
  function onDrag(event: DragEvent) {
    if (!hasFiles(event)) return;
    event.preventDefault();
    setDragging(true);
    setOver(targetOf(event));
    clearTimeout(timer);
    timer = setTimeout(() => setDragging(false), 400);
  }
  function onDrop(event: DragEvent) {
    if (!hasFiles(event)) return;
    event.preventDefault();
    clearTimeout(timer);
    setDragging(false);
    props.onDrop([...(event.dataTransfer?.files ?? [])], targetOf(event));
  }
  onMount(() => {
    window.addEventListener('dragenter', onDrag);
    window.addEventListener('dragover', onDrag);
    window.addEventListener('drop', onDrop);
    onCleanup(() => {
      window.removeEventListener('dragenter', onDrag);
      window.removeEventListener('dragover', onDrag);
      window.removeEventListener('drop', onDrop);
    });
  });

  return (
    <Show when={dragging()}>
      <div class="drop-layer">
        <Show when={props.compareWith !== null}>
          <For each={['older', 'newer'] as const}>
            {age => (
              <div class="drop-zone" data-drop={age} classList={{ over: over() === age }}>
                <strong>Compare</strong>
                <span>
                  as the {age} one, with {printable(props.compareWith ?? '', 120)}
                </span>
              </div>
            )}
          </For>
        </Show>
        <div class="drop-zone" data-drop="open" classList={{ over: over() === 'open' }}>
          <strong>Open</strong>
          <span>two profiles are compared, the older one first</span>
        </div>
      </div>
    </Show>
  );
}
