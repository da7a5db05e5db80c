// Names of functions in boxes.

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
