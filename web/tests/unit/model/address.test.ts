import { expect, test } from 'vitest';
import { decode, encode } from '../../../src/model/address';
import { firstState, type State } from '../../../src/model/state';

test('the first state is only the name of its view', () => {
  expect(encode(firstState)).toBe('functions');
  expect(decode('#functions')).toEqual(firstState);
  expect(decode('')).toEqual(firstState);
});

test('a state survives the way through the address', () => {
  const state: State = {
    view: 'flame',
    selection: { name: 'f<a, b>::operator<<(char const&)', context: "'2", file: 'a b/c+d%.c', object: '/lib/x.so' },
    event: 'Ir + 10 Bcm',
    second: 'Dr',
    more: ['Dw', 'D1mr'],
    relative: 'parent',
    chips: [
      { kind: 'focus', pattern: '/^std::(a|b)&c=d#/' },
      { kind: 'hide', pattern: '100 %' },
      { kind: 'object', pattern: 'libc' },
    ],
    search: 'ä\u202e',
    group: { by: 'object', name: '' },
    sort: { by: 'inclusive', column: 'Dr', ascending: true },
    compare: false,
    parts: [1, 3],
    cycles: false,
    level: 'namespace',
    contexts: 'keep',
    shorten: false,
    options: { 'flame.direction': 'callers' },
  };
  expect(decode(`#${encode(state)}`)).toEqual(state);
});

test('anything in the address is read somehow', () => {
  expect(decode('#flame&parts=1,x,-3,2&numbers=odd&group=what&%E0%A4%A=%&=&&fn').parts).toEqual([1, 2]);
  expect(decode('#__proto__&__proto__=1&constructor.x=2').view).toBe('__proto__');
  expect(decode('#flame&level=planet').level).toBe('function');
  expect(encode({ ...firstState, search: '\ud800' })).toContain('search=');
});

test('an address does not grow without bound', () => {
  const state = { ...firstState, selection: { name: 'x'.repeat(100_000), file: 'f', object: '' } };
  expect(encode(state).length).toBeLessThan(61_000);
});
