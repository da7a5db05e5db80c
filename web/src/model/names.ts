// Names of functions and files for people: template arguments folded, the piece that tells names apart.

// After the word "operator"; the longest first.
const operators = ['<=>', '<<=', '>>=', '->*', '<<', '>>', '<=', '>=', '->', '<', '>'];

function isWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_$]/u.test(character);
}

// The symbol of an operator function that begins here, "" if this is not the end of the word "operator".
function operatorSymbol(name: string, at: number): string {
  if (!name.startsWith('operator', at - 8) || isWord(name[at - 9])) return '';
  return operators.find(symbol => name.startsWith(symbol, at)) ?? '';
}

// `<T as Trait>::f`, `<lambda(int)>`, `<module>`: these are names, not arguments of one.
function beginsArguments(name: string, at: number): boolean {
  const previous = name[at - 1];
  if (previous === ':') return !/^<(lambda|unnamed|anonymous|impl\b)/.test(name.slice(at, at + 12));
  if (previous === ' ') return /operator(<=>|<<|>>|->|<|>|[^\w<>]{1,3}) $/.test(name.slice(Math.max(0, at - 13), at));
  return isWord(previous) || previous === '>' || operatorBefore(name, at);
}

function operatorBefore(name: string, at: number): boolean {
  return /operator\W{1,3}$/.test(name.slice(Math.max(0, at - 11), at));
}

// `f<int, g<char>>::h` to `f<…>::h`. Unbalanced brackets are left as they are.
export function shorten(name: string): string {
  if (!name.includes('<')) return name;
  let result = '';
  let depth = 0; // of angle brackets inside arguments that are left out
  let kept = 0; // angle brackets that are open and shown
  let start = 0; // where the arguments began
  for (let at = 0; at < name.length; at++) {
    const symbol = name[at] === '<' || name[at] === '>' || name[at] === '-' ? operatorSymbol(name, at) : '';
    if (symbol) {
      if (depth === 0) result += symbol;
      at += symbol.length - 1;
    } else if (name[at] === '<') {
      if (depth > 0) depth++;
      else if (beginsArguments(name, at)) {
        depth = 1;
        start = at;
      } else {
        kept++;
        result += '<';
      }
    } else if (name[at] === '>' && name[at - 1] !== '-' && name[at - 1] !== '=') {
      if (depth === 0) {
        kept = Math.max(0, kept - 1);
        result += '>';
      } else if (--depth === 0) result += '<…>';
    } else if (depth === 0) result += name[at];
  }
  return depth > 0 ? result + name.slice(start) : result;
}

// The last piece of a path.
export function baseName(path: string): string {
  const end = path.replace(/[/\\]+$/, '');
  return end.slice(Math.max(end.lastIndexOf('/'), end.lastIndexOf('\\')) + 1) || path;
}

// What a function belongs to by its name: `std::vector<int>::push_back` to `std`. For colours; the engine groups.
export function outermostNamespace(name: string): string {
  const short = shorten(name).replace(/^<+/, '');
  const at = short.search(/::|\\|\.|->/);
  return at > 0 ? short.slice(0, at) : '';
}
