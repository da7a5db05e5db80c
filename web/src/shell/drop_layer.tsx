// While files are dragged over the page: where to let them go.

import { createSignal, type JSX, onCleanup, onMount, Show } from 'solid-js';
import { printable } from '../model/visible';
import './drop_layer.css';

export type DropTarget = 'open' | 'compare';

export function DropLayer(props: {
  compare_with: string | null;
  on_drop(files: File[], target: DropTarget): void;
}): JSX.Element {
  const [dragging, set_dragging] = createSignal(false);
  const [over, set_over] = createSignal<DropTarget | null>(null);
  let timer: ReturnType<typeof setTimeout> | undefined;

  const has_files = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
  const target_of = (event: DragEvent): DropTarget => {
    const zone = (event.target as HTMLElement | null)?.closest?.('[data-drop]');
    return zone?.getAttribute('data-drop') === 'open' || props.compare_with === null ? 'open' : 'compare';
  };
  // Leaving is announced for every element: what counts is that nothing more is heard of the files.
  function on_drag(event: DragEvent) {
    if (!has_files(event)) return;
    event.preventDefault();
    set_dragging(true);
    set_over(target_of(event));
    clearTimeout(timer);
    timer = setTimeout(() => set_dragging(false), 400);
  }
  function on_drop(event: DragEvent) {
    if (!has_files(event)) return;
    event.preventDefault();
    clearTimeout(timer);
    set_dragging(false);
    props.on_drop([...(event.dataTransfer?.files ?? [])], target_of(event));
  }
  onMount(() => {
    window.addEventListener('dragenter', on_drag);
    window.addEventListener('dragover', on_drag);
    window.addEventListener('drop', on_drop);
    onCleanup(() => {
      window.removeEventListener('dragenter', on_drag);
      window.removeEventListener('dragover', on_drag);
      window.removeEventListener('drop', on_drop);
    });
  });

  return (
    <Show when={dragging()}>
      <div class="drop-layer">
        <Show when={props.compare_with !== null}>
          <div class="drop-zone" data-drop="compare" classList={{ over: over() === 'compare' }}>
            <strong>Compare</strong>
            <span>with {printable(props.compare_with ?? '', 120)}</span>
          </div>
        </Show>
        <div class="drop-zone" data-drop="open" classList={{ over: over() === 'open' }}>
          <strong>Open</strong>
          <span>two profiles are compared, the older one is before</span>
        </div>
      </div>
    </Show>
  );
}
