import { expect, test } from 'vitest';
import { axisOf, dotsOf, type Frame, nearest, pathOf, timeTicks, xOf, yOf } from '../../../src/model/chart';
import { day, minute, scaled } from '../../../src/model/format';

const texts = (costs: number[], most = 5) => axisOf(costs, most).ticks.map(tick => tick.text.replace(/\u202f/g, ' '));
const frame: Frame = { left: 10, top: 5, width: 100, height: 50, first: 0, last: 10, low: 0, high: 200 };

test('axes go from the lowest to the highest cost in round steps', () => {
  expect(texts([175_850, 193_350])).toEqual(['175 k', '180 k', '185 k', '190 k', '195 k']);
  expect(texts([3, 17])).toEqual(['0', '5', '10', '15', '20']);
  expect(texts([-30, 20])).toEqual(['−30', '−20', '−10', '0', '10', '20']);
  expect(texts([10_001_000, 10_004_000], 3)).toEqual(['10.001 M', '10.002 M', '10.003 M', '10.004 M']);
  // More digits than a prefix leaves room for.
  expect(texts([1_234_567_890, 1_234_567_893], 3)).toContain('1,234,567,891');
});

test('axes of one cost, of none, and of huge ones', () => {
  const one = axisOf([110], 5);
  expect([one.low <= 110, one.high >= 110, one.low < one.high]).toEqual([true, true, true]);
  expect(axisOf([0], 5).low).toBe(0);
  expect(axisOf([], 5)).toMatchObject({ low: 0, high: 1 });
  const huge = axisOf([2n ** 62n, 2n ** 63n], 5);
  expect(huge.low).toBeLessThanOrEqual(2 ** 62);
  expect(huge.high).toBeGreaterThanOrEqual(2 ** 63);
  expect(huge.ticks.length).toBeLessThan(8);
});

test('steps are written with the digits that tell them apart', () => {
  for (const step of [1, 2, 5, 10, 50, 1000, 20_000]) {
    const spell = scaled(1_234_000, step);
    const written = Array.from({ length: 5 }, (_, i) => spell(1_200_000 + i * step));
    expect(new Set(written).size).toBe(5);
  }
});

test('places in the picture', () => {
  expect([xOf(frame, 0), xOf(frame, 5), xOf(frame, 10)]).toEqual([10, 60, 110]);
  expect([yOf(frame, 200), yOf(frame, 100), yOf(frame, 0)]).toEqual([5, 30, 55]);
  expect(xOf({ ...frame, last: 0 }, 0)).toBe(60);
  const points = { at: [0, 5, 10], cost: [0, 200, 100n] };
  expect(pathOf(frame, points)).toBe('M10 55L60 5L110 30');
  expect(dotsOf(frame, points, [5])).toBe('M60 5h0');
  expect(dotsOf(frame, points)).toBe('M10 55h0M60 5h0M110 30h0');
  expect(pathOf(frame, { at: [], cost: [] })).toBe('');
});

test('the nearest point', () => {
  const at = [0, 3, 4, 100];
  expect([-5, 0, 1, 2, 3.4, 3.6, 52, 53, 1000].map(wanted => nearest(at, wanted))).toEqual([0, 0, 0, 1, 1, 2, 2, 3, 3]);
  expect(nearest([7], 0)).toBe(0);
});

test('times are at points, have room, and none is written twice in a row', () => {
  const at = Array.from({ length: 11 }, (_, i) => i);
  const days = at.map(i => day(1_700_000_000 + i * 86_400));
  const ticks = timeTicks(frame, at, days, 25);
  expect(ticks).toHaveLength(4);
  expect(ticks.every(tick => tick.text === days[tick.at])).toBe(true);
  expect(timeTicks(frame, at, at.fill(0).map(String), 25)).toHaveLength(1);
  expect(timeTicks(frame, [], [], 25)).toEqual([]);
});

test('times of any second', () => {
  expect(minute(0)).toBe('1970-01-01 00:00');
  expect(day(1_700_000_000)).toBe('2023-11-14');
  expect([minute(1e18), day(Number.NaN)]).toEqual(['', '']);
});
