// Source text to coloured pieces, by highlight.js. Its own output is HTML; here it only says where pieces begin and end,
// and the text on the page is always the file's.

import hljs from 'highlight.js/lib/core';
import cpp from 'highlight.js/lib/languages/cpp';
import erlang from 'highlight.js/lib/languages/erlang';
import fortran from 'highlight.js/lib/languages/fortran';
import go from 'highlight.js/lib/languages/go';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import lua from 'highlight.js/lib/languages/lua';
import perl from 'highlight.js/lib/languages/perl';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import { type TokenKind, type Tokens, tokenKinds } from '../../model/syntax';

// A dozen, because each is a part of the page's size: C is read as C++, TypeScript as JavaScript.
const known = {
  cpp,
  erlang,
  fortran,
  go,
  java,
  javascript,
  lua,
  perl,
  php,
  python,
  ruby,
  rust,
};
for (const [name, language] of Object.entries(known)) hljs.registerLanguage(name, language);

const kinds: Record<string, TokenKind> = {
  keyword: 'keyword',
  literal: 'number',
  number: 'number',
  symbol: 'number',
  builtIn: 'type',
  type: 'type',
  'title.class': 'type',
  'title.class.inherited': 'type',
  title: 'function',
  'title.function': 'function',
  'title.function.invoke': 'function',
  section: 'function',
  string: 'string',
  regexp: 'string',
  'char.escape': 'string',
  quote: 'string',
  subst: 'plain',
  comment: 'comment',
  doctag: 'comment',
  meta: 'meta',
  'meta.prompt': 'meta',
};

function kindOf(scope: string): TokenKind | undefined {
  return Object.hasOwn(kinds, scope) ? kinds[scope] : undefined;
}

// What highlight.js tells its emitters, kept as offsets. Pieces inside others have the inner kind.
class Offsets {
  length = 0;
  pieces: number[] = [];
  private scopes: number[] = [];

  addText(text: string) {
    const kind = this.scopes[this.scopes.length - 1] ?? 0;
    const begin = this.length;
    this.length += text.length;
    if (kind === 0 || text === '') return;
    const { pieces } = this;
    const last = pieces[pieces.length - 1];
    if (last !== undefined && last >>> 4 === begin && (last & 15) === kind)
      pieces[pieces.length - 1] = this.length * 16 + kind;
    else pieces.push(begin, this.length * 16 + kind);
  }
  startScope(scope: string) {
    const kind = kindOf(scope);
    this.scopes.push(kind ? tokenKinds.indexOf(kind) : (this.scopes[this.scopes.length - 1] ?? 0));
  }
  endScope() {
    this.scopes.pop();
  }
  openNode(scope: string) {
    this.startScope(scope);
  }
  closeNode() {
    this.endScope();
  }
  closeAllNodes() {
    this.scopes = [];
  }
  // A piece in another language, such as a script in a page.
  __addSublanguage(inner: Offsets) {
    for (let i = 0; i < inner.pieces.length; i += 2)
      this.pieces.push(inner.pieces[i]! + this.length, inner.pieces[i + 1]! + this.length * 16);
    this.length += inner.length;
  }
  finalize() {}
  toHTML() {
    return '';
  }
}

hljs.configure({ __emitter: Offsets as never });

export const mostCharacters = 8_000_000;

// Null: no colours, because the language is not known or the text is too long.
export function highlight(text: string, language: string): Tokens | null {
  if (!hljs.getLanguage(language) || text.length > mostCharacters) return null;
  const result = hljs.highlight(text, { language, ignoreIllegals: true });
  const offsets = result._emitter as unknown as Offsets;
  // The pieces must add up to the text.
  return offsets.length === text.length && !result.errorRaised ? Uint32Array.from(offsets.pieces) : null;
}
