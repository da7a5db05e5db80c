// Lays a graph out in a worker, or less of it if that takes too long, and offers the result as files.

import { type Accessor, createSignal, type JSX, onCleanup, Show } from 'solid-js';
import type { App } from '../../app/app';
import { saveFile } from '../../components/save_file';
import type { LayoutInput, Placed } from '../../model/graph';
import { saveSvg, saveSvgAsPng, svgOfElement } from '../pictures/save_picture';
import { createLayouter, TooSlow } from './layouter';

const patience = 4000;
const fewNodes = 12; // layouts of so few nodes do not time out

export interface LaidOut<Shown> {
  drawn: Accessor<(Shown & { placed: Placed }) | null>;
  problem: Accessor<Error | null>;
  isBusy: Accessor<boolean>;
  layOut(shown: Shown): Promise<void>;
  clear(): void;
  stop(): void;
  takeWorld(world: SVGGElement, withTexts: (save: () => void) => void): void; // where it is drawn
}

export function useLaidOut<Shown>(
  app: App,
  of: {
    input(shown: Shown): LayoutInput;
    less(shown: Shown): Shown;
    file: () => string; // its name
    dot(drawn: Shown & { placed: Placed }): string;
  },
): LaidOut<Shown> {
  const layouter = createLayouter();
  onCleanup(layouter.stop);
  const [drawn, setDrawn] = createSignal<(Shown & { placed: Placed }) | null>(null);
  const [problem, setProblem] = createSignal<Error | null>(null);
  const [isBusy, setBusy] = createSignal(false);
  let world: SVGGElement | undefined;
  let withTexts = (save: () => void) => save();

  type Svg = ReturnType<typeof svgOfElement>;
  function offer(label: string, save: (now: Shown & { placed: Placed }, svg: () => Svg) => void) {
    app.pictures.offer({
      label,
      save(caption) {
        const now = drawn();
        if (!now || !world) return;
        withTexts(() => save(now, () => svgOfElement(app, world!, now.placed, caption)));
      },
    });
  }
  offer('Picture (SVG)', (_, svg) => saveSvg(`${of.file()}.svg`, svg().text));
  offer('Picture (PNG)', (_, svg) => {
    const { text, width, height } = svg();
    void saveSvgAsPng(app, `${of.file()}.png`, text, width, height);
  });
  offer('This graph (DOT)', now => saveFile(`${of.file()}.dot`, 'text/vnd.graphviz', of.dot(now)));

  return {
    drawn,
    problem,
    isBusy,
    async layOut(whole) {
      setProblem(null);
      const waiting = setTimeout(() => setBusy(true), 150);
      try {
        for (let shown = whole; ; shown = of.less(shown)) {
          const input = of.input(shown);
          try {
            const placed = await layouter.layout(input, patience);
            setDrawn(() => ({ ...shown, placed }));
            return;
          } catch (reason) {
            if (!(reason instanceof TooSlow) || input.nodes.length < fewNodes) throw reason;
          }
        }
      } catch (reason) {
        if ((reason as Error).name !== 'AbortError') setProblem(reason as Error);
      } finally {
        clearTimeout(waiting);
        setBusy(false);
      }
    },
    clear() {
      layouter.stop();
      setDrawn(null);
    },
    stop: layouter.stop,
    takeWorld(element, texts) {
      world = element;
      withTexts = texts;
    },
  };
}

export function LayingOut(props: { of: LaidOut<unknown> }): JSX.Element {
  return (
    <Show when={props.of.isBusy()}>
      <div class="graph-busy" role="status">
        Laying out the graph…
        <button type="button" class="button" onClick={() => props.of.stop()}>
          Stop
        </button>
      </div>
    </Show>
  );
}
