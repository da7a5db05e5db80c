// Lays a graph out beside the page, or less of it if that takes too long, and offers what came of it as files.

import { type Accessor, createSignal, type JSX, onCleanup, Show } from 'solid-js';
import type { App } from '../../app';
import { save_file } from '../../components/save_file';
import type { Placed } from '../../model/graph';
import type { LayoutInput } from '../../model/graph_layout';
import { save_svg, save_svg_as_png, svg_of_element } from '../pictures/save_picture';
import { create_layouter, TooSlow } from './layouter';

const patience = 4000;
const few_nodes = 12; // so many must not take too long

export interface LaidOut<Shown> {
  drawn: Accessor<(Shown & { placed: Placed }) | null>;
  problem: Accessor<Error | null>;
  is_busy: Accessor<boolean>;
  lay_out(shown: Shown): Promise<void>;
  clear(): void;
  stop(): void;
  take_world(world: SVGGElement): void; // where it is drawn
}

export function use_laid_out<Shown>(
  app: App,
  of: {
    input(shown: Shown): LayoutInput;
    less(shown: Shown): Shown;
    file: () => string; // its name
    dot(drawn: Shown & { placed: Placed }): string;
  },
): LaidOut<Shown> {
  const layouter = create_layouter();
  onCleanup(layouter.stop);
  const [drawn, set_drawn] = createSignal<(Shown & { placed: Placed }) | null>(null);
  const [problem, set_problem] = createSignal<Error | null>(null);
  const [is_busy, set_busy] = createSignal(false);
  let world: SVGGElement | undefined;

  function offer(label: string, save: (now: Shown & { placed: Placed }, svg: () => string) => void) {
    app.offer_picture({
      label,
      save() {
        const now = drawn();
        if (!now || !world) return;
        const { width, height } = now.placed;
        save(now, () => svg_of_element(world!, width, height, app.palette().surface));
      },
    });
  }
  offer('Picture (SVG)', (_, svg) => save_svg(`${of.file()}.svg`, svg()));
  offer('Picture (PNG)', ({ placed: { width, height } }, svg) => {
    void save_svg_as_png(app, `${of.file()}.png`, svg(), width, height);
  });
  offer('This graph (DOT)', now => save_file(`${of.file()}.dot`, 'text/vnd.graphviz', of.dot(now)));

  return {
    drawn,
    problem,
    is_busy,
    async lay_out(whole) {
      set_problem(null);
      const waiting = setTimeout(() => set_busy(true), 150);
      try {
        for (let shown = whole; ; shown = of.less(shown)) {
          const input = of.input(shown);
          try {
            const placed = await layouter.layout(input, patience);
            set_drawn(() => ({ ...shown, placed }));
            return;
          } catch (reason) {
            if (!(reason instanceof TooSlow) || input.nodes.length < few_nodes) throw reason;
          }
        }
      } catch (reason) {
        if ((reason as Error).name !== 'AbortError') set_problem(reason as Error);
      } finally {
        clearTimeout(waiting);
        set_busy(false);
      }
    },
    clear() {
      layouter.stop();
      set_drawn(null);
    },
    stop: layouter.stop,
    take_world(element) {
      world = element;
    },
  };
}

export function LayingOut(props: { of: LaidOut<unknown> }): JSX.Element {
  return (
    <Show when={props.of.is_busy()}>
      <div class="graph-busy" role="status">
        Laying out the graph…
        <button type="button" class="button" onClick={() => props.of.stop()}>
          Stop
        </button>
      </div>
    </Show>
  );
}
