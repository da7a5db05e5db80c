// What flame graph and treemap share: bar, breadcrumbs, picture, and a line about the current box.

import { type Accessor, createMemo, createSignal, type JSX, Match, Show, Switch } from 'solid-js';
import type { App } from '../../app/app';
import { recall, remember } from '../../app/storage';
import { EmptyState } from '../../components/empty_state';
import { useIsPhone } from '../../components/media';
import type { MenuItem } from '../../components/menu';
import { Problem } from '../../components/problem';
import { SidePanel } from '../../components/side_panel';
import { brief, change } from '../../model/format';
import { parentOf, sumOf, type Tree } from '../../model/tree';
import { printable } from '../../model/visible';
import { FunctionDetails } from '../callers/function_details';
import { Breadcrumbs } from './breadcrumbs';
import { FrameTip, frameLine, frameName, hasCost } from './frame_labels';
import { setOptions } from './options';
import { type AreaSize, PictureArea } from './picture_area';
import type { Merged, PictureView } from './picture_view';
import { offerDrawing } from './save_picture';
import { TreeBar, TreeNotes } from './tree_bar';
import { type Direction, type TreeData, usualFrames } from './tree_data';
import { type TreeStyle, useStyle } from './tree_style';

// Of a sandwich: the callers above, with the bar for both, and the callees below.
export interface Half {
  is: Direction;
  callees: TreeData;
}

export interface Drawn {
  tree: Tree;
  style: TreeStyle;
  width: number;
  height: number; // of the window; 0: of a picture that is saved as a whole
  cost(rows: readonly number[]): string;
}

export function TreeView(props: {
  app: App;
  data: TreeData;
  label: string;
  file: string; // what saved pictures are called
  items: () => MenuItem[];
  picture: (drawn: Drawn) => PictureView;
  fromBottom?: boolean;
  withPath?: boolean;
  savedHeight?: number;
  half?: Half;
  onSection?(section: [number, number] | null): void;
  overview?(view: Accessor<PictureView>): JSX.Element; // above the picture
}): JSX.Element {
  const { app, data } = props;
  const style = useStyle(app, data);
  const [size, setSize] = createSignal<AreaSize>(
    { width: 0, height: 0 },
    { equals: (a, b) => a.width === b.width && a.height === b.height },
  );
  const [hover, setHover] = createSignal(-1);
  const isPhone = useIsPhone();
  const usualDetails = recall('picture-details') ?? (isPhone() ? 'yes' : 'no');
  const hasDetails = () => app.navigation.option('pictures.details', usualDetails) === 'yes';
  function setDetails(shown: boolean) {
    remember('picture-details', shown ? 'yes' : 'no');
    app.navigation.setOption('pictures.details', shown ? 'yes' : 'no');
  }

  const cost = createMemo(() => {
    const tree = data.tree();
    const sizeOf = data.size();
    const comparing = app.measure.comparing();
    app.state.relative;
    return (rows: readonly number[]): string => {
      if (!tree) return '';
      const { frames } = tree;
      if (comparing) {
        const before = sumOf(frames.inclusive_before, rows);
        const after = sumOf(frames.inclusive, rows);
        return before === null || after === null || before === after ? '' : change(before, after, brief).text;
      }
      const of = sizeOf === 'least' ? frames.inclusive_least : frames.inclusive;
      const above = parentOf(tree, rows[0]!);
      return app.measure.label(sumOf(of, rows), above < 0 ? undefined : (of[above] ?? undefined));
    };
  });
  const drawn = (width: number, height: number): Drawn | null => {
    const tree = data.tree();
    const now = style();
    return tree && now ? { tree, style: now, width, height, cost: cost() } : null;
  };
  const picture = createMemo(() => {
    const { width, height } = size();
    const what = drawn(width, height);
    return what && props.picture(what);
  });
  offerDrawing(
    app,
    props.file,
    () => {
      const what = drawn(Math.max(480, size().width), props.savedHeight ?? size().height);
      const tree = data.tree();
      if (!what || !tree) return null;
      const whole = props.picture(what);
      return {
        width: whole.width,
        height: whole.height,
        draw: surface =>
          whole.draw(
            surface,
            0,
            whole.height,
            null,
            (row, merged) => `${frameName(app, tree, row, merged)}: ${frameLine(app, data, tree, row, merged)}`,
          ),
      };
    },
    props.half && (props.half.is === 'callers' ? 'Callers' : 'Callees'),
  );

  const merged = (row: number) => picture()?.merged(row) ?? null;
  const about = () => (hover() >= 0 ? hover() : data.cursor());
  const root = () => data.root();
  return (
    <div class="picture">
      <Show when={props.half?.is !== 'callees'}>
        <TreeBar
          app={app}
          data={data}
          items={props.items}
          callees={props.half?.callees}
          hasDetails={hasDetails()}
          onDetails={setDetails}
        />
      </Show>
      <Show when={!data.asked.error()} fallback={<Problem error={data.asked.error()!} />}>
        <Show
          when={!data.rootMissing()}
          fallback={
            <EmptyState title="Function not in this profile" text={`${root() ? app.names.short(root()!) : ''}`}>
              <button type="button" class="button" onClick={() => data.setRoot(null)}>
                Show the whole program
              </button>
            </EmptyState>
          }
        >
          <Show
            when={data.tree()}
            fallback={<p class="view-note">{data.asked.waiting() ? 'Unrolling the call graph…' : ''}</p>}
          >
            {tree => (
              <Switch>
                <Match when={tree().count === 0 || !hasCost(tree())}>
                  <NothingToDraw app={app} data={data} />
                </Match>
                <Match when={true}>
                  <Show when={props.half?.is !== 'callees'}>
                    <TreeNotes app={app} data={data} />
                  </Show>
                  <div class="picture-line">
                    <Breadcrumbs app={app} data={data} />
                    <Show when={about() >= 0 && about() < tree().count}>
                      <span class="picture-line-costs number">
                        <b>{frameName(app, tree(), about(), merged(about()))}</b>{' '}
                        {frameLine(app, data, tree(), about(), merged(about()))}
                      </span>
                    </Show>
                  </div>
                  {props.overview?.(() => picture() ?? nothing)}
                  <div class="picture-body">
                    <PictureArea
                      onSection={props.onSection}
                      app={app}
                      data={data}
                      tree={tree()}
                      label={props.label}
                      view={picture() ?? nothing}
                      onSize={setSize}
                      fromBottom={props.fromBottom}
                      withPath={props.withPath}
                      onHover={setHover}
                    />
                    <Show when={hasDetails() && props.half?.is !== 'callers'}>
                      <BoxDetails app={app} data={data} merged={merged(data.cursor())} />
                    </Show>
                  </div>
                </Match>
              </Switch>
            )}
          </Show>
        </Show>
      </Show>
    </div>
  );
}

// The box that was chosen, and its function in the whole profile.
function BoxDetails(props: { app: App; data: TreeData; merged: Merged | null }): JSX.Element {
  const { app, data } = props;
  const row = () => data.cursor();
  const name = () => (row() >= 0 && data.tree() ? frameName(app, data.tree()!, row(), props.merged) : '');
  return (
    <SidePanel
      name="picture"
      label="Details width"
      title={name() ? `Details: ${name()}` : 'Details'}
      closed
      usual={360}
      least={240}
      most={900}
      atEnd
      class="picture-side"
    >
      <Show when={row() >= 0} fallback={<p class="view-note">Select a box.</p>}>
        <section class="picture-box" aria-label="The box">
          <Show when={row() + 1} keyed>
            {at => <FrameTip app={app} data={data} row={at - 1} merged={props.merged} />}
          </Show>
        </section>
        <Show when={!props.merged}>
          <FunctionDetails app={app} />
        </Show>
      </Show>
    </SidePanel>
  );
}

const nothing: PictureView = {
  width: 0,
  height: 0,
  draw: () => {},
  drawMarks: () => {},
  rowAt: () => -1,
  merged: () => null,
  boxOf: () => null,
  inSight: () => [],
  step: () => -1,
};

function NothingToDraw(props: { app: App; data: TreeData }): JSX.Element {
  const { app } = props;
  const fact = () => app.profile().events.find(type => type.name === app.measure.event());
  const text = () => {
    if (fact()?.additive === false)
      return `${printable(app.measure.event(), 80)} is not additive: it has no inclusive cost.`;
    if (app.state.chips.length > 0) return 'No cost passes the filters.';
    return `No ${printable(app.measure.event(), 80)} here.`;
  };
  return <EmptyState title="Nothing to draw" text={text()} />;
}

// Items of the menu that both pictures have.
export function treeItems(app: App, data: TreeData): MenuItem[] {
  const detail = (frames: number): MenuItem => ({
    kind: 'radio',
    label: `${frames.toLocaleString('en')} boxes`,
    checked: data.frames() === frames,
    run: () => setOptions(app, { [data.key('frames')]: frames === usualFrames ? null : String(frames) }),
  });
  return [
    { kind: 'title', label: 'The tree' },
    {
      kind: 'check',
      label: 'Fold recursion',
      key: 'r',
      get checked() {
        return data.folded();
      },
      run: () => app.navigation.setOption(data.key('recursion'), data.folded() ? 'unfold' : null),
    },
    { kind: 'title', label: 'Expand at most' },
    ...[2_000, usualFrames, 100_000, 200_000].map(detail),
  ];
}
