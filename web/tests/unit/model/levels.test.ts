import { expect, test } from 'vitest';
import { patternOfMember } from '../../../src/model/filter';
import { atLevel, hasLevels, levelOf, levels, nextLevel } from '../../../src/model/levels';
import { commonOf, firstState } from '../../../src/model/state';

test('questions of views of functions and calls have the level, those of code have none', () => {
  const state = { ...firstState, level: 'object' as const };
  for (const view of ['functions', 'callers', 'tree', 'flame', 'treemap', 'graph']) {
    expect(hasLevels(view)).toBe(true);
    expect(commonOf({ ...state, view }, 'Ir', false).level).toBe('object');
  }
  for (const view of ['source', 'code', 'blocks', 'parts', 'difference']) {
    expect(levelOf({ ...state, view })).toBe('function');
    expect(commonOf({ ...state, view }, 'Ir', false)).not.toHaveProperty('level');
  }
  expect(commonOf(firstState, 'Ir', false)).not.toHaveProperty('level');
});

test('another level has none of the functions that were chosen, and all other choices', () => {
  const options = { 'flame.root': 'main', 'flame.root_file': 'a.c', 'flame.zoom': '1', 'flame.direction': 'callers' };
  expect(atLevel({ options }, 'file')).toEqual({
    level: 'file',
    selection: null,
    options: { 'flame.direction': 'callers' },
  });
});

test('a key goes through all levels', () => {
  let level = firstState.level;
  const seen = levels.map(() => {
    level = nextLevel(level);
    return level;
  });
  expect(new Set(seen).size).toBe(levels.length);
  expect(level).toBe('function');
});

test('filters of a group choose its functions', () => {
  const func = { id: 1, name: '/lib/a+b.so', file: 'x.c', object: '/lib/a+b.so' };
  expect(patternOfMember(func, 'object')).toBe('object:/^\\/lib\\/a\\+b\\.so$/');
  expect(patternOfMember(func, 'namespace')).toBeNull(); // those without a namespace only
  expect(patternOfMember({ ...func, name: 'src (others)' }, 'directory')).toBeNull();
  expect(patternOfMember({ ...func, name: '.' }, 'directory')).toBe('file:/^[^\\/]*$/');
  expect(patternOfMember({ ...func, name: '/' }, 'directory')).toBe('file:/^\\/[^\\/]*$/');
  expect(patternOfMember({ ...func, name: 'x.c' }, 'file')).toBe('file:/^x\\.c$/');
  expect(patternOfMember({ ...func, name: 'src' }, 'directory')).toBe('file:/^src\\/[^\\/]*$/');
  expect(patternOfMember({ ...func, name: 'std' }, 'namespace')).toBeNull();
  expect(patternOfMember({ ...func, name: 'main' }, 'function')).toBe('function:/^main$/');
});
