// The event type in use, what 100 % is, and formatting of costs.

import { type Accessor, createMemo } from 'solid-js';
import { brief, exact, inUnit, percent } from '../model/format';
import { columnsOf, type State } from '../model/state';
import { type Cost, share } from '../protocol/cost';
import type { Answer, ProfileAnswer } from '../protocol/protocol';
import type { Answers, Asked } from './answers';

export interface Measure {
  event: Accessor<string>; // an event type or a formula, never null
  columns: Accessor<string[]>; // with the second event; further columns of lists come after these (columnsOf)
  comparing: Accessor<boolean>;
  totals: Asked<Answer<{ ask: 'functions' }>>; // rejects if a filter or a formula is wrong
  base(column?: number, ofBefore?: boolean): Cost; // what is 100 %; 0: nothing is
  total(column?: number): Cost | null; // null: unknown, or not additive
  cell(cost: Cost | null, parent?: Cost, column?: number, ofBefore?: boolean): string; // in a table: exact, or in its unit, or a percentage
  label(cost: Cost | null, parent?: Cost, column?: number): string; // in a picture: brief, or a percentage
  spelled(cost: Cost, of?: number | string): string; // exact, or in its unit: of a column, or an event type by its name
  full(cost: Cost, column?: number, ofBefore?: boolean): string; // in a tooltip: "1,234,567 Ir (12.34 %)"
}

export function createMeasure(answers: Answers, profile: Accessor<ProfileAnswer>, state: State): Measure {
  const columns = createMemo(() => columnsOf({ ...state, more: [] }, profile().event));
  const allColumns = createMemo(() => columnsOf(state, profile().event));
  const totals = answers.follow(() => answers.question({ ask: 'functions', limit: 1, columns: allColumns() }));

  function known(member: 'base' | 'base_before' | 'total', column: number): Cost | null {
    const name = allColumns()[column] ?? '';
    const list = totals.error() ? undefined : totals.value();
    const place = list?.columns.indexOf(name) ?? -1;
    const type = profile().events.find(one => one.name === name);
    return (
      (place >= 0 ? list?.[member]?.[place] : undefined) ?? (member === 'base_before' ? null : type?.[member]) ?? null
    );
  }
  function spelled(cost: Cost, of: number | string, spell: (cost: Cost) => string): string {
    const name = typeof of === 'number' ? allColumns()[of] : of;
    const type = profile().events.find(one => one.name === name);
    return type?.base_unit && type.scale ? inUnit(cost, type.base_unit, type.scale) : spell(cost);
  }
  const base = (column = 0, ofBefore = false) => known(ofBefore ? 'base_before' : 'base', column) ?? 0;

  function write(
    cost: Cost | null,
    spell: (cost: Cost) => string,
    parent: Cost | undefined,
    column: number,
    ofBefore = false,
  ): string {
    if (cost === null) return '–';
    if (state.relative === 'absolute') return spelled(cost, column, spell);
    return percent(share(cost, state.relative === 'parent' && parent !== undefined ? parent : base(column, ofBefore)));
  }

  return {
    event: () => state.event ?? profile().event,
    columns,
    // A problem is that of the usual event type.
    comparing: () => profile().has.before && state.compare && (state.event !== null || !profile().before?.problem),
    totals,
    base,
    total: (column = 0) => known('total', column),
    cell: (cost, parent, column = 0, ofBefore = false) => write(cost, exact, parent, column, ofBefore),
    spelled: (cost, of = 0) => spelled(cost, of, exact),
    label: (cost, parent, column = 0) => write(cost, brief, parent, column),
    full(cost, column = 0, ofBefore = false) {
      const part = share(cost, base(column, ofBefore));
      const text = spelled(cost, column, () => '');
      const more = [text, part === null ? '' : percent(part)].filter(one => one !== '').join(', ');
      return `${exact(cost)} ${allColumns()[column] ?? ''}${more && ` (${more})`}`;
    },
  };
}
