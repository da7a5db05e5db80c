// Lines of a text that hold something, in either case.

export function matchingLines(text: string | null, wanted: string, most = 5000): number[] {
  if (text === null || !wanted) return [];
  const pattern = wanted.toLowerCase();
  const lower = text.toLowerCase();
  // Some characters have another length in lower case: then lines are looked at one by one.
  if (lower.length !== text.length) {
    const lines = text.split('\n');
    return lines.flatMap((line, at) => (line.toLowerCase().includes(pattern) ? [at + 1] : [])).slice(0, most);
  }
  const lines: number[] = [];
  let line = 1;
  let from = 0;
  for (let at = lower.indexOf(pattern); at >= 0 && lines.length < most; at = lower.indexOf(pattern, at + 1)) {
    for (let end = lower.indexOf('\n', from); end >= 0 && end < at; end = lower.indexOf('\n', from)) {
      line++;
      from = end + 1;
    }
    if (lines[lines.length - 1] !== line) lines.push(line);
  }
  return lines;
}
