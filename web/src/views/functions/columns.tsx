// The columns of the list of functions: those that the user chose, and of the others as many as leave room for names.

import { createMemo, createSignal } from 'solid-js';
import type { App } from '../../app/app';
import { recall, remember } from '../../app/storage';
import { ChangeCell } from '../../components/change_cell';
import {
  calledText,
  changeColumn,
  costColumn,
  costHint,
  nameColumn,
  numberRoom,
  placeColumn,
  placeOf,
} from '../../components/function_columns';
import type { Column } from '../../components/grid';
import { useIsPhone } from '../../components/media';
import type { MenuItem } from '../../components/menu';
import { fontWidths } from '../../components/name_title';
import { NumberCell } from '../../components/number_cell';
import { brief, exact, percent } from '../../model/format';
import { printable } from '../../model/visible';
import { type Cost, share } from '../../protocol/cost';
import type { FunctionRow, ListAnswer } from '../../protocol/protocol';

// Pixels: with less, columns go that can be done without; places are cut before names have less than enough.
const leastName = 240;
const enoughName = 330;
const leastPlace = 80;
const gap = 12; // between columns
const longestCount = 11; // characters; longer ones are made brief

// What is done without, first what is least needed. All of it is in the details, too.
const dispensable = [['object'], ['per_call'], ['inlined'], ['called']];
const dispensableInComparison = [
  ['called_change'],
  ['inlined'],
  ['called'],
  ['self_before', 'inclusive_before'],
  ['object'],
];

// Only what the columns depend on, so that they are made anew only if it changes: usual widths, and what has become wider
// stays so.
function useWidths(rows: () => readonly FunctionRow[], areAll: () => boolean, mostOfPlace: () => number) {
  const object = createMemo(() => {
    const objects = new Set(rows().map(row => row.object));
    return objects.size === 1 ? rows()[0]?.object : undefined;
  });
  const isOnePlace = createMemo(() => areAll() && new Set(rows().map(row => placeOf(row))).size === 1);
  const longest = (least: number, length: (row: FunctionRow) => number) =>
    createMemo<number>(before => rows().reduce((most, row) => Math.max(most, length(row)), before), least);
  return {
    object,
    isOnePlace,
    place: longest(16, row => placeOf(row, mostOfPlace(), object()).length),
    called: longest(8, row => calledText(row).length),
    perCall: longest(9, row => (row.per_call === null ? 1 : exact(row.per_call).length)),
  };
}

export interface Columns {
  columns: Column<FunctionRow>[];
  minWidth: number; // pixels
  namesFirst: boolean; // and they stay when the others are scrolled
}

export function useColumns(
  app: App,
  events: () => string[],
  list: () => ListAnswer<FunctionRow> | undefined,
  sortedBy: () => string,
  onNameRoom: (characters: number) => void,
): () => Columns {
  const has = () => app.profile().has;
  const isPhone = useIsPhone();
  const [table, setTable] = createSignal(Number.POSITIVE_INFINITY); // pixels
  const rows = () => list()?.rows ?? [];
  const mostOfPlace = () => Math.floor(table() / 5 / fontWidths().character); // characters
  const widths = useWidths(rows, () => (list()?.matching ?? 0) <= rows().length, mostOfPlace);
  const room = () => (isPhone() ? 7 : undefined);
  const groupSelf = () => (app.state.group.name === null ? undefined : list()?.listed_self);
  function ofEvent(place: number, kinds: ('self' | 'inclusive')[]): Column<FunctionRow>[] {
    const event = place === 0 ? '' : events()[place]!;
    const id = (kind: string) => (event ? `${kind}:${event}` : kind);
    const suffix = event ? ` ${printable(event, 24)}` : '';
    return kinds.flatMap(kind => {
      const title = (kind === 'self' ? 'Self' : 'Inclusive') + suffix;
      const before = (row: FunctionRow) => (kind === 'self' ? row.self_before : row.inclusive_before);
      const now = costColumn<FunctionRow>(app, {
        id: id(kind),
        title,
        hint: kind === 'self' ? 'Cost of its own code' : 'Self cost and cost of all calls made',
        of: row => row[kind],
        column: place,
        parent: kind === 'self' ? () => groupSelf()?.[place] ?? undefined : undefined,
        sortable: true,
        room: room(),
        largest: () => list()?.largest[place]?.[kind],
        bounds: row => row[`${kind}_bounds`],
        wholes: row => [
          ...(kind === 'self' ? [{ name: 'its inclusive cost', cost: row.inclusive[place] }] : []),
          ...(kind === 'self' ? [{ name: 'the group', cost: groupSelf()?.[place] }] : []),
        ],
      });
      if (!app.measure.comparing()) return [now];
      const old = costColumn<FunctionRow>(app, {
        id: id(`${kind}_before`),
        title: kind === 'self' ? 'Self before' : 'Inclusive before',
        of: row => before(row) ?? [],
        column: place,
        isBefore: true,
        bounds: row => row[`${kind}_bounds_before`],
        room: Math.max(10, numberRoom(app, place)), // for its title
        largest: () => list()?.largest[place]?.[kind],
      });
      const delta = changeColumn<FunctionRow>(app, {
        id: id(`${kind}_change`),
        title: `Δ ${title.toLowerCase()}`,
        hint: 'Change: ▲ more, ▼ less; sorted by magnitude',
        after: row => row[kind],
        before,
        column: place,
        bounds: row => row[`${kind}_bounds`] ?? row[`${kind}_bounds_before`],
        sortable: true,
        room: room(),
        largest: () => list()?.largest[place]?.[`${kind}_change`],
      });
      if (isPhone()) return [delta];
      return [old, now, delta];
    });
  }
  const called = (): Column<FunctionRow> => ({
    id: 'called',
    title: 'Called',
    hint: has().inlined
      ? 'Call count; ≥ if some calls were not counted, ~ how often inlined code was entered'
      : 'Call count; ≥ if some calls were not counted',
    numeric: true,
    sortable: true,
    width: `${Math.min(widths.called(), longestCount) + 1}ch`,
    cell: row => (
      <NumberCell
        text={briefIfLong(calledText(row), row.called ?? row.entries ?? null, row.called === null)}
        quiet={row.called === 0}
      />
    ),
  });
  const calledChange = (): Column<FunctionRow> => ({
    id: 'called_change',
    title: 'Δ called',
    numeric: true,
    sortable: true,
    width: '14ch',
    cell: row => <ChangeCell before={row.called_before} after={row.called} relative={false} room={12} />,
  });
  const perCall = (): Column<FunctionRow> => ({
    id: 'per_call',
    title: 'Per call',
    hint: 'Inclusive cost per call',
    numeric: true,
    sortable: true,
    width: `${Math.min(widths.perCall(), longestCount) + 1}ch`,
    cell: row => (
      <NumberCell
        text={row.per_call === null ? '–' : briefIfLong(exact(row.per_call), row.per_call)}
        quiet={row.per_call === null}
        hint={costHint(app, row.per_call, 0, () => [])}
      />
    ),
  });

  const inlined = (): Column<FunctionRow> => ({
    id: 'inlined',
    title: 'Inlined',
    hint: 'Share of its self cost that is code inlined in other functions',
    numeric: true,
    width: '8ch',
    cell: row => (
      <NumberCell
        text={row.inlined?.[0] && row.self[0] ? percent(share(row.inlined[0], row.self[0])) : ''}
        hint={costHint(app, row.inlined?.[0] ?? null, 0, () => [])}
      />
    ),
  });

  function wanted(): Column<FunctionRow>[] {
    const { calls, counts } = has();
    const both: ('self' | 'inclusive')[] = calls ? ['self', 'inclusive'] : ['self'];
    const second = app.state.second ? events().indexOf(app.state.second) : -1;
    const more = app.state.more.flatMap(column => {
      const name = column.replace(/^inclusive:/, '');
      const place = events().indexOf(name);
      return place > 0 ? ofEvent(place, [column === name ? 'self' : 'inclusive']) : [];
    });
    const comparing = app.measure.comparing();
    if (isPhone()) return [...ofEvent(0, both), ...more];
    return [
      ...ofEvent(0, both),
      ...(second > 0 ? ofEvent(second, both) : []),
      ...more,
      ...(has().inlined ? [inlined()] : []),
      ...(counts ? [called()] : []),
      ...(counts && comparing ? [calledChange()] : []),
      ...(counts && calls && !comparing ? [perCall()] : []),
    ];
  }

  return createMemo<Columns>(() => {
    const { digit, character } = fontWidths();
    const pixels = (column: Column<FunctionRow>) => Number.parseFloat(column.width) * digit + gap;
    const numbers = wanted();
    const places = isPhone() || widths.isOnePlace() ? 0 : Math.min(widths.place(), mostOfPlace()) * character + 8;
    const shown = new Set([...numbers.map(column => column.id), ...(places > 0 ? ['object'] : [])]);
    const taken = () =>
      numbers.filter(column => shown.has(column.id)).reduce((sum, column) => sum + pixels(column), 2 * gap) +
      (shown.has('object') ? leastPlace + gap : 0);
    const goes = isPhone() ? [] : app.measure.comparing() ? dispensableInComparison : dispensable;
    for (const ids of goes)
      if (taken() + leastName > table())
        for (const column of [...shown])
          if (ids.includes(column.split(':')[0]!) && column !== sortedBy()) shown.delete(column);
    const minWidth = taken() + (isPhone() ? 128 : 176);
    const namesFirst = isPhone() || app.measure.comparing() || minWidth > table();
    const ofPlace = Math.min(places, Math.max(leastPlace, table() - taken() - enoughName + leastPlace));
    const placeText = (row: FunctionRow) => placeOf(row, Math.floor((ofPlace - 8) / character), widths.object());
    const name = nameColumn<FunctionRow>(app, {
      width: isPhone() ? 'minmax(8rem, 1fr)' : undefined,
      onGo: isPhone() ? undefined : row => app.selection.activate(row, has().calls ? 'callers' : 'source'),
      found: () => app.state.search,
      onRoom(characters, width) {
        setTable(width);
        onNameRoom(characters);
      },
    });
    const kept = numbers.filter(column => shown.has(column.id));
    const place = shown.has('object') ? [placeColumn(`${Math.round(ofPlace)}px`, placeText)] : [];
    return { columns: namesFirst ? [name, ...kept, ...place] : [...kept, name, ...place], minWidth, namesFirst };
  });
}

function briefIfLong(text: string, number: Cost | null, isAbout = false): string {
  return number !== null && text.length > longestCount ? (isAbout ? '~' : '') + brief(number) : text;
}

export function columnItems(app: App): MenuItem[] {
  const shown = (column: string) => app.state.more.includes(column);
  const item = (column: string, label: string, detail?: string): MenuItem => ({
    kind: 'check',
    label: printable(label, 60),
    detail: detail && printable(detail, 60),
    get checked() {
      return shown(column);
    },
    run() {
      const more = shown(column) ? app.state.more.filter(one => one !== column) : [...app.state.more, column];
      remember('columns', more.join('\n') || null);
      app.navigation.update({ more }, 'replace');
    },
  });
  const others = app
    .profile()
    .events.filter(type => type.name !== app.measure.event() && type.name !== app.state.second);
  if (others.length === 0) return [{ kind: 'title', label: 'There is only one event type' }];
  return [
    { kind: 'title', label: 'Self cost' },
    ...others.map(type => item(type.name, type.name, type.long_name)),
    ...(app.profile().has.calls
      ? [
          { kind: 'title' as const, label: 'Inclusive cost' },
          ...others
            .filter(type => type.additive)
            .map(type => item(`inclusive:${type.name}`, type.name, type.long_name)),
        ]
      : []),
  ];
}

// As they were chosen last, of those that this profile has; unless the address says which.
export function recallColumns(app: App) {
  const isKnown = (column: string) =>
    app
      .profile()
      .events.some(type => type.name === column.replace(/^inclusive:/, '') && type.name !== app.measure.event());
  const more = (recall('columns') ?? '').split('\n').filter(isKnown);
  if (app.state.more.length === 0 && more.length > 0) app.navigation.update({ more }, 'replace');
}
