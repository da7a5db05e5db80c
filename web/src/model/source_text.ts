// The text of a source file by lines, and what of a line is shown.

export interface SourceText {
  count: number; // of lines; what follows the last line break is one, if it is not empty
  line(number: number): string; // from 1
  begin(number: number): number; // where it begins in the text
  widest: number; // columns of the widest line, no more than are shown
}

export const mostColumns = 1000; // of a line: what is longer is cut
export const tabSize = 8;

// Columns of a piece of text that begins at a column.
export function columnsOfText(text: string, begin = 0): number {
  let column = begin;
  for (let i = 0; i < text.length; i++) column += text.charCodeAt(i) === 9 ? tabSize - (column % tabSize) : 1;
  return column - begin;
}

export function sourceText(text: string): SourceText {
  const begins: number[] = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) begins.push(at + 1);
  if (begins[begins.length - 1] === text.length) begins.pop();
  const count = begins.length;

  function line(number: number): string {
    const begin = begins[number - 1];
    if (begin === undefined) return '';
    let end = number < count ? begins[number]! - 1 : text.length;
    if (end > begin && text.charCodeAt(end - 1) === 10) end--;
    if (end > begin && text.charCodeAt(end - 1) === 13) end--;
    return text.slice(begin, end);
  }

  let widest = 0;
  for (let number = 1; number <= count; number++) {
    const length = (number < count ? begins[number]! : text.length) - begins[number - 1]!;
    if (length * tabSize <= widest) continue;
    const shown = line(number).slice(0, mostColumns);
    widest = Math.max(widest, shown.includes('\t') ? columnsOfText(shown) : shown.length);
  }
  return {
    count,
    line,
    begin: number => begins[number - 1] ?? text.length,
    widest: Math.min(widest, 2 * mostColumns),
  };
}
