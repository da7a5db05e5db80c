// Text about the changes between two profiles.

import { type Cost, compare, isZero, magnitude, share, subtract } from '../protocol/cost';
import type { ChangedFunction, DifferenceAnswer, FunctionRow, InlinedFunction, Kept } from '../protocol/protocol';
import { brief, change, exact, signed } from './format';

export interface Verdict {
  direction: 'more' | 'less' | 'same';
  text: string; // "5.72 % more"
  delta: Cost;
}

// Null: event types that are not additive have no totals.
export function verdict(before: Cost | null, after: Cost | null): Verdict | null {
  if (before === null || after === null) return null;
  const { direction, delta, ratio } = change(before, after);
  if (direction === 'same') return { direction, text: 'No difference', delta };
  const word = direction === 'more' ? 'more' : 'less';
  const size = isZero(before) || isZero(after) ? exact(magnitude(delta)) : ratio.replace(/^[+\u2212]/, '');
  return { direction, text: `${size} ${word}`, delta };
}

// Self costs, net of what only moved.
export function netOf({ function: row, net, net_before: netBefore }: ChangedFunction): { before: Cost; after: Cost } {
  return { before: netBefore ?? row.self_before?.[0] ?? 0, after: net ?? row.self[0] ?? 0 };
}

export function selfChange(changed: ChangedFunction): Cost {
  const { before, after } = netOf(changed);
  return subtract(after, before);
}

export function inclusiveChange(row: FunctionRow): Cost {
  return subtract(row.inclusive[0] ?? 0, row.inclusive_before?.[0] ?? 0);
}

// Functions that became more expensive, and cheaper; largest change first.
export function increasesAndDecreases(answer: DifferenceAnswer): {
  increased: ChangedFunction[];
  decreased: ChangedFunction[];
} {
  return {
    increased: answer.changed.filter(row => selfChange(row) > 0),
    decreased: answer.changed.filter(row => selfChange(row) < 0),
  };
}

export interface Reason {
  text: string;
  delta?: Cost; // how much of the change of the inclusive cost
}

// Why the cost of a function changed: call count, cost per call, or that it is new, removed, inlined.
export function reasons(changed: ChangedFunction, inlinings: ReadonlyMap<number, InlinedFunction>): Reason[] {
  const row = changed.function;
  const inlined = inlinings.get(row.id);
  if (inlined) {
    const into = inlined.callers.slice(0, 2).map(caller => caller.name);
    const more = inlined.callers.length > into.length ? ` and ${inlined.callers.length - into.length} more` : '';
    return [{ text: `${inlined.outlined ? 'outlined from' : 'inlined into'} ${into.join(', ')}${more}` }];
  }
  if (row.match === 'added') return [{ text: 'new' }];
  if (row.match === 'removed') return [{ text: 'removed' }];
  if (changed.part) return [];
  const found: Reason[] = [];
  const { called, called_before: calledBefore } = row;
  const knowsCalls = called !== null && calledBefore !== null && calledBefore !== undefined;
  if (changed.by_count !== undefined && knowsCalls && compare(called, calledBefore) !== 0)
    found.push({ text: `called ${exact(called)}× instead of ${exact(calledBefore)}×`, delta: changed.by_count });
  const { per_call: now, per_call_before: old } = row;
  const knowsEach = now !== null && old !== null && old !== undefined && compare(old, now) !== 0;
  if (changed.by_cost !== undefined && !isZero(changed.by_cost) && knowsEach) {
    const { text, ratio } = change(old, now, brief);
    found.push({ text: `each call ${ratio || text}`, delta: changed.by_cost });
  }
  if (found.length > 0) return found;
  if (isZero(inclusiveChange(row)) && !isZero(selfChange(changed)))
    return [{ text: 'moved between it and its callees' }];
  const part = share(selfChange(changed), magnitude(netOf(changed).before));
  return part === null ? [] : [{ text: 'its own code' }];
}

export function inliningsByFunction(answer: DifferenceAnswer): Map<number, InlinedFunction> {
  return new Map(answer.inlined.rows.map(one => [one.function.id, one]));
}

const exactly = (kept: Kept) => compare(kept.least, kept.most) === 0;

// What the filters keep of both profiles: "~12,345 to 23,456 (+11,111)"; empty without filters.
export function keptText(answer: DifferenceAnswer): string {
  const { filtered_before: before, filtered: after } = answer;
  if (!before || !after) return '';
  const text = (kept: Kept) => `${exactly(kept) ? '' : '~'}${exact(kept.estimate)}`;
  return `${text(before)} to ${text(after)} (${signed(subtract(after.estimate, before.estimate))})`;
}

// The whole report as text, for a mail or a commit message.
export function reportText(answer: DifferenceAnswer, event: string, name: (row: FunctionRow) => string): string {
  const said = verdict(answer.total_before, answer.total);
  const inlinings = inliningsByFunction(answer);
  const head = !said
    ? `${event}, which is not additive`
    : said.direction === 'same'
      ? `No difference in ${event}: ${exact(answer.total ?? 0)}`
      : `${said.text} ${event}: ${exact(answer.total_before ?? 0)} to ${exact(answer.total ?? 0)} (${signed(said.delta)})`;
  const lines = answer.changed.slice(0, 20).map(row => {
    const why = reasons(row, inlinings).map(({ text, delta }) =>
      delta === undefined ? text : `${text}: ${signed(delta)}`,
    );
    return `${signed(selfChange(row)).padStart(16)}  ${name(row.function)}${why.length > 0 ? `  (${why.join('; ')})` : ''}`;
  });
  const rest = answer.matching - lines.length;
  const kept = keptText(answer);
  return [
    head,
    ...(kept ? [`listed by the filters: ${kept}`] : []),
    '',
    ...lines,
    ...(rest > 0 ? [`and ${rest} more functions`] : []),
    '',
  ].join('\n');
}
