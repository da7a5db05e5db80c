import { type JSX, Show } from 'solid-js';
import type { App } from '../app/app';
import { Icon, type IconName } from '../components/icon';
import { IconButton } from '../components/icon_button';
import { Mark } from '../components/mark';
import { MenuButton, type MenuItem } from '../components/menu';
import { Segmented } from '../components/segmented';
import { themeItems } from '../components/theme_items';
import { oldTitle, profileTitle } from '../model/history_state';
import { EventPicker } from './event_picker';
import './header.css';

function numbersChoices() {
  return [
    { value: 'absolute' as const, label: '123', hint: 'Absolute costs' },
    { value: 'relative' as const, label: '%', hint: 'Percent of the total' },
    {
      value: 'parent' as const,
      label: (
        <>
          %<span class="header-wide"> of parent</span>
          <span class="header-narrow">↑</span>
        </>
      ),
      hint: 'Percent of the parent: caller, function or group',
    },
  ];
}

function settings(app: App): MenuItem[] {
  const { state } = app;
  const has = app.profile().has;
  return [
    { kind: 'title', label: 'Names and costs' },
    {
      kind: 'check',
      label: 'Shorten names',
      key: 't',
      get checked() {
        return state.shorten;
      },
      run: () => app.navigation.update({ shorten: !state.shorten }, 'replace'),
    },
    {
      kind: 'check',
      label: 'Detect cycles',
      get checked() {
        return state.cycles;
      },
      run: () => app.navigation.update({ cycles: !state.cycles }),
    },
    ...(has.before
      ? [
          {
            kind: 'check' as const,
            label: 'Compare',
            get checked() {
              return state.compare;
            },
            run: () => app.navigation.update({ compare: !state.compare }),
          },
        ]
      : []),
    ...themeItems(),
  ];
}

export function Header(props: {
  app: App;
  onFacts(): void;
  onSearch(): void;
  onHelp(): void;
  onShare(): void;
  openItems: () => MenuItem[];
  saveItems: () => MenuItem[];
}): JSX.Element {
  const { app } = props;
  return (
    <header class="header">
      <div class="header-left">
        <IconButton
          icon="back"
          label="Back"
          title="Back (Alt+Left)"
          disabled={!app.navigation.history.canBack()}
          onPress={() => app.navigation.history.back()}
        />
        <IconButton
          icon="forward"
          label="Forward"
          title="Forward (Alt+Right)"
          disabled={!app.navigation.history.canForward()}
          onPress={() => app.navigation.history.forward()}
        />
        <Show when={app.historyOf}>
          {of => (
            <a class="button quiet" href={of()()} title="History" aria-label="History">
              <Icon name="history" />
            </a>
          )}
        </Show>
        <h1 class="header-title">
          <button type="button" class="button quiet" title="About this profile" onClick={() => props.onFacts()}>
            <Mark />
            <span class="name header-name">{profileTitle(app.profile())}</span>
            <Show when={app.measure.comparing()}>
              <span class="name header-before">compared with {oldTitle(app.profile())}</span>
            </Show>
          </button>
        </h1>
      </div>
      <div class="header-right">
        <button
          type="button"
          class="button header-search"
          title="Go to a function, file or view ( / )"
          onClick={() => props.onSearch()}
        >
          <Icon name="search" />
          <span class="muted">Go to…</span>
          <kbd>/</kbd>
        </button>
        <EventPicker app={app} />
        <Segmented
          label="Cost format"
          choices={numbersChoices()}
          value={app.state.relative}
          onChange={relative => app.navigation.showNumbers(relative)}
        />
        <IconMenu icon="sliders" label="Settings" items={() => settings(app)} />
        <IconButton icon="share" label="Share" title="Share" onPress={() => props.onShare()} />
        <IconMenu icon="download" label="Save" items={props.saveItems} />
        <Show when={props.openItems().length > 0}>
          <IconMenu icon="open" label="Open" title="Open a profile, or compare" items={props.openItems} />
        </Show>
        <IconButton icon="help" label="Help" title="Help ( ? )" onPress={() => props.onHelp()} />
      </div>
    </header>
  );
}

function IconMenu(props: { icon: IconName; label: string; title?: string; items: () => MenuItem[] }): JSX.Element {
  return (
    <MenuButton
      label={props.label}
      name={props.label}
      title={props.title ?? props.label}
      align="end"
      button={<Icon name={props.icon} />}
      items={props.items}
    />
  );
}
