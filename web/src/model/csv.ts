// Lists as CSV (RFC 4180).

export type Cell = string | number | bigint | null | undefined;

// An apostrophe keeps spreadsheets from evaluating text as a formula.
function field(cell: Cell): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell !== 'string') return cell.toString();
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

export function csv(rows: readonly (readonly Cell[])[]): string {
  return rows.map(row => `${row.map(field).join(',')}\r\n`).join('');
}
