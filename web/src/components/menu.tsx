import { createSignal, For, type JSX, Match, Show, Switch } from 'solid-js';
import { Icon } from './icon';
import './menu.css';
import { Popover, PopoverButton } from './popover';

export type MenuItem =
  | { kind?: 'action'; label: string; detail?: string; key?: string; disabled?: boolean; run(): void }
  | { kind: 'check' | 'radio'; label: string; detail?: string; key?: string; checked: boolean; run(): void }
  | { kind: 'title'; label: string };

function moveFocus(event: KeyboardEvent & { currentTarget: HTMLElement }) {
  const items = [
    ...event.currentTarget.querySelectorAll<HTMLElement>('[role^="menuitem"]:not([aria-disabled="true"])'),
  ];
  const at = items.indexOf(document.activeElement as HTMLElement);
  let next: number;
  if (event.key === 'ArrowDown') next = at + 1;
  else if (event.key === 'ArrowUp') next = at - 1 + (at < 0 ? 1 : 0);
  else if (event.key === 'Home') next = 0;
  else if (event.key === 'End') next = items.length - 1;
  else if (event.key.length === 1 && /\S/.test(event.key)) {
    const letter = event.key.toLowerCase();
    const order = [...items.slice(at + 1), ...items.slice(0, at + 1)];
    order.find(item => item.textContent?.trim().toLowerCase().startsWith(letter))?.focus();
    return;
  } else return;
  items[(next + items.length) % items.length]?.focus();
  event.preventDefault();
}

// Checks stay open, so that several can be set; the others close the menu.
export function MenuItems(props: { items: MenuItem[]; close(): void }): JSX.Element {
  return (
    <div class="menu" role="presentation" onKeyDown={moveFocus}>
      <For each={props.items}>
        {item => (
          <Switch>
            <Match when={item.kind === 'title' && item}>
              {title => (
                <div class="menu-title" role="presentation">
                  {title().label}
                </div>
              )}
            </Match>
            <Match when={item.kind !== 'title' && item}>
              {one => {
                const choice = () => {
                  const now = one();
                  return now.kind === 'check' || now.kind === 'radio' ? now : null;
                };
                const disabled = () => {
                  const now = one();
                  return (now.kind === undefined || now.kind === 'action') && now.disabled === true;
                };
                return (
                  <button
                    type="button"
                    class="menu-item"
                    role={choice() ? (choice()?.kind === 'radio' ? 'menuitemradio' : 'menuitemcheckbox') : 'menuitem'}
                    aria-checked={choice()?.checked}
                    aria-disabled={disabled() ? 'true' : undefined}
                    tabindex="-1"
                    onClick={() => {
                      if (disabled()) return;
                      one().run();
                      if (choice()?.kind !== 'check') props.close();
                    }}
                  >
                    <span class="menu-mark">
                      <Show when={choice()?.checked}>
                        <Icon name="check" />
                      </Show>
                    </span>
                    <span class="menu-label">{one().label}</span>
                    <Show when={one().detail}>
                      <span class="menu-detail">{one().detail}</span>
                    </Show>
                    <Show when={one().key}>
                      <kbd>{one().key}</kbd>
                    </Show>
                  </button>
                );
              }}
            </Match>
          </Switch>
        )}
      </For>
    </div>
  );
}

export function MenuButton(props: {
  label: string;
  title?: string;
  name?: string;
  button?: JSX.Element;
  text?: JSX.Element;
  class?: string;
  align?: 'start' | 'end';
  items: () => MenuItem[];
}): JSX.Element {
  return (
    <PopoverButton
      label={props.label}
      title={props.title}
      name={props.name}
      role="menu"
      class={props.class}
      align={props.align}
      button={props.button}
      text={props.text}
    >
      {close => <MenuItems items={props.items()} close={close} />}
    </PopoverButton>
  );
}

// Of a row or a box: at the pointer, or beside it.
export function useContextMenu<What>(label: string, items: (what: What) => MenuItem[]) {
  const [at, setAt] = createSignal<{ what: What; x: number; y: number } | null>(null);
  const close = () => setAt(null);
  return {
    isOpen: () => at() !== null,
    open: (what: What, x: number, y: number) => setAt({ what, x, y }),
    Menu: (): JSX.Element => (
      <Show when={at()}>
        {one => (
          <Popover at={{ x: one().x, y: one().y }} role="menu" label={label} onClose={close}>
            <MenuItems items={items(one().what)} close={close} />
          </Popover>
        )}
      </Show>
    ),
  };
}
