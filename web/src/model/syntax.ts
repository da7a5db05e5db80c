// Colors of source text: which language a file is in, and the pieces of a line.

import { mostColumns } from './source_text';

export const tokenKinds = ['plain', 'keyword', 'type', 'function', 'string', 'number', 'comment', 'meta'] as const;
export type TokenKind = (typeof tokenKinds)[number];

const languages: Record<string, string> = {
  c: 'cpp',
  h: 'cpp',
  inc: 'cpp',
  def: 'cpp',
  tcc: 'cpp',
  cc: 'cpp',
  cpp: 'cpp',
  cxx: 'cpp',
  'c++': 'cpp',
  hh: 'cpp',
  hpp: 'cpp',
  hxx: 'cpp',
  ipp: 'cpp',
  inl: 'cpp',
  cu: 'cpp',
  m: 'cpp',
  rs: 'rust',
  php: 'php',
  phtml: 'php',
  py: 'python',
  pyx: 'python',
  pyw: 'python',
  rb: 'ruby',
  rake: 'ruby',
  pl: 'perl',
  pm: 'perl',
  t: 'perl',
  go: 'go',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  ts: 'javascript',
  tsx: 'javascript',
  java: 'java',
  kt: 'java',
  cs: 'java',
  erl: 'erlang',
  hrl: 'erlang',
  lua: 'lua',
  f: 'fortran',
  for: 'fortran',
  f90: 'fortran',
  f95: 'fortran',
  f03: 'fortran',
  f08: 'fortran',
};

// By the end of the file's name; null: no colors.
export function languageOf(path: string): string | null {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).toLowerCase();
  const dot = name.lastIndexOf('.');
  if (dot < 0) return /^[a-z_]+$/.test(name) && path.includes('/c++/') ? 'cpp' : null; // <vector>
  const ending = name.slice(dot + 1);
  return Object.hasOwn(languages, ending) ? (languages[ending] ?? null) : null;
}

// Of a whole text, ascending and not overlapping: where a piece begins, and where it ends with its kind (end * 16 + kind).
export type Tokens = Uint32Array;

export interface Piece {
  text: string;
  kind: TokenKind;
}

function firstTokenBehind(tokens: Tokens, offset: number): number {
  let low = 0;
  let high = tokens.length / 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (tokens[middle * 2 + 1]! >>> 4 <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

// The pieces of a line that begins at `begin` of the text. What is too long is left out: see `cutOff`.
export function piecesOfLine(line: string, begin: number, tokens: Tokens | null): Piece[] {
  const shown = line.length > mostColumns ? line.slice(0, mostColumns) : line;
  if (!tokens) return shown ? [{ text: shown, kind: 'plain' }] : [];
  const pieces: Piece[] = [];
  let at = 0;
  for (let token = firstTokenBehind(tokens, begin); token < tokens.length / 2; token++) {
    const from = Math.max(tokens[token * 2]! - begin, at);
    if (from >= shown.length) break;
    const end = tokens[token * 2 + 1]!;
    const to = Math.min((end >>> 4) - begin, shown.length);
    if (to <= from) continue;
    if (from > at) pieces.push({ text: shown.slice(at, from), kind: 'plain' });
    pieces.push({ text: shown.slice(from, to), kind: tokenKinds[end & 15] ?? 'plain' });
    at = to;
  }
  if (at < shown.length) pieces.push({ text: shown.slice(at), kind: 'plain' });
  return pieces;
}

// How many characters of a line are not shown.
export function cutOff(line: string): number {
  return Math.max(0, line.length - mostColumns);
}
