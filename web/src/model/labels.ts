// Shortening names to fit: outer scopes go first, the function's own name last.

const opening = '([{<';
const closing = ')]}>';

// Where the own name begins and where its parameters do, in `ns::Class<…>::name(int) const`. Any text is accepted.
function pieces(name: string): { begins: number[]; end: number } {
  const begins = [0]; // shortened names, without more and more outer scopes
  let depth = 0;
  let end = name.length;
  for (let at = 0; at < name.length; at++) {
    const character = name[at]!;
    if (at >= 8 && name.startsWith('operator', at - 8) && !/[\w:.\\]/.test(character)) {
      // The symbol of an operator, with the parentheses of `operator()`.
      const symbol = /^(\(\)|\[\]|\s*(new|delete)(\[\])?|[^\w\s(]+)/.exec(name.slice(at, at + 12));
      if (symbol) {
        at += symbol[0].length - 1;
        continue;
      }
    }
    if (opening.includes(character)) {
      // `(anonymous namespace)::f` begins with a scope, `f(int)` ends with parameters.
      if (
        depth === 0 &&
        character === '(' &&
        at > begins[begins.length - 1]! &&
        end === name.length &&
        isLast(name, at)
      )
        end = at;
      depth++;
    } else if (closing.includes(character) && name[at - 1] !== '-' && name[at - 1] !== '=')
      depth = Math.max(0, depth - 1);
    else if (depth === 0 && at < end) {
      const scope = scopeAt(name, at);
      // What was found before belongs to the type.
      if (isReturnType(name, at)) begins.splice(1, begins.length, at + 1);
      else if (scope > 0 && at > 0 && at + scope < name.length) {
        begins.push(at + scope);
        at += scope - 1;
      }
    }
  }
  return { begins: begins.filter(begin => begin < end), end };
}

// Nothing but qualifiers follows the parentheses that open here.
function isLast(name: string, at: number): boolean {
  let depth = 0;
  for (let i = at; i < name.length; i++) {
    if (name[i] === '(') depth++;
    else if (name[i] === ')' && --depth === 0) return !/^(::|\.|->|\\)/.test(name.slice(i + 1));
  }
  return true;
}

// `unsigned long f<int>(char)`: what stands before a blank is no part of the name, if parameters follow.
function isReturnType(name: string, at: number): boolean {
  return name[at] === ' ' && /\)( const| volatile| &+| noexcept)*$/.test(name) && !name.endsWith('operator', at);
}

// `f.constprop.0`, `f.cold`, `f.llvm.123`: compiler suffixes, not scopes.
const madeByCompilers = /^\.(constprop|isra|part|cold|lto_priv|llvm|clone|localalias|str|warm|hot)\b/;

// How many characters separate a scope from what is in it, if they stand here: `::`, `->`, `.`, `/`, `\`.
function scopeAt(name: string, at: number): number {
  const character = name[at];
  if (character === ':') return name[at + 1] === ':' ? 2 : 0;
  if (character === '-') return name[at + 1] === '>' ? 2 : 0;
  if (character === '.' && madeByCompilers.test(name.slice(at, at + 12))) return 0;
  if (character === '.') return /[\w<>$)]/.test(name[at - 1] ?? '') && /[A-Za-z_<(]/.test(name[at + 1] ?? '') ? 1 : 0;
  return character === '/' || character === '\\' ? 1 : 0;
}

// From the full name to the function's own name, each shorter than the previous.
export function labelChoices(name: string): string[] {
  const { begins, end } = pieces(name);
  const address = /^0x0+([0-9a-f]+)$/i.exec(name);
  if (address) return [name, `0x${address[1]}`];
  const choices = [name];
  const add = (choice: string) => {
    if (choice !== '' && choice.length < choices[choices.length - 1]!.length) choices.push(choice);
  };
  for (const begin of begins) add(name.slice(begin, end).trim());
  return choices;
}

export function ownName(name: string): string {
  const choices = labelChoices(name);
  return choices[choices.length - 1]!;
}

// The longest label that fits, '' if not even two characters do. `measure` gives the width of a text.
export function fitting(choices: readonly string[], width: number, measure: (text: string) => number): string {
  const found = choices.find(choice => measure(choice) <= width);
  if (found !== undefined) return found;
  const shortest = choices[choices.length - 1] ?? '';
  let least = 0;
  let most = shortest.length;
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (measure(`${shortest.slice(0, middle)}…`) <= width) least = middle;
    else most = middle - 1;
  }
  // Not half a pair.
  if (/[\uD800-\uDBFF]$/.test(shortest.slice(0, least))) least--;
  return least < 2 ? '' : `${shortest.slice(0, least)}…`;
}
