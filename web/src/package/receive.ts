// From the text of an answer to values: costs that came as strings of digits become bigints, errors are thrown.

import { CallcostError } from '../protocol/callcost_error';
import { costOfDigits } from '../protocol/cost';
import type { Answer, Problematic, Question } from '../protocol/protocol';

// A function may be called "99999999999999999999": only these members hold costs.
const costs = new Set([
  'total',
  'whole',
  'base',
  'self',
  'inclusive',
  'called',
  'per_call',
  'listed_self',
  'omitted_self',
  'least',
  'estimate',
  'most',
  'inclusive_least',
  'inclusive_most',
  'address',
  'count',
  'cost',
  'omitted_cost',
  'certain',
  'not_expanded',
  'unbalanced',
  'unrecorded_callees',
  'unattributed',
  'partly_paid',
  'negative',
  'self_least',
  'self_most',
  'inlined',
  'entries',
  'self_bounds',
  'inclusive_bounds',
  'with_calls',
  'executed',
  'followed',
  'by_count',
  'by_cost',
  'calls',
  'selected',
  'change',
  'before',
  'after',
  'first',
  'last',
]);

function holdsCosts(member: string): boolean {
  return costs.has(member.replace(/_(before|change)/, ''));
}

const digits = /^-?\d+$/;
const longDigits = /"-?\d{16,}"/;

// Follows the depth of our own protocol (a handful of levels), not of the input.
function widen(value: unknown, isCost: boolean): unknown {
  if (typeof value === 'string') return isCost && digits.test(value) ? costOfDigits(value) : value;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const item: unknown = value[i];
      if (typeof item === 'string' || (typeof item === 'object' && item !== null)) value[i] = widen(item, isCost);
    }
  } else if (typeof value === 'object' && value !== null) {
    const members = value as Record<string, unknown>;
    for (const member of Object.keys(members)) {
      const item = members[member];
      if (typeof item === 'string' || (typeof item === 'object' && item !== null))
        members[member] = widen(item, holdsCosts(member));
    }
  }
  return value;
}

export function receive<Q extends Question>(text: string): Answer<Q> {
  let answer = JSON.parse(text) as Answer<Q> | Problematic;
  if ('error' in answer) throw new CallcostError(answer.error);
  if (longDigits.test(text)) answer = widen(answer, false) as Answer<Q>;
  return answer;
}
