// What is around every view.

import {
  createEffect,
  createSignal,
  ErrorBoundary,
  For,
  type JSX,
  Match,
  on,
  onCleanup,
  onMount,
  Show,
  Switch,
} from 'solid-js';
import { Dynamic } from 'solid-js/web';
import type { App } from '../app/app';
import { Banner } from '../components/banner';
import { EmptyState } from '../components/empty_state';
import { Icon } from '../components/icon';
import { useIsPhone } from '../components/media';
import { MenuButton, type MenuItem } from '../components/menu';
import { Problem, ProblemLines } from '../components/problem';
import { TooltipLayer } from '../components/tooltip';
import { oldTitle, profileTitle } from '../model/history_state';
import { atLevel, hasLevels, levels, nextLevel } from '../model/levels';
import { missingView, nothingMeasured, offeredViews, type View, viewOf } from '../model/views';
import { cut, printable } from '../model/visible';
import type { Input } from '../opening/opening';
import { CallcostError } from '../protocol/callcost_error';
import type { Level } from '../protocol/protocol';
import { components } from '../views/registry';
import { Banners } from './banners';
import type { DropTarget } from './drop_layer';
import { DiagnosticsDialog, FactsDialog } from './facts';
import { FilterBar, FilterProblem, FindBar } from './filter_bar';
import { FunctionChooser } from './function_chooser';
import { Header } from './header';
import { Help } from './help';
import { onPageKey, type PageKeys } from './keyboard';
import { type Command, Palette } from './palette';
import { saveItems } from './save';
import { ShareDialog } from './share';
import './shell.css';
import { StatusBar } from './status_bar';

// An error in a view leaves the other views usable.
function ViewOf(props: { app: App }): JSX.Element {
  const view = () => viewOf(props.app.state.view);
  return (
    <ErrorBoundary
      fallback={(reason, reset) => {
        createEffect(on(view, reset, { defer: true }));
        return <Problem error={reason instanceof Error ? reason : new Error(String(reason))} />;
      }}
    >
      <Dynamic component={components[view().id]} app={props.app} />
    </ErrorBoundary>
  );
}

function Tabs(props: { app: App; offered: readonly View[] }): JSX.Element {
  return (
    <For each={props.offered}>
      {one => (
        <button
          type="button"
          class="shell-tab"
          aria-current={one === viewOf(props.app.state.view) ? 'page' : undefined}
          title={`${one.title} ( ${one.key} )`}
          onClick={() => props.app.navigation.go(one.id)}
        >
          {one.title}
        </button>
      )}
    </For>
  );
}

type DialogName = 'share' | 'help' | 'palette' | 'facts' | 'diagnostics';

export function Shell(props: {
  app: App;
  problem: string;
  onProblemSeen(): void;
  onOpen: ((target: DropTarget) => void) | null;
  onSwap: (() => void) | null;
  inputs: Input[];
}): JSX.Element {
  const { app } = props;
  const [dialog, setDialog] = createSignal<DialogName | null>(null);
  const view = () => viewOf(app.state.view);
  const isPhone = useIsPhone();
  const offered = () => offeredViews(app.profile());
  const missing = () => nothingMeasured(app.profile()) ?? view().missing?.(app.profile()) ?? null;
  let main!: HTMLElement;
  const [filtering, setFiltering] = createSignal(false);
  const hasFilters = () => filtering() || app.state.chips.length > 0;

  const share = () => setDialog('share');
  const levelLabel = () => levels.find(one => one.level === app.state.level)!.label;
  const setLevel = (level: Level) => app.navigation.update(atLevel(app.state, level));
  const levelItems = (): MenuItem[] =>
    levels.map(({ level, label }) => ({
      kind: 'radio',
      label,
      checked: app.state.level === level,
      run: () => setLevel(level),
    }));

  const findField = () => document.querySelector<HTMLInputElement>('[data-find]');
  const keys: PageKeys = {
    palette: () => setDialog('palette'),
    help: () => setDialog('help'),
    filter: () => setFiltering(true),
    find: () => findField()?.focus(),
    view(key) {
      const wanted = offered().find(one => one.key === key);
      if (wanted) app.navigation.go(wanted.id);
      return wanted !== undefined;
    },
    shorten: () => app.navigation.update({ shorten: !app.state.shorten }, 'replace'),
    level: () => hasLevels(app.state.view) && setLevel(nextLevel(app.state.level)),
    relative() {
      const next = { absolute: 'relative', relative: 'parent', parent: 'absolute' } as const;
      app.navigation.showNumbers(next[app.state.relative]);
    },
    escape() {
      if (app.tip.now()) app.tip.hide();
      else if (app.state.search) app.navigation.update({ search: '' }, 'replace');
    },
    intoView: event => intoView(event),
  };
  const lists = '[role=grid], [role=treegrid], [role=tree], [role=listbox], .picture-area';
  const mainList = () =>
    [...main.querySelectorAll<HTMLElement>('[tabindex="0"]')].find(one => one.matches(lists)) ?? null;
  // The list or picture of the view gets the key as if it had had the focus.
  function intoView({ key, shiftKey }: KeyboardEvent): boolean {
    const focused = document.activeElement;
    if (focused && focused !== document.body && focused !== main) return false;
    const list = mainList();
    if (!list) return false;
    list.focus();
    list.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey, bubbles: true, cancelable: true }));
    return true;
  }
  const onKey = (event: KeyboardEvent) => onPageKey(app.navigation.history, app.keys, keys, dialog() !== null, event);
  onMount(() => {
    document.addEventListener('keydown', onKey);
    onCleanup(() => document.removeEventListener('keydown', onKey));
  });
  createEffect(() => {
    const old =
      app.measure.comparing() && app.profile().entry_before ? `, compared with ${oldTitle(app.profile())}` : '';
    document.title = `${cut(profileTitle(app.profile()), 80)}${old} – callcost`;
  });
  createEffect(on(() => app.state.view, app.tip.hide, { defer: true }));

  const openItems = (): MenuItem[] => {
    const open = props.onOpen;
    if (!open) return [];
    const swap = props.onSwap;
    return [
      { label: 'Open…', run: () => open('open') },
      { label: 'Compare with older…', detail: 'this one is after', run: () => open('older') },
      { label: 'Compare with newer…', detail: 'this one is before', run: () => open('newer') },
      ...(swap ? [{ label: 'Swap before and after', run: swap }] : []),
    ];
  };
  const historyCommands = (): Command[] => {
    const { historyOf } = app;
    const { selection } = app.state;
    if (!historyOf) return [];
    const ofSelected = { label: 'History of the selected function', run: () => location.assign(historyOf(selection)) };
    return [{ label: 'History', run: () => location.assign(historyOf()) }, ...(selection ? [ofSelected] : [])];
  };
  const commands = (): Command[] => [
    ...historyCommands(),
    { label: 'About this profile', run: () => setDialog('facts') },
    { label: 'Diagnostics', run: () => setDialog('diagnostics') },
    ...levels
      .filter(one => hasLevels(app.state.view) && one.level !== app.state.level)
      .map(({ level, label }): Command => ({ label: `Level: ${label}`, key: 'l', run: () => setLevel(level) })),
    { label: 'Remove all filters', run: () => app.navigation.update({ chips: [] }) },
    { label: 'Share', run: share },
    { label: 'Keys and terms', key: '?', run: () => setDialog('help') },
    ...openItems().flatMap(item => ('run' in item ? [{ label: item.label, run: item.run }] : [])),
    ...saveItems(app, props.inputs, share).flatMap(item =>
      'run' in item ? [{ label: /^Copy/.test(item.label) ? item.label : `Save: ${item.label}`, run: item.run }] : [],
    ),
  ];

  return (
    <div class="shell">
      <a
        class="skip-link"
        href="#view"
        onClick={event => {
          event.preventDefault();
          (main.querySelector<HTMLElement>('[tabindex="0"], input, button') ?? main).focus();
        }}
      >
        Skip to the view
      </a>
      <Header
        app={app}
        onFacts={() => setDialog('facts')}
        onSearch={() => setDialog('palette')}
        onHelp={() => setDialog('help')}
        onShare={share}
        openItems={openItems}
        saveItems={() => saveItems(app, props.inputs, share)}
      />
      <div class="shell-bar">
        <nav class="shell-views" aria-label="Views">
          <Show when={isPhone()} fallback={<Tabs app={app} offered={offered()} />}>
            <MenuButton
              label="Views"
              class="button quiet shell-menu"
              text={view().title}
              items={() =>
                offered().map(one => ({
                  kind: 'radio',
                  label: one.title,
                  checked: one === view(),
                  run: () => app.navigation.go(one.id),
                }))
              }
            />
          </Show>
        </nav>
        <Show when={hasLevels(app.state.view)}>
          <MenuButton
            label="Level"
            name={`Level: ${levelLabel()}`}
            title="What functions are taken together by ( l )"
            class="button quiet shell-level"
            text={isPhone() ? undefined : levelLabel()}
            button={isPhone() ? <Icon name="layers" /> : undefined}
            items={levelItems}
          />
        </Show>
        <FindBar
          app={app}
          onLeave={() => mainList()?.focus()}
          filtersShown={hasFilters()}
          onFilter={() => setFiltering(!filtering())}
        />
      </div>
      <Banners app={app} onDiagnostics={() => setDialog('diagnostics')} />
      <Show when={hasFilters()}>
        <FilterBar app={app} focus={filtering()} onClose={() => setFiltering(false)} />
      </Show>
      <FilterProblem app={app} />
      <Show when={app.state.chips.length > 0 && view().unfiltered}>
        {part => (
          <p class="filter-note" role="note">
            Filters do not apply to {part()}: its costs are unfiltered.
          </p>
        )}
      </Show>
      <Show when={props.problem}>
        <Banner is="error" onClose={() => props.onProblemSeen()}>
          <ProblemLines text={props.problem} />
        </Banner>
      </Show>
      <main class="shell-view" id="view" ref={main} tabindex="-1" aria-label={view().title}>
        <Switch fallback={<ViewOf app={app} />}>
          <Match when={app.measure.totals.error() instanceof CallcostError}>
            <p class="view-note">Correct the error above to continue.</p>
          </Match>
          <Match when={missingView(app.state.view, app.profile())}>
            {one => (
              <EmptyState title={one().title} text={printable(one().text)}>
                <button type="button" class="button" onClick={() => app.navigation.go('functions')}>
                  Show the functions
                </button>
              </EmptyState>
            )}
          </Match>
          <Match when={missing()}>{one => <EmptyState {...one()} />}</Match>
          <Match when={view().ofFunction && !view().withoutFunction && app.selection.selected() === null}>
            <FunctionChooser app={app} view={view()} />
          </Match>
        </Switch>
      </main>
      <StatusBar app={app} onDiagnostics={() => setDialog('diagnostics')} />
      <Switch>
        <Match when={dialog() === 'help'}>
          <Help version={app.profile().version} onClose={() => setDialog(null)} />
        </Match>
        <Match when={dialog() === 'share'}>
          <ShareDialog app={app} inputs={props.inputs} onClose={() => setDialog(null)} />
        </Match>
        <Match when={dialog() === 'palette'}>
          <Palette app={app} commands={commands()} onClose={() => setDialog(null)} />
        </Match>
        <Match when={dialog() === 'facts'}>
          <FactsDialog profile={app.profile} onClose={() => setDialog(null)} />
        </Match>
        <Match when={dialog() === 'diagnostics'}>
          <DiagnosticsDialog profile={app.profile} onClose={() => setDialog(null)} />
        </Match>
      </Switch>
      <TooltipLayer tip={app.tip} />
      <div class="toasts" role="status">
        <For each={app.toasts.all()}>{toast => <div class="toast">{toast.text}</div>}</For>
      </div>
    </div>
  );
}
