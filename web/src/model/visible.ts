// Names are arbitrary bytes. Invisible characters and those that affect surrounding text are made visible.

// Control characters, zero-width and formatting characters, direction marks, separators of lines, tags, half pairs.
const unseen = new RegExp(
  [
    '[\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f]',
    '[\\u034f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\uffff]',
    '\\udb40[\\udc00-\\udfff]',
    '[\\ud800-\\udbff](?![\\udc00-\\udfff])',
    '(?<![\\ud800-\\udbff])[\\udc00-\\udfff]',
  ].join('|'),
  'g',
);

function picture(character: string): string {
  const code = character.codePointAt(0)!;
  return `\u2039${code.toString(16).toUpperCase().padStart(2, '0')}\u203a`;
}

export function visible(text: string): string {
  return text.replace(unseen, picture);
}

// Of source text: tabs stay what they are.
export function visibleCode(text: string): string {
  return text.split('\t').map(visible).join('\t');
}

// Truncates in the middle: the ends of names say the most.
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = Math.ceil((most - 1) * 0.6);
  const tail = most - 1 - head;
  return `${text.slice(0, head)}…${text.slice(text.length - tail)}`;
}

// As `visible`, and no longer than a line may be.
export function printable(text: string, most = 400): string {
  return visible(cut(text, most));
}

// What a text was searched for is in every other piece, from the second on. Expressions are not looked for.
export function splitAtMatches(text: string, search: string): string[] {
  if (search === '' || /^\/.+\/$/.test(search)) return [text];
  return text.split(new RegExp(`(${search.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')})`, 'i'));
}
