// Source text to colored pieces, by Prism: it only says where pieces begin and end, and the text on the page is always
// the file's.

import './prism_settings'; // first
import Prism, { type Grammar, type TokenStream } from 'prismjs/components/prism-core';
import 'prismjs/components/prism-clike'; // before those that build on it
import 'prismjs/components/prism-c';
import 'prismjs/components/prism-cpp';
import 'prismjs/components/prism-erlang';
import 'prismjs/components/prism-fortran';
import 'prismjs/components/prism-go';
import 'prismjs/components/prism-java';
import 'prismjs/components/prism-javascript';
import 'prismjs/components/prism-lua';
import 'prismjs/components/prism-perl';
import 'prismjs/components/prism-php';
import 'prismjs/components/prism-python';
import 'prismjs/components/prism-ruby';
import 'prismjs/components/prism-rust';
import { type TokenKind, type Tokens, tokenKinds } from '../../model/syntax';

const basicTypes =
  /\b(?:auto|bool|char(?:8|16|32)?_?t?|double|float|int|long|short|signed|unsigned|void|wchar_t|u?int\d+_t|s?size_t)\b/;
Prism.languages.insertBefore('cpp', 'keyword', { builtin: basicTypes });

// What is around the code of a file of PHP stays plain.
const php: Grammar = { code: { pattern: /<\?[\s\S]*?(?:\?>|$(?![\s\S]))/, inside: Prism.languages.php } };

function grammarOf(language: string): Grammar | undefined {
  if (language === 'php') return php;
  const known = Object.hasOwn(Prism.languages, language) ? Prism.languages[language] : undefined;
  return typeof known === 'object' ? known : undefined; // there are functions among them
}

const kinds: Partial<Record<TokenKind, string>> = {
  keyword: 'keyword',
  type: 'builtin class-name class-name-definition attribute-class-name type-definition package atom',
  function: 'function function-variable function-definition macro-name quoted-function',
  string:
    'string char regex template-string raw-string string-literal regex-literal triple-quoted-string ' +
    'string-interpolation command-literal quoted-atom',
  number: 'number quoted-number boolean symbol constant v-string',
  comment: 'comment',
  meta: 'macro directive directive-hash attribute annotation decorator delimiter hashbang lifetime-annotation',
  plain: 'interpolation expression',
};
const kindOf = new Map(
  Object.entries(kinds).flatMap(([kind, types]) =>
    types.split(' ').map(type => [type, tokenKinds.indexOf(kind as TokenKind)] as const),
  ),
);

// The pieces that have a color, and the length of the text. Pieces inside others have the inner kind.
function offsetsOf(stream: TokenStream, kind: number, begin: number, pieces: number[]): number {
  if (Array.isArray(stream)) return stream.reduce((at, token) => offsetsOf(token, kind, at, pieces), begin);
  if (typeof stream !== 'string') return offsetsOf(stream.content, kindOf.get(stream.type) ?? kind, begin, pieces);
  const end = begin + stream.length;
  if (kind === 0 || stream === '') return end;
  const last = pieces[pieces.length - 1];
  if (last !== undefined && last >>> 4 === begin && (last & 15) === kind) pieces[pieces.length - 1] = end * 16 + kind;
  else pieces.push(begin, end * 16 + kind);
  return end;
}

export const mostCharacters = 8_000_000;

// Null: no colors, because the language is not known or the text is too long.
export function highlight(text: string, language: string): Tokens | null {
  const grammar = grammarOf(language);
  if (!grammar || text.length > mostCharacters) return null;
  const pieces: number[] = [];
  const length = offsetsOf(Prism.tokenize(text, grammar), 0, 0, pieces);
  // The pieces must add up to the text.
  return length === text.length ? Uint32Array.from(pieces) : null;
}
