import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { piecesOfLine, tokenKinds } from '../../../src/model/syntax';
import { highlight } from '../../../src/views/source/highlight';

function colored(text: string, language: string): string {
  return piecesOfLine(text, 0, highlight(text, language))
    .map(({ text, kind }) => (kind === 'plain' ? text : `[${kind} ${text}]`))
    .join('');
}

test('keywords, names, texts, numbers and comments have their colors', () => {
  expect(colored('int main() { return 42; } // done', 'cpp')).toBe(
    '[type int] [function main]() { [keyword return] [number 42]; } [comment // done]',
  );
  expect(colored("def f(x): return 'a\\n'", 'python')).toBe(
    "[keyword def] [function f](x): [keyword return] [string 'a\\n']",
  );
});

test('a file of another language inside is colored, or left as it is, at the right places', () => {
  const text = '<html><?php echo "x"; ?><b>';
  expect(colored(text, 'php').replace(/\[\w+ |\]/g, '')).toBe(text);
});

test('pieces never overlap and stay inside the text, whatever it is', () => {
  const texts = [
    '"<script>alert(1)</script>"',
    "'\u0000\u202e<img onerror=x>",
    '/* '.repeat(100),
    '((((('.repeat(100),
    'a'.repeat(2000),
    '"\\'.repeat(200),
    '\r\n\r\n#define \\\r\n',
  ];
  for (const text of texts) {
    for (const language of ['cpp', 'php', 'perl', 'ruby', 'javascript', 'erlang', 'python', 'rust']) {
      const tokens = highlight(text, language);
      if (!tokens) continue;
      let last = 0;
      for (let i = 0; i < tokens.length; i += 2) {
        expect(tokens[i]).toBeGreaterThanOrEqual(last);
        last = tokens[i + 1]! >>> 4;
        expect(last).toBeLessThanOrEqual(text.length);
        expect((tokens[i + 1]! & 15) < tokenKinds.length).toBe(true);
      }
    }
  }
});

test('the headers of the library are colored without losing a character', () => {
  const directory = new URL('../../../../include/callcost/', import.meta.url);
  for (const name of readdirSync(directory)) {
    const text = readFileSync(new URL(name, directory), 'utf8');
    const tokens = highlight(text, 'cpp');
    expect(tokens, name).not.toBeNull();
    const lines = text.split('\n');
    let begin = 0;
    for (const line of lines) {
      expect(
        piecesOfLine(line, begin, tokens)
          .map(piece => piece.text)
          .join(''),
      ).toBe(line.slice(0, 1000));
      begin += line.length + 1;
    }
  }
});

test('a file of 50,000 lines can be colored', () => {
  const line = '    for (std::size_t i = 0; i < count; ++i) total += weights[i] * 0x1f; // sum\n';
  expect(highlight(line.repeat(50_000), 'cpp')).not.toBeNull();
}, 60_000);
