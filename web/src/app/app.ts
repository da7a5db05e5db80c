// What every view gets: the profile, the state, and a unit for each thing that is commonly done with them.

import { type Accessor, batch, createSignal } from 'solid-js';
import type { Engine } from '../engine/engine';
import { historyAddress } from '../model/history_state';
import { type Name, nameOf, type State } from '../model/state';
import type { Func, ProfileAnswer } from '../protocol/protocol';
import { type Answers, createAnswers } from './answers';
import { type Copy, createCopy } from './clipboard';
import { createMeasure, type Measure } from './measure';
import { createNames, type Names } from './names';
import { createNavigation, type Navigation } from './navigation';
import { createTips, createToasts, type Tips, type Toasts } from './notices';
import { createKeys, createPictures, type Keys, type Pictures } from './offers';
import { createSelection, type Selection } from './selection';
import { createPalette, type Palette } from './theme';

export interface App {
  kind: 'server' | 'page';
  profile: Accessor<ProfileAnswer>;
  setProfile(profile: ProfileAnswer): void; // it was read again
  state: State; // of navigation
  navigation: Navigation;
  answers: Answers;
  measure: Measure;
  selection: Selection;
  names: Names;
  palette: Accessor<Palette>; // for canvases; follows the theme
  keys: Keys;
  pictures: Pictures;
  tip: Tips;
  toasts: Toasts;
  copy: Copy;
  imported: readonly { summary: string; oddities?: string }[]; // what the profile was, in other formats
  // The address of the store that the profile is in or beside, or of a function's costs in it; null: there is none.
  historyOf: ((func?: Func | Name | null) => string) | null;
  note: string; // of who shared the page: one line
}

export function createApp(opened: {
  engine: Engine;
  kind: App['kind'];
  profile: ProfileAnswer;
  imported?: App['imported'];
  hasStore?: boolean;
  shared?: { at: string; note?: string };
}): App {
  const { engine, kind } = opened;
  const [profile, setProfile] = createSignal(opened.profile, { equals: false });
  const navigation = createNavigation(opened.profile.has.before ? 'difference' : 'functions', opened.shared?.at);
  const { state } = navigation;
  const answers = createAnswers(engine, profile, state);
  const measure = createMeasure(answers, profile, state);
  const selection = createSelection(navigation, answers, measure.comparing);
  const toasts = createToasts();
  const historyOf: App['historyOf'] = func =>
    historyAddress({
      series: profile().entry?.series ?? null,
      func: func ? nameOf({ ...func, context: '' }) : null,
      event: profile().events.some(one => one.name === state.event && !one.formula) ? (state.event ?? '') : '',
    });
  return {
    kind,
    profile,
    setProfile: next =>
      batch(() => {
        selection.forget();
        engine.forget();
        setProfile(next);
      }),
    state,
    navigation,
    answers,
    measure,
    selection,
    names: createNames(state),
    palette: createPalette(),
    keys: createKeys(),
    pictures: createPictures(),
    tip: createTips(),
    toasts,
    copy: createCopy(toasts),
    imported: opened.imported ?? [],
    historyOf: opened.hasStore ? historyOf : null,
    note: opened.shared?.note ?? '',
  };
}
