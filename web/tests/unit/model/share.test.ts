import { expect, test } from 'vitest';
import { decode } from '../../../src/model/address';
import { captionOf, noteOf, sharedFragment } from '../../../src/model/share';

test('what is shared does not depend on what its reader chose last', () => {
  const state = decode('flame&search=a');
  expect(state.relative).toBe('relative');
  expect(decode(sharedFragment(state), { relative: 'absolute' })).toEqual(state);
  const parent = decode('functions&numbers=parent');
  expect(decode(sharedFragment(parent), { relative: 'absolute' })).toEqual(parent);
});

test('a note is one line of text', () => {
  expect(noteOf('  look\n at\tthis ')).toBe('look at this');
  expect(noteOf('\u202eabc')).not.toContain('\u202e');
  expect(noteOf('⚠️ see the 👩\u200d💻 loop')).toBe('⚠️ see the 👩\u200d💻 loop');
  expect(noteOf('x'.repeat(1000)).length).toBeLessThanOrEqual(200);
});

test('above a picture is what it is of, how much, and when', () => {
  const of = { title: 'a.out', view: 'Flame graph', total: 'total 12 Ir', filters: ['focus f'], day: '2026-01-02' };
  expect(captionOf({ ...of, note: '' })).toEqual(['a.out: Flame graph', 'total 12 Ir · focus f · 2026-01-02']);
  expect(captionOf({ ...of, note: 'see f' })).toHaveLength(3);
});
