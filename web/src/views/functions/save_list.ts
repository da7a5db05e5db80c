// The list of functions as it is filtered and sorted, all of it, as a file.

import type { Answers } from '../../app/answers';
import type { App } from '../../app/app';
import { saveFile } from '../../components/save_file';
import { type Cell, csv } from '../../model/csv';
import type { Bounds, Costs, FunctionRow, FunctionsQuestion } from '../../protocol/protocol';

const page = 5000;

async function allRows(answers: Answers, question: FunctionsQuestion): Promise<FunctionRow[]> {
  const rows: FunctionRow[] = [];
  for (;;) {
    const answer = await answers.ask({ ...question, offset: rows.length, limit: page });
    rows.push(...answer.rows);
    if (answer.rows.length < page) return rows;
  }
}

const said = (is: boolean | undefined) => (is ? 'yes' : '');

function table(rows: FunctionRow[], columns: string[], comparing: boolean): Cell[][] {
  const kinds: [string, (row: FunctionRow) => Costs | undefined][] = [
    ['self', row => row.self],
    ['inclusive', row => row.inclusive],
    ...(comparing
      ? ([
          ['self before', row => row.self_before],
          ['inclusive before', row => row.inclusive_before],
        ] as [string, (row: FunctionRow) => Costs | undefined][])
      : []),
  ];
  const bounds: [string, (row: FunctionRow) => Bounds | undefined][] = [
    ['self', row => row.self_bounds],
    ['inclusive', row => row.inclusive_bounds],
    ['self before', row => row.self_bounds_before],
    ['inclusive before', row => row.inclusive_bounds_before],
  ];
  const bounded = bounds.flatMap(([name, of]) =>
    columns.map((_, place) => ({ name, of, place })).filter(({ place }) => rows.some(row => of(row)?.[place])),
  );
  const head = [
    ...kinds.flatMap(([kind]) => columns.map(column => `${kind} ${column}`)),
    'called',
    ...(comparing ? ['called before', 'match'] : []),
    'function',
    'file',
    'object',
    ...(comparing ? ['called at least', 'called at least before'] : ['called at least']),
    // Of estimates.
    ...bounded.flatMap(({ name, place }) => [
      `${name} ${columns[place]} at least`,
      `${name} ${columns[place]} at most`,
    ]),
  ];
  return [
    head,
    ...rows.map(row => [
      ...kinds.flatMap(([, of]) => columns.map((_, place) => of(row)?.[place])),
      row.called,
      ...(comparing ? [row.called_before, row.match] : []),
      row.name + (row.context ?? ''),
      row.file,
      row.object,
      ...[row.at_least, ...(comparing ? [row.at_least_before] : [])].map(said),
      ...bounded.flatMap(({ of, place }) => of(row)?.[place] ?? [null, null]),
    ]),
  ];
}

// Costs beyond 2^53 are strings of digits, as in the protocol.
function json(rows: FunctionRow[], columns: string[]): string {
  return JSON.stringify({ columns, rows }, (_, value) => (typeof value === 'bigint' ? value.toString() : value), 1);
}

export function offerList(app: App, question: () => FunctionsQuestion) {
  const save = (as: 'csv' | 'json') => async () => {
    try {
      const asked = question();
      const columns = asked.columns ?? [];
      const rows = await allRows(app.answers, asked);
      if (as === 'csv') saveFile('functions.csv', 'text/csv', csv(table(rows, columns, asked.compare === true)));
      else saveFile('functions.json', 'application/json', json(rows, columns));
    } catch (reason) {
      app.toasts.show((reason as Error).message);
    }
  };
  app.pictures.offer({ label: 'Functions (CSV)', save: save('csv') });
  app.pictures.offer({ label: 'Functions (JSON)', save: save('json') });
}
