import { describe, expect, it } from 'vitest';
import { fitting, labelChoices, ownName } from '../../../src/model/labels';

const byLetter = (text: string) => text.length;

describe('labels', () => {
  it.each([
    ['main', 'main'],
    ['std::vector<…>::push_back(int const&)', 'push_back'],
    ['(anonymous namespace)::visit(Node*) const', 'visit'],
    ['std::thread::_State_impl<…>::_M_run()', '_M_run'],
    ['operator<(A const&, B const&)', 'operator<'],
    ['std::operator<<<…>(std::ostream&, char)', 'operator<<<…>'],
    ['Functor::operator()(int) const', 'operator()'],
    ['A::operator->() const', 'operator->'],
    ['X::operator new[](unsigned long)', 'operator new[]'],
    ['<module>', '<module>'],
    ['json.encoder.JSONEncoder.encode', 'encode'],
    ['<T as core::fmt::Display>::fmt', 'fmt'],
    ['github.com/a/b.(*Tree).Insert', 'Insert'],
    ['Foo->bar', 'bar'],
    ['App\\Models\\User::find', 'find'],
    ['php::strlen', 'strlen'],
    ['_dl_relocate_object', '_dl_relocate_object'],
    ['0x000000000001ab70', '0x1ab70'],
    ['pymain_init.constprop.0', 'pymain_init.constprop.0'],
    ['ns::f(int) [clone .cold]', 'f'],
    ['unsigned long exercise<…>(std::vector<…>)', 'exercise<…>'],
    ['X::operator bool() const', 'operator bool'],
    ['vtable for X', 'vtable for X'],
    ['f(void (*)(int, long*), std::string)', 'f'],
    ['void std::__invoke<…>(std::tuple<…>&&)', '__invoke<…>'],
    ['ruby#each', 'ruby#each'],
    ['', ''],
    ['::', '::'],
    ['a::', 'a::'],
    ['(((', '((('],
  ])('of %j the name is %j', (name, own) => expect(ownName(name)).toBe(own));

  it('lose their scopes one by one', () => {
    expect(labelChoices('a::b<…>::c(int)')).toEqual(['a::b<…>::c(int)', 'a::b<…>::c', 'b<…>::c', 'c']);
  });
  it('lose the type of the result at once', () => {
    expect(labelChoices('std::ctype<…> const& std::use_facet<…>(x)')).toEqual([
      'std::ctype<…> const& std::use_facet<…>(x)',
      'std::ctype<…> const& std::use_facet<…>',
      'std::use_facet<…>',
      'use_facet<…>',
    ]);
  });
  it('are what fits, and cut at the end at last', () => {
    const choices = labelChoices('a::bcd<…>::some_name(int)');
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
  it('of hostile names take time in proportion to their length', () => {
    const begin = performance.now();
    for (const piece of ['(', '<', '::', 'operator', '.a', 'a(b)']) labelChoices(piece.repeat(200));
    expect(performance.now() - begin).toBeLessThan(500);
  });
});
