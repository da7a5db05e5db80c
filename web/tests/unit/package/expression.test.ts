import { describe, expect, it } from 'vitest';
import { compileExpression } from '../../../src/package/expression';

function matches(expression: string, text: string): boolean {
  const compiled = compileExpression(expression);
  if (typeof compiled === 'string') throw new Error(compiled);
  return compiled.test(text);
}

describe('an expression in the syntax of RE2', () => {
  it.each([
    ['foo.*bar', 'foo::x::bar', true],
    ['^main$', 'main', true],
    ['^main$', 'mains', false],
    ['(?i)MAIN', 'main', true],
    ['a(?i:B)c', 'abc', true],
    ['a(?i:B)c', 'ABC', false],
    ['(?i)[À-Ý]', 'é', true],
    ['.', '\n', false],
    ['.', '\u2028', true],
    ['(?s).', '\n', true],
    ['(?m)^b$', 'a\nb\nc', true],
    ['^b$', 'a\nb\nc', false],
    ['\\bint\\b', 'f(int, char)', true],
    ['\\s', '\v', false],
    ['[[:upper:]][[:^upper:]]', 'Ab', true],
    ['[]a]', ']', true],
    ['[\\d-]', '-', true],
    ['\\Qa.b\\E+', 'a.bbb', true],
    ['\\Qa.b', 'axb', false],
    ['\\x{1F600}', '\u{1f600}', true],
    ['^.$', '\u{1f600}', true],
    ['\\pL\\p{Greek}\\PN', 'xλ-', true],
    ['\\101', 'A', true],
    ['x{2}', 'xx', true],
    ['x{,2}', 'x{,2}', true],
    ['^*', '', true],
    ['(?P<name>a)', 'a', true],
    ['operator\\<', 'operator<', true],
  ])('%j in %j: %j', (expression, text, expected) => {
    expect(matches(expression, text)).toBe(expected);
  });

  it.each([
    ['(a', 'missing ): (a'],
    ['a)', 'unexpected ): a)'],
    ['a**', 'bad repetition operator: **'],
    ['*', 'no argument for repetition operator: *'],
    ['(?=a)', 'invalid perl operator: (?='],
    ['(?<!a)b', 'invalid perl operator: (?<'],
    ['(a)\\1', 'invalid escape sequence: \\1'],
    ['[b-a]', 'invalid character class range: b-a'],
    ['[[:foo:]]', 'invalid character class range: [:foo:]'],
    ['[a', 'missing ]: [a'],
    ['a{1001}', 'invalid repetition size: {1001}'],
    ['(a{100}){100}', 'invalid repetition size: {100}'],
    ['a{2}{3}', 'bad repetition operator: {2}{3}'],
    ['\\', 'trailing \\'],
    ['\\p{Foo}', 'invalid character class range: \\p{Foo}'],
  ])('is refused in the words of RE2: %j', (expression, words) => {
    expect(compileExpression(expression)).toBe(words);
  });
});
