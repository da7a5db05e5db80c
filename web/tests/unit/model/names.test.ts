import { expect, test } from 'vitest';
import { baseName, outermostNamespace, shorten } from '../../../src/model/names';

const cases: [string, string, string][] = [
  [
    'template arguments are folded',
    'std::vector<int, std::allocator<int> >::push_back(int&&)',
    'std::vector<…>::push_back(int&&)',
  ],
  ['at the end', 'f<1>', 'f<…>'],
  ['several times', 'a<b>::c<d<e>>(x<y>)', 'a<…>::c<…>(x<…>)'],
  ['operator<', 'operator<(A const&, B const&)', 'operator<(A const&, B const&)'],
  ['operator< with arguments', 'bool operator< <int, long>(A<int>)', 'bool operator< <…>(A<…>)'],
  [
    'operator<<',
    'std::ostream& operator<< <std::char_traits<char> >(std::ostream&)',
    'std::ostream& operator<< <…>(std::ostream&)',
  ],
  ['operator<<=', 'x::operator<<=(int)', 'x::operator<<=(int)'],
  ['operator<=>', 'x::operator<=>(y<int>)', 'x::operator<=>(y<…>)'],
  ['operator->', 'std::unique_ptr<T>::operator->() const', 'std::unique_ptr<…>::operator->() const'],
  ['operator->*', 'x::operator->*(y)', 'x::operator->*(y)'],
  ['operator>>', 'operator>>(A<B>)', 'operator>>(A<…>)'],
  ['operator>', 'a<b>::operator>(c)', 'a<…>::operator>(c)'],
  ['operator() with arguments', 'f::operator()<int>(int)', 'f::operator()<…>(int)'],
  ['operator[]', 'std::map<K, V>::operator[](K&&)', 'std::map<…>::operator[](K&&)'],
  ['operators inside of arguments', 'f<&A::operator<, (B)1>::g', 'f<…>::g'],
  ['a word that ends like operator', 'myoperator<int>::f', 'myoperator<…>::f'],
  ['trailing return types', 'auto f<int>(int) -> g<int>', 'auto f<…>(int) -> g<…>'],
  ['arrows inside of arguments', 'std::function<auto (int) -> int>::operator()', 'std::function<…>::operator()'],
  [
    "Rust's qualified paths",
    '<alloc::vec::Vec<T> as core::ops::Drop>::drop',
    '<alloc::vec::Vec<…> as core::ops::Drop>::drop',
  ],
  ["Rust's turbofish", 'core::iter::sum::<u32>', 'core::iter::sum::<…>'],
  ["Rust's impl blocks", 'core::slice::<impl [T]>::iter', 'core::slice::<impl [T]>::iter'],
  ['lambdas', 'main::<lambda(int)>::operator()(int) const', 'main::<lambda(int)>::operator()(int) const'],
  ['names of script languages', '<module>', '<module>'],
  ['what is not balanced stays', 'f<int', 'f<int'],
  ['from its begin', 'a<b>::f<int', 'a<…>::f<int'],
  ['what closes nothing stays', 'a->b > c', 'a->b > c'],
  ['comparisons', 'x < y', 'x < y'],
  ['markup', '<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
];

test.each(cases)('%s', (_, name, short) => {
  expect(shorten(name)).toBe(short);
});

test('a name of any size takes its time in proportion', () => {
  const deep = 'a<'.repeat(50_000) + '>'.repeat(50_000);
  const begin = performance.now();
  expect(shorten(deep)).toBe('a<…>');
  shorten('operator<'.repeat(20_000));
  shorten('<'.repeat(100_000));
  expect(performance.now() - begin).toBeLessThan(1000);
});

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
});
