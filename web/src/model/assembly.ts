// An instruction as a disassembler writes it: its pieces, for colors. Any processor, any text.

import type { Piece } from './syntax';

const most = 400;

const piece =
  /(?<comment>[#;].*$)|(?<target><.*>)|(?<register>%(?:st\(\d\)|[a-z][a-z0-9]*)|\b(?:[re]?[abcd]x|[re]ip|[re]?[sd]i|[re]?[sb]p|r(?:[0-9]|1[0-5])[dwb]?|[abcd][lh]|[xyz]mm\d{1,2}|[xw]\d{1,2}|sp|lr|pc)\b)|(?<number>\$?-?\b0x[0-9a-f]+\b|\$?-?\b\d+\b|\b[0-9a-f]{4,16}\b(?=\s*<))/gi;

export interface Mnemonic {
  mnemonic: string;
  operands: Piece[];
}

// Prefixes belong to the mnemonic: "rep stos", "lock cmpxchg", "bnd jmp".
export function instructionPieces(text: string): Mnemonic {
  const shown = text.slice(0, most);
  const head = /^(?:(?:rep[nez]*|lock|bnd|notrack|data16|addr32|cs|ds|es|fs|gs|ss)\s+)*\S+/.exec(shown)?.[0] ?? '';
  const rest = shown.slice(head.length).trim();
  const operands: Piece[] = [];
  let at = 0;
  for (const match of rest.matchAll(piece)) {
    if (match.index > at) operands.push({ text: rest.slice(at, match.index), kind: 'plain' });
    const groups = match.groups ?? {};
    const kind = groups.comment ? 'comment' : groups.target ? 'function' : groups.register ? 'type' : 'number';
    operands.push({ text: match[0], kind });
    at = match.index + match[0].length;
  }
  if (at < rest.length) operands.push({ text: rest.slice(at), kind: 'plain' });
  return { mnemonic: head.replace(/\s+/g, ' '), operands };
}
