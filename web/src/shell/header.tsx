import { type JSX, Show } from 'solid-js';
import type { App } from '../app';
import { Icon } from '../components/icon';
import { MenuButton, type MenuItem } from '../components/menu';
import { Segmented } from '../components/segmented';
import type { Theme } from '../model/state';
import { printable } from '../model/visible';
import { set_theme, theme } from '../theme';
import { EventPicker } from './event_picker';
import './header.css';

export function Mark(): JSX.Element {
  return (
    <svg class="mark" viewBox="0 0 16 16" width="18" height="18" aria-hidden="true">
      <path d="M1 11.5h14v3H1zM3.5 6.5h9v3h-9zM6 1.5h4v3H6z" />
    </svg>
  );
}

function numbers_choices() {
  return [
    { value: 'absolute' as const, label: '123', hint: 'Numbers as they are' },
    { value: 'relative' as const, label: '%', hint: 'Parts of the total' },
    {
      value: 'parent' as const,
      label: (
        <>
          %<span class="header-wide"> of parent</span>
          <span class="header-narrow">↑</span>
        </>
      ),
      hint: 'Parts of the caller, function or group they are in',
    },
  ];
}

function settings(app: App): MenuItem[] {
  const { state } = app;
  const has = app.profile().has;
  const themes: { value: Theme; label: string }[] = [
    { value: 'system', label: 'As the system' },
    { value: 'light', label: 'Light' },
    { value: 'dark', label: 'Dark' },
  ];
  return [
    { kind: 'title', label: 'Names and costs' },
    {
      kind: 'check',
      label: 'Shorten template arguments',
      key: 't',
      get checked() {
        return state.shorten;
      },
      run: () => app.update({ shorten: !state.shorten }, 'replace'),
    },
    {
      kind: 'check',
      label: 'Detect cycles',
      get checked() {
        return state.cycles;
      },
      run: () => app.update({ cycles: !state.cycles }),
    },
    ...(has.contexts
      ? [
          {
            kind: 'check' as const,
            label: 'Fold recursion and callers in names',
            get checked() {
              return state.contexts === 'fold';
            },
            run: () => app.update({ contexts: state.contexts === 'fold' ? 'keep' : 'fold' }),
          },
        ]
      : []),
    ...(has.before
      ? [
          {
            kind: 'check' as const,
            label: 'Compare',
            get checked() {
              return state.compare;
            },
            run: () => app.update({ compare: !state.compare }),
          },
        ]
      : []),
    { kind: 'title', label: 'Theme' },
    ...themes.map(
      ({ value, label }): MenuItem => ({
        kind: 'radio',
        label,
        checked: theme() === value,
        run: () => set_theme(value),
      }),
    ),
  ];
}

export function Header(props: {
  app: App;
  on_facts(): void;
  on_search(): void;
  on_help(): void;
  open_items: () => MenuItem[];
  save_items: () => MenuItem[];
}): JSX.Element {
  const { app } = props;
  return (
    <header class="header">
      <div class="header-left">
        <button
          type="button"
          class="button quiet"
          aria-label="Back"
          title="Back (Alt+Left)"
          disabled={!app.place.can_back()}
          onClick={() => app.place.back()}
        >
          <Icon name="back" />
        </button>
        <button
          type="button"
          class="button quiet"
          aria-label="Forward"
          title="Forward (Alt+Right)"
          disabled={!app.place.can_forward()}
          onClick={() => app.place.forward()}
        >
          <Icon name="forward" />
        </button>
        <h1 class="header-title">
          <button type="button" class="button quiet" title="About this profile" onClick={() => props.on_facts()}>
            <Mark />
            <span class="name header-name">{printable(app.profile().title, 200)}</span>
            <Show when={app.comparing() && app.profile().before}>
              {before => (
                <span class="name header-before">
                  compared with {printable(before().files[0]?.name ?? before().title, 120)}
                </span>
              )}
            </Show>
          </button>
        </h1>
      </div>
      <div class="header-right">
        <button
          type="button"
          class="button header-search"
          title="Go to a function, file or view ( / )"
          onClick={() => props.on_search()}
        >
          <Icon name="search" />
          <span class="muted">Go to…</span>
          <kbd>/</kbd>
        </button>
        <EventPicker app={app} />
        <Segmented
          label="How numbers are shown"
          choices={numbers_choices()}
          value={app.state.relative}
          on_change={relative => app.update({ relative }, 'replace')}
        />
        <MenuButton
          label="Settings"
          name="Settings"
          title="Settings"
          class="button quiet"
          align="end"
          button={<Icon name="sliders" />}
          items={() => settings(app)}
        />
        <MenuButton
          label="Save"
          name="Save"
          title="Save"
          class="button quiet"
          align="end"
          button={<Icon name="download" />}
          items={props.save_items}
        />
        <Show when={props.open_items().length > 0}>
          <MenuButton
            label="Open"
            name="Open"
            title="Open a profile, or compare"
            class="button quiet"
            align="end"
            button={<Icon name="open" />}
            items={props.open_items}
          />
        </Show>
        <button
          type="button"
          class="button quiet"
          aria-label="Keys and help"
          title="Keys and help ( ? )"
          onClick={() => props.on_help()}
        >
          <Icon name="help" />
        </button>
      </div>
    </header>
  );
}
