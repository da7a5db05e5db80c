import { expect, test } from 'vitest';
import { baseName, outermostNamespace } from '../../../src/model/names';

test('the last piece of a path', () => {
  expect(baseName('/usr/lib/libc.so.6')).toBe('libc.so.6');
  expect(baseName('C:\\src\\a.cpp')).toBe('a.cpp');
  expect(baseName('a/b/')).toBe('b');
  expect(baseName('/')).toBe('/');
  expect(baseName('')).toBe('');
});

test('the outermost namespace', () => {
  expect(outermostNamespace('std::vector<a::b>::f')).toBe('std');
  expect(outermostNamespace('App\\Model\\Base')).toBe('App');
  expect(outermostNamespace('<alloc::vec::Vec<T> as Drop>::drop')).toBe('alloc');
  expect(outermostNamespace('main')).toBe('');
  expect(outermostNamespace('unsigned long a::f<int>(b::C)')).toBe('a');
  expect(outermostNamespace('unsigned long f<int>(b::C)')).toBe('');
  expect(outermostNamespace('(anonymous namespace)::f(int)')).toBe('(anonymous namespace)');
});
