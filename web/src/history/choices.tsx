// Which costs of which entries: menus of what the series has.

import { For, type JSX, Show } from 'solid-js';
import { MenuButton, type MenuItem } from '../components/menu';
import { PopoverButton } from '../components/popover';
import { day } from '../model/format';
import type { HistoryState } from '../model/history_state';
import { printable } from '../model/visible';
import type { SeriesAnswer } from '../protocol/protocol';
import type { HistoryPage } from './history_page';

// Of the last day, all of it.
const dates = [
  { label: 'From', member: 'since', last: 0, day: 0 },
  { label: 'To', member: 'until', last: 1, day: 86_400 },
] as const;

export function Choices(props: { page: HistoryPage; answer: SeriesAnswer | undefined }): JSX.Element {
  const { state, go } = props.page;
  const radio = (label: string, checked: boolean, part: Partial<HistoryState>): MenuItem => ({
    kind: 'radio',
    label: printable(label, 100),
    checked,
    run: () => go(part),
  });
  const menus = () => {
    const { event = '', events = [], branch = '', branches = [], machines = [], tags = [] } = props.answer ?? {};
    const shownBranch = state.allBranches ? '' : state.branch || branch;
    const hasTag = (tag: string) => state.tags.includes(tag);
    return [
      {
        label: 'Event type',
        text: state.event || event,
        count: events.length,
        items: () => events.map(one => radio(one, one === (state.event || event), { event: one })),
      },
      {
        label: 'Branch',
        text: shownBranch || 'All branches',
        count: branches.length,
        items: () => [
          ...branches.map(one => radio(one, one === shownBranch, { branch: one, allBranches: false })),
          radio('All branches', !shownBranch, { branch: '', allBranches: true }),
        ],
      },
      {
        label: 'Machine',
        text: state.machine || 'All machines',
        count: machines.length,
        items: () => [
          ...machines.map(one => radio(one, one === state.machine, { machine: one })),
          radio('All machines', !state.machine, { machine: '' }),
        ],
      },
      {
        label: 'Tags',
        text: state.tags.join(', ') || 'All tags',
        count: tags.length + 1,
        items: () => [
          ...tags.map(one =>
            radio(one, hasTag(one), {
              tags: hasTag(one) ? state.tags.filter(tag => tag !== one) : [...state.tags, one],
            }),
          ),
          radio('All tags', state.tags.length === 0, { tags: [] }),
        ],
      },
    ].filter(({ count }) => count > 1);
  };
  const range = () => {
    if (!state.since && !state.until) return 'All time';
    return dates.map(({ member, last }) => (state[member] ? day(state[member] - last) : '…')).join(' – ');
  };
  return (
    <div class="history-choices">
      <For each={menus()}>
        {menu => (
          <MenuButton
            label={menu.label}
            title={menu.label}
            class="button"
            text={<span class="name choice-text">{printable(menu.text, 100)}</span>}
            items={menu.items}
          />
        )}
      </For>
      <PopoverButton label="Time" title="Time" class="button" text={range()}>
        {close => (
          <div class="history-dates">
            <For each={dates}>
              {({ label, member, last, day: aDay }) => (
                <label>
                  {label}{' '}
                  <input
                    type="date"
                    class="field"
                    value={state[member] ? day(state[member] - last) : ''}
                    onChange={event => {
                      const from = Date.parse(`${event.currentTarget.value}T00:00Z`) / 1000;
                      go({ [member]: from ? from + aDay : 0 });
                    }}
                  />
                </label>
              )}
            </For>
            <Show when={state.since || state.until}>
              <button
                type="button"
                class="button"
                onClick={() => {
                  go({ since: 0, until: 0 });
                  close();
                }}
              >
                All time
              </button>
            </Show>
          </div>
        )}
      </PopoverButton>
    </div>
  );
}
