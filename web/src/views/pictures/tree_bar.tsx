// The bar above a tree picture: direction, options, certainty.

import { type JSX, Show } from 'solid-js';
import type { App } from '../../app/app';
import type { Pictures } from '../../app/offers';
import { Icon } from '../../components/icon';
import { IconButton } from '../../components/icon_button';
import { MenuButton, type MenuItem } from '../../components/menu';
import { Segmented } from '../../components/segmented';
import { percentBrief } from '../../model/format';
import type { Name } from '../../model/state';
import { share, toNumber } from '../../protocol/cost';
import { ColorButton } from './colors';
import { hasCost } from './frame_labels';
import { setOptions } from './options';
import './pictures.css';
import { type Direction, foundText, type TreeData } from './tree_data';
import { hidesFunctions } from './tree_style';

const exactText = 'Exact: call stacks as recorded';

// Less than all never shows as 100 %.
function partText(part: number): string {
  if (part < 0.995 || part >= 1) return percentBrief(part);
  return `${Math.min(99.9, Math.floor(part * 1000) / 10).toFixed(1)}\u202f%`;
}

// `below`: of the lower half of a sandwich.
function CertainText(props: { part: number; below?: number | undefined }): JSX.Element {
  return (
    <Show when={Math.min(props.part, props.below ?? 1) < 1} fallback="All costs are certain">
      <Show
        when={props.below !== undefined}
        fallback={
          <span>
            {partText(props.part)} <span class="picture-wide">of the cost is </span>certain
          </span>
        }
      >
        <span>
          Certain: {partText(props.part)} above, {partText(props.below ?? 0)} below
        </span>
      </Show>
    </Show>
  );
}

export function Certainty(props: {
  estimated: boolean;
  part: number;
  before?: number | undefined;
  below?: number | undefined;
}): JSX.Element {
  const least = () => Math.min(props.part, props.before ?? 1, props.below ?? 1);
  return (
    <Show when={props.estimated} fallback={<span class="picture-certain">{exactText}</span>}>
      <span
        class="picture-certain"
        title="The profile has calls, not call stacks: costs of paths are estimates within exact bounds"
      >
        <span class="picture-key solid" aria-hidden="true" />
        <CertainText part={props.part} below={props.below} />
        {props.before === undefined ? '' : `, before ${percentBrief(props.before)}`}
        <Show when={least() < 1}>
          <span class="picture-key hatched" aria-hidden="true" />
          <span class="muted">estimated</span>
        </Show>
      </span>
    </Show>
  );
}

// The function that the tree begins at, if it is not the whole program.
export function RootChip(props: { app: App; root: Name | null; what: string; onClose(): void }): JSX.Element {
  return (
    <Show when={props.root}>
      {root => (
        <span class="chip picture-root">
          <span class="picture-root-text">
            <span class="chip-kind">{props.what}</span>
            <span class="chip-pattern">{props.app.names.short(root())}</span>
          </span>
          <button
            type="button"
            class="chip-close"
            aria-label="Show the whole program"
            title="Show the whole program"
            onClick={() => props.onClose()}
          >
            <Icon name="close" />
          </button>
        </span>
      )}
    </Show>
  );
}

export function TreeBar(props: {
  app: App;
  data: TreeData;
  items: () => MenuItem[];
  callees: TreeData | undefined; // of a sandwich: `data` are the callers
  hasDetails: boolean;
  onDetails(shown: boolean): void;
}): JSX.Element {
  const { app, data } = props;
  const answer = () => data.tree()?.answer;
  const callees = () => props.callees?.tree()?.answer;
  const before = () =>
    app.measure.comparing() ? Math.min(answer()?.certainty_before ?? 1, callees()?.certainty_before ?? 1) : undefined;
  const oneSided = () => {
    const now = answer();
    const of = data.size();
    if (!now || (of !== 'before' && of !== 'estimate')) return '';
    const [cost, whole, word] =
      of === 'before' ? [now.removed, now.whole_before, 'removed'] : [now.added, now.whole, 'new'];
    return `${now.estimated ? '~' : ''}${percentBrief(share(cost ?? 0, whole ?? 0) ?? 0)} ${word}`;
  };
  return (
    <div class="picture-bar">
      <Show when={!props.callees}>
        <Segmented
          label="Direction"
          choices={[
            { value: 'callees', label: 'Callees', hint: 'From the roots down to callees' },
            { value: 'callers', label: 'Callers', hint: 'Inverted: from functions with self cost to their callers' },
          ]}
          value={data.direction()}
          onChange={(direction: Direction) =>
            setOptions(app, {
              [data.key('direction')]: direction === 'callees' ? null : direction,
              [data.key('zoom')]: null,
            })
          }
        />
      </Show>
      <Show when={app.measure.comparing()}>
        <Segmented
          label="Profile"
          choices={[
            { value: 'larger', label: 'Both', hint: 'Boxes are as large as the larger of both costs' },
            { value: 'after', label: 'New', hint: 'The new profile: what is removed has no box' },
            { value: 'before', label: 'Old', hint: 'The old profile, with what is removed marked' },
          ]}
          value={app.navigation.option(data.key('size'), 'larger')}
          onChange={size => setOptions(app, { [data.key('size')]: size === 'larger' ? null : size })}
        />
        <Show when={oneSided()}>
          <span class="picture-one-sided" role="status">
            {oneSided()}
          </span>
        </Show>
      </Show>
      <RootChip
        app={app}
        root={data.root()}
        what={props.callees ? 'around' : data.direction() === 'callees' ? 'below' : 'callers of'}
        onClose={() => data.setRoot(null)}
      />
      <ColorButton
        app={app}
        by={data.colorBy()}
        strong
        functions={data.tree()?.answer.functions ?? []}
        selves={data.selves()}
      />
      <MenuButton label="View options" text="View" items={props.items} />
      <span class="view-bar-gap" />
      <Show when={data.found()}>
        {found => (
          <span class="picture-found" role="status">
            <span class="picture-key match" />
            {found().frames === 0 ? 'no matches' : foundText(found(), percentBrief)}
            <IconButton
              icon="back"
              label="Previous match"
              title="Previous match (p)"
              disabled={found().frames === 0}
              onPress={() => data.nextMatch(-1)}
            />
            <IconButton
              icon="forward"
              label="Next match"
              title="Next match (n)"
              disabled={found().frames === 0}
              onPress={() => data.nextMatch(1)}
            />
          </span>
        )}
      </Show>
      <Show when={data.tree() && hasCost(data.tree()!) && answer()}>
        {now => (
          <Certainty
            estimated={now().estimated}
            part={now().certainty}
            before={before()}
            below={callees()?.certainty}
          />
        )}
      </Show>
      <Show when={canBeCertainOnly(app, data) || (props.callees && canBeCertainOnly(app, props.callees))}>
        <button
          type="button"
          class="button quiet picture-toggle"
          aria-pressed={data.certainOnly()}
          title="Draw lower bounds only ( c )"
          onClick={() => toggleCertain(app, data)}
        >
          Certain only
        </button>
      </Show>
      <span class="picture-touch" role="group" aria-label="Zoom">
        <button
          type="button"
          class="button quiet"
          aria-label="Zoom into the selected box"
          disabled={data.cursor() < 0}
          onClick={() => data.setZoom(data.cursor())}
        >
          +
        </button>
        <button
          type="button"
          class="button quiet"
          aria-label="Zoom out"
          disabled={data.zoom() < 0 && !data.group()}
          onClick={() => data.out()}
        >
          −
        </button>
      </span>
      <SaveMenu pictures={app.pictures} />
      <IconButton
        icon="panel"
        label="Details of the selected box"
        title="Details of the selected box"
        pressed={props.hasDetails}
        onPress={() => props.onDetails(!props.hasDetails)}
      />
    </div>
  );
}

// Where something else is drawn.
export function canBeCertainOnly(app: App, data: TreeData): boolean {
  const answer = data.tree()?.answer;
  return !app.measure.comparing() && (data.certainOnly() || (answer?.estimated !== false && answer?.certainty !== 1));
}

export function toggleCertain(app: App, data: TreeData) {
  setOptions(app, { [data.key('certain')]: data.certainOnly() ? null : 'yes' });
}

export function SaveMenu(props: { pictures: Pictures }): JSX.Element {
  return (
    <Show when={props.pictures.all().length > 0}>
      <MenuButton
        label="Save this picture"
        title="Save this picture"
        class="button quiet"
        align="end"
        button={<Icon name="download" />}
        items={() => props.pictures.all().map(picture => ({ label: picture.label, run: () => picture.save() }))}
      />
    </Show>
  );
}

// Notes on this picture, and how to get a better one.
export function TreeNotes(props: { app: App; data: TreeData }): JSX.Element {
  const { app, data } = props;
  const recipe = () => `callcost record --callers ${app.profile().more_callers} PROGRAM`;
  const answer = () => data.tree()?.answer;
  const part = (cost: number | bigint | undefined) => share(cost ?? 0, answer()?.whole ?? 0) ?? 0;
  const uncertain = () => (answer()?.certainty ?? 1) < 0.5 && app.profile().more_callers !== undefined;
  const unbalanced = () => part(answer()?.unbalanced);
  const notExpanded = () => part(answer()?.not_expanded);
  return (
    <div class="picture-notes">
      <Show when={uncertain()}>
        <p class="picture-note">
          <span>Mostly estimated. For more certainty, record with</span>
          <code>{recipe()}</code>
          <IconButton icon="copy" onPress={() => void app.copy(recipe(), 'the command')}>
            Copy
          </IconButton>
        </p>
      </Show>
      <Show when={unbalanced() > 0.001}>
        <p class="picture-note">
          {percentBrief(unbalanced())} of the call costs are in no function: see the boxes (unbalanced). The producer
          may measure calls and functions differently.
        </p>
      </Show>
      <Show when={notExpanded() > 0.1 && data.frames() < 100_000 && !hidesFunctions(app.state)}>
        <p class="picture-note">
          <span>{percentBrief(notExpanded())} is not expanded.</span>
          <button
            type="button"
            class="button quiet"
            onClick={() => setOptions(app, { [data.key('frames')]: String(Math.min(200_000, data.frames() * 5)) })}
          >
            Show {(Math.min(200_000, data.frames() * 5) / 1000).toFixed(0)},000 boxes
          </button>
        </p>
      </Show>
      <Show when={toNumber(answer()?.negative ?? 0) !== 0}>
        <p class="picture-note">Negative self costs are not drawn.</p>
      </Show>
    </div>
  );
}
