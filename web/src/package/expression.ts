// The syntax of RE2 as an expression of JavaScript, so that a filter means the same here as in the command: what RE2
// refuses (looking around, referring back) is refused, in its words.
// https://github.com/google/re2/wiki/Syntax

class Refused extends Error {}

interface Group {
  flags: Flags; // in force before it
  product: number; // the most repetitions in one another, of what is in it so far
}

interface Repetition {
  text: string;
  most: number;
  isTooMuch: boolean;
}

interface Flags {
  i: boolean; // either case
  m: boolean; // ^ and $ at lines, too
  s: boolean; // . matches a line feed
}

const mostRepetitions = 1000;
const lastCharacter = 0x10ffff;

// As ranges, because a class may hold a class.
const perl: Record<string, string> = {
  d: '0-9',
  D: '\\0-/:-\\u{10ffff}',
  s: '\\t\\n\\f\\r ',
  S: '\\0-\\x08\\x0b\\x0e-\\x1f!-\\u{10ffff}',
  w: '0-9A-Z_a-z',
  W: '\\0-/:-@\\[-\\^`\\{-\\u{10ffff}',
};
const posix: Record<string, [is: string, isNot: string]> = {
  alnum: ['0-9A-Za-z', '\\0-/:-@\\[-`\\{-\\u{10ffff}'],
  alpha: ['A-Za-z', '\\0-@\\[-`\\{-\\u{10ffff}'],
  ascii: ['\\0-\\x7f', '\\x80-\\u{10ffff}'],
  blank: ['\\t ', '\\0-\\x08\\n-\\x1f!-\\u{10ffff}'],
  cntrl: ['\\0-\\x1f\\x7f', ' -~\\x80-\\u{10ffff}'],
  digit: [perl.d!, perl.D!],
  graph: ['!-~', '\\0- \\x7f-\\u{10ffff}'],
  lower: ['a-z', '\\0-`\\{-\\u{10ffff}'],
  print: [' -~', '\\0-\\x1f\\x7f-\\u{10ffff}'],
  punct: ['!-/:-@\\[-`\\{-~', '\\0- 0-9A-Za-z\\x7f-\\u{10ffff}'],
  space: ['\\t-\\r ', '\\0-\\x08\\x0e-\\x1f!-\\u{10ffff}'],
  upper: ['A-Z', '\\0-@\\[-\\u{10ffff}'],
  word: [perl.w!, perl.W!],
  xdigit: ['0-9A-Fa-f', '\\0-/:-@G-`g-\\u{10ffff}'],
};
const beforeWord = '(?<![0-9A-Z_a-z])(?=[0-9A-Z_a-z])';
const behindWord = '(?<=[0-9A-Z_a-z])(?![0-9A-Z_a-z])';
const withinWord = '(?<=[0-9A-Z_a-z])(?=[0-9A-Z_a-z])';
const outsideWords = '(?<![0-9A-Z_a-z])(?![0-9A-Z_a-z])';

const control: Record<string, number> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 };

function spelled(character: number): string {
  const isPlain = /[\p{L}\p{N}_ ]/u.test(String.fromCodePoint(character));
  return isPlain ? String.fromCodePoint(character) : `\\u{${character.toString(16)}}`;
}

let cases: Map<number, number[]> | undefined;

// The other characters that are the same but for the case. JavaScript's own flag would make it so for \w, too.
function otherCases(): Map<number, number[]> {
  if (cases) return cases;
  const lastWithCase = 0x1e943;
  const dotlessI = 0x131;
  const alike = new Map<string, number[]>();
  for (let character = 0x41; character <= lastWithCase; character++) {
    if (character === dotlessI) continue;
    const one = String.fromCodePoint(character);
    const upper = one.toUpperCase();
    const key = ([...upper].length === 1 ? upper : one).toLowerCase();
    if (key === one && upper === one) continue;
    const known = alike.get(key);
    if (known) known.push(character);
    else alike.set(key, [character]);
  }
  cases = new Map();
  for (const characters of alike.values())
    for (const one of characters)
      cases.set(
        one,
        characters.filter(other => other !== one),
      );
  return cases;
}

class Translator {
  private readonly text: string[];
  private at = 0;
  private groups: Group[] = []; // the open ones
  private flags: Flags = { i: false, m: false, s: false };

  constructor(expression: string) {
    this.text = [...expression];
  }

  private from(begin: number, end = this.at): string {
    return this.text.slice(begin, end).join('');
  }
  private starts(piece: string): boolean {
    return this.from(this.at, this.at + piece.length) === piece;
  }
  private take(piece: string): boolean {
    if (!this.starts(piece)) return false;
    this.at += piece.length;
    return true;
  }
  private get isOver(): boolean {
    return this.at >= this.text.length;
  }

  translate(): RegExp {
    let out = '';
    let repeatable = false; // there is something before that a repetition can be of
    let product = 1; // of repetitions in that
    let lastRepetition = -1; // where it begins, if that is what came last
    while (!this.isOver) {
      const begin = this.at;
      const repetition = this.repetition();
      if (repetition !== null) {
        if (lastRepetition >= 0) throw new Refused(`bad repetition operator: ${this.from(lastRepetition)}`);
        if (repetition.isTooMuch) throw new Refused(`invalid repetition size: ${this.from(begin)}`);
        if (!repeatable) throw new Refused(`no argument for repetition operator: ${this.from(begin)}`);
        product *= Math.max(1, repetition.most);
        if (product > mostRepetitions) throw new Refused(`invalid repetition size: ${this.from(begin)}`);
        this.contain(product);
        out += repetition.text;
        lastRepetition = begin;
        continue;
      }
      lastRepetition = -1;
      if (this.take('(')) {
        const opened = this.group();
        out += opened;
        if (opened !== '') repeatable = false;
      } else if (this.take(')')) {
        const group = this.groups.pop();
        if (!group) throw new Refused(`unexpected ): ${this.from(0, this.text.length)}`);
        this.flags = group.flags;
        this.contain(group.product);
        product = group.product;
        out += ')';
        repeatable = true;
      } else if (this.take('|')) {
        out += '|';
        repeatable = false;
      } else {
        out += this.atom();
        product = 1;
        repeatable = true;
      }
    }
    if (this.groups.length > 0) throw new Refused(`missing ): ${this.from(0, this.text.length)}`);
    return new RegExp(out, 'u');
  }

  // *, +, ?, {2,3}, each with a ? that makes no difference; null if there is none.
  private repetition(): Repetition | null {
    const begin = this.at;
    const one = this.text[begin];
    let found: Repetition | null = null;
    if (one === '*' || one === '+' || one === '?') {
      this.at++;
      found = { text: one, most: 1, isTooMuch: false };
    } else if (one === '{') {
      const bounds = /^\{(0|[1-9]\d*)(,(0|[1-9]\d*)?)?\}/.exec(this.from(begin, begin + 30));
      if (!bounds) return null;
      this.at += bounds[0].length;
      const least = Number(bounds[1]);
      const most = bounds[2] === undefined ? least : bounds[3] === undefined ? least : Number(bounds[3]);
      found = { text: bounds[0], most, isTooMuch: most < least || most > mostRepetitions };
    }
    if (found !== null) this.take('?');
    return found;
  }

  private contain(product: number): void {
    const group = this.groups.at(-1);
    if (group) group.product = Math.max(group.product, product);
  }

  // What opens it; nothing if there are only flags.
  private group(): string {
    const begin = this.at - 1;
    const group = { flags: this.flags, product: 1 };
    const open = () => {
      this.groups.push(group);
      return '(?:';
    };
    if (!this.take('?')) return open();
    if (this.starts('P<') && this.at + 2 < this.text.length) {
      this.at += 2;
      const end = this.text.indexOf('>', this.at);
      if (end < 0) throw new Refused(`invalid named capture group: ${this.from(begin, this.text.length)}`);
      const name = this.from(this.at, end);
      this.at = end + 1;
      if (!/^[\p{L}\p{M}\p{N}\p{Pc}]+$/u.test(name))
        throw new Refused(`invalid named capture group: ${this.from(begin)}`);
      return open();
    }
    let on = true;
    let seen = false;
    for (;;) {
      const flag = this.text[this.at++];
      if (flag === 'i' || flag === 'm' || flag === 's') this.flags = { ...this.flags, [flag]: on };
      if (flag === 'i' || flag === 'm' || flag === 's' || flag === 'U') {
        seen = true;
      } else if (flag === '-' && on) {
        on = seen = false;
      } else if ((flag === ')' || flag === ':') && (on || seen)) {
        return flag === ')' ? '' : open();
      } else {
        throw new Refused(`invalid perl operator: ${this.from(begin)}`);
      }
    }
  }

  private atom(): string {
    if (this.take('^')) return this.flags.m ? '(?:(?<![^\\n]))' : '(?:^)';
    if (this.take('$')) return this.flags.m ? '(?:(?![^\\n]))' : '(?:$)';
    if (this.take('.')) return this.flags.s ? '[^]' : '[^\\n]';
    if (this.starts('[')) return this.characterClass();
    if (!this.starts('\\')) return this.character(this.text[this.at++]!.codePointAt(0)!);

    if (this.take('\\b')) return `(?:${beforeWord}|${behindWord})`;
    if (this.take('\\B')) return `(?:${withinWord}|${outsideWords})`;
    if (this.take('\\C')) return '[^]';
    if (this.take('\\A')) return '(?:^)';
    if (this.take('\\z')) return '(?:$)';
    if (this.take('\\Q')) return this.quoted();
    const named = this.namedClass();
    return named === null ? this.character(this.escaped()) : `[${named}]`;
  }

  private character(character: number): string {
    const others = this.flags.i ? otherCases().get(character) : undefined;
    return others ? `[${[character, ...others].map(spelled).join('')}]` : spelled(character);
  }

  private quoted(): string {
    let out = '';
    while (!this.isOver && !this.take('\\E')) out += this.character(this.text[this.at++]!.codePointAt(0)!);
    return out;
  }

  // \d, \pL, \p{Greek} as ranges or the like; null if there is none.
  private namedClass(): string | null {
    const letter = this.text[this.at + 1] ?? '';
    const known = perl[letter];
    if (known !== undefined) {
      this.at += 2;
      return known;
    }
    if (letter !== 'p' && letter !== 'P') return null;
    const begin = this.at;
    this.at += 2;
    let name = this.text[this.at++];
    if (name === '{') {
      const end = this.text.indexOf('}', this.at);
      if (end < 0) throw new Refused(`invalid character class range: ${this.from(begin, this.text.length)}`);
      name = this.from(this.at, end);
      this.at = end + 1;
    }
    const isNot = (letter === 'P') !== name?.startsWith('^');
    const bare = name?.replace(/^\^/, '') ?? '';
    if (bare === 'Any') return isNot ? '' : '\\0-\\u{10ffff}';
    for (const property of [bare, `Script=${bare}`]) {
      const out = `\\${isNot ? 'P' : 'p'}{${property}}`;
      try {
        if (property !== bare || /^[A-Z][a-z]?$/.test(bare)) new RegExp(`[${out}]`, 'u');
        else continue;
        return out;
      } catch {} // no such property
    }
    throw new Refused(`invalid character class range: ${this.from(begin)}`);
  }

  private escaped(): number {
    const begin = this.at++;
    const refuse = () => new Refused(`invalid escape sequence: ${this.from(begin)}`);
    const letter = this.text[this.at++];
    if (letter === undefined) throw new Refused('trailing \\');
    const code = control[letter];
    if (code !== undefined) return code;
    if (letter === 'x') return this.hexadecimal(refuse);
    if (/[0-7]/.test(letter)) {
      if (letter !== '0' && !/^[0-7]$/.test(this.text[this.at] ?? '')) throw refuse(); // refers back
      let digits = letter;
      while (digits.length < 3 && /^[0-7]$/.test(this.text[this.at] ?? '')) digits += this.text[this.at++];
      return Number.parseInt(digits, 8);
    }
    const character = letter.codePointAt(0)!;
    if (character < 0x80 && !/[0-9A-Za-z]/.test(letter)) return character;
    throw refuse();
  }

  private hexadecimal(refuse: () => Refused): number {
    const isBraced = this.take('{');
    let digits = '';
    for (;;) {
      const digit = this.text[this.at++] ?? '';
      if (isBraced && digit === '}' && digits !== '') break;
      digits += digit;
      if (!/^[0-9a-fA-F]$/.test(digit) || Number.parseInt(digits, 16) > lastCharacter) throw refuse();
      if (!isBraced && digits.length === 2) break;
    }
    return Number.parseInt(digits, 16);
  }

  private characterClass(): string {
    const begin = this.at++;
    const rest = () => this.from(begin, this.text.length);
    const isNot = this.take('^');
    let out = '';
    const endOfClass = () => new Refused(`missing ]: ${rest()}`);
    const one = () => {
      if (this.isOver) throw endOfClass();
      return this.starts('\\') ? this.escaped() : this.text[this.at++]!.codePointAt(0)!;
    };
    for (let isFirst = true; isFirst || !this.starts(']'); isFirst = false) {
      if (this.isOver) throw endOfClass();
      const group = this.posixClass() ?? (this.starts('\\') ? this.namedClass() : null);
      if (group !== null) {
        out += group;
        continue;
      }
      const firstAt = this.at;
      const first = one();
      let last = first;
      if (this.starts('-') && this.text[this.at + 1] !== ']' && this.at + 1 < this.text.length) {
        this.at++;
        last = one();
        if (last < first) throw new Refused(`invalid character class range: ${this.from(firstAt)}`);
      }
      out += first === last ? spelled(first) : `${spelled(first)}-${spelled(last)}`;
      if (!this.flags.i) continue;
      for (const [character, others] of otherCases())
        if (character >= first && character <= last) out += others.map(spelled).join('');
    }
    this.at++;
    return `[${isNot ? '^' : ''}${out}]`;
  }

  private posixClass(): string | null {
    const found = /^\[:(\^?)([^:]*):\]/.exec(this.from(this.at, this.at + 40));
    if (!found) return null;
    this.at += found[0].length;
    const known = posix[found[2]!];
    if (!known) throw new Refused(`invalid character class range: ${found[0]}`);
    return known[found[1] === '^' ? 1 : 0];
  }
}

// Or what is wrong with it.
export function compileExpression(expression: string): RegExp | string {
  try {
    return new Translator(expression).translate();
  } catch (reason) {
    return reason instanceof Error ? reason.message : String(reason);
  }
}
