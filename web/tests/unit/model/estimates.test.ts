import { describe, expect, it } from 'vitest';
import { estimateText } from '../../../src/model/estimates';

const plain = (text: string) => text.replace(/\u202f/g, ' ');

describe('estimated costs', () => {
  it('say that they are, and their bounds', () => {
    const words = estimateText({ cost: 1_200_000_000, least: 900_000_000, most: 1_400_000_000 }, 'Ir');
    expect(plain(words)).toBe('1.20 G Ir (estimated; between 900 M and 1.40 G)');
  });
  it('say when they are exact', () => {
    expect(estimateText({ cost: 1_234_567, least: 1_234_567, most: 1_234_567 }, 'Ir')).toBe('exactly 1,234,567 Ir');
    const huge = 2n ** 62n;
    expect(estimateText({ cost: huge, least: huge, most: huge }, '')).toBe('exactly 4,611,686,018,427,387,904');
  });
  it('are plain numbers where nothing is estimated', () => {
    expect(estimateText({ cost: 1_234_567, least: 1_234_567, most: 1_234_567 }, 'Ir', true)).toBe('1,234,567 Ir');
  });
  it('say enough digits to tell the bounds apart', () => {
    const words = estimateText({ cost: 855_432, least: 855_001, most: 855_432 }, 'Ir');
    expect(words).toBe('855,432 Ir (estimated; between 855,001 and 855,432)');
  });
  it('may have no upper bound', () => {
    const words = estimateText({ cost: 5_000_000, least: 0, most: 9223372036854775807n }, 'Ir');
    expect(plain(words)).toBe('5.00 M Ir (estimated; at least 0)');
  });
});
