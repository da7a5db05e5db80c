import { describe, expect, it } from 'vitest';
import { fitting } from '../../../src/model/labels';

const byLetter = (text: string) => text.length;

describe('labels', () => {
  it('are what fits, and cut at the end at last', () => {
    const choices = ['a::bcd<…>::some_name(int)', 'bcd<…>::some_name', 'some_name'];
    expect(fitting(choices, 99, byLetter)).toBe('a::bcd<…>::some_name(int)');
    expect(fitting(choices, 18, byLetter)).toBe('bcd<…>::some_name');
    expect(fitting(choices, 9, byLetter)).toBe('some_name');
    expect(fitting(choices, 6, byLetter)).toBe('some_…');
    expect(fitting(choices, 2, byLetter)).toBe('');
  });
  it('are not cut within a character', () => {
    expect(fitting(['a😀bcd'], 4, byLetter)).toBe('a😀…');
    expect(fitting(['ab😀cd'], 4, byLetter)).toBe('ab…');
  });
});
