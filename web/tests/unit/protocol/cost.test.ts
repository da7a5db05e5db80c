import { expect, test } from 'vitest';
import { receive } from '../../../src/package/receive';
import { CallcostError } from '../../../src/protocol/callcost_error';
import {
  add,
  compare,
  costOfDigits,
  isZero,
  larger,
  magnitude,
  negate,
  share,
  subtract,
} from '../../../src/protocol/cost';

test('sums leave the numbers only when they must, and come back', () => {
  const most = Number.MAX_SAFE_INTEGER;
  expect(add(1, 2)).toBe(3);
  expect(add(most, 1)).toBe(9007199254740992n);
  expect(subtract(add(most, 1), 1)).toBe(most);
  expect(add(9223372036854775807n, -9223372036854775807n)).toBe(0);
  expect(negate(0)).toBe(0);
  expect(add(0.5, 0.25)).toBe(0.75);
});

test('numbers and bigints compare exactly', () => {
  expect(compare(9007199254740993n, Number.MAX_SAFE_INTEGER)).toBe(1);
  expect(compare(2, 2n as never)).toBe(0);
  expect(magnitude(-(2n ** 63n))).toBe(2n ** 63n);
  expect(larger(1, 2n ** 60n)).toBe(2n ** 60n);
  expect(isZero(0n as never)).toBe(true);
});

test('shares of nothing are not there', () => {
  expect(share(1, 4)).toBe(0.25);
  expect(share(1, 0)).toBeNull();
  expect(share(2n ** 62n, 2n ** 63n)).toBe(0.5);
});

test('digits beyond 2^53 keep all their digits, names of digits stay names', () => {
  const answer = receive<{ ask: 'functions' }>(
    `{"total":["9223372036854775807",5],"base":[5,5],"columns":["12345678901234567890"],"rows":[
      {"id":1,"name":"99999999999999999999","file":"88888888888888888888","object":"","self":["9007199254740993"],
       "inclusive":[null],"called":"18446744073709551615","per_call":1.5}]}`,
  );
  expect(answer.total).toEqual([9223372036854775807n, 5]);
  expect(answer.columns).toEqual(['12345678901234567890']);
  expect(answer.rows[0]).toMatchObject({
    name: '99999999999999999999',
    file: '88888888888888888888',
    self: [9007199254740993n],
    inclusive: [null],
    called: 18446744073709551615n,
    per_call: 1.5,
  });
});

test('an error of the engine is thrown as such', () => {
  const text = '{"error":{"id":"bad-pattern","message":"missing )","member":"focus","column":4}}';
  try {
    receive(text);
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(CallcostError);
    expect(error).toMatchObject({ code: 'bad-pattern', message: 'missing )', member: 'focus', column: 4 });
  }
  expect(costOfDigits('-9223372036854775808')).toBe(-(2n ** 63n));
});
