// What src/protocol says of each type, read from its text. It is plain: interfaces of members, a line each.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../src/protocol/', import.meta.url));
export const typesFile = `${folder}protocol.ts`;
const text = readdirSync(folder)
  .map(file => readFileSync(folder + file, 'utf8'))
  .join('\n')
  .replace(/\/\/.*|\/\*[\s\S]*?\*\//g, '');

const interfaces = new Map(
  [...text.matchAll(/^(?:export )?interface (\w+)(?:<\w+>)?(?: extends ([^{]+))? \{\n([\s\S]*?)^\}/gm)].map(
    ([, name, parents, body]) => [name!, { parents: parents ?? '', body: body! }],
  ),
);

function bodyOf(name: string) {
  const found = interfaces.get(name);
  if (!found) throw new Error(`src/protocol has no interface ${name}`);
  return found;
}

// Members of an interface, with those that it inherits.
export function membersOf(name: string): string[] {
  const { parents, body } = bodyOf(name);
  const own = [...body.matchAll(/^ {2}(\w+)\??:/gm)].map(match => match[1]!);
  const inherited = parents.match(/Omit<.*?>|\w+/g) ?? [];
  return inherited
    .flatMap(parent => {
      const [, base, omitted] = /^Omit<(\w+), ([^>]+)>$/.exec(parent) ?? [];
      return membersOf(base ?? parent).filter(member => !omitted?.includes(`'${member}'`));
    })
    .concat(own);
}

// From a kind of question to the name of its type; and the kinds that have an answer.
export const questions = new Map(
  [...interfaces].flatMap(([name, { body }]) => {
    const kind = /^ {2}ask: '(\w+)'/m.exec(body)?.[1];
    return kind ? [[kind, name] as const] : [];
  }),
);
export const answered = membersOf('Answers');

// Every member of every type that an answer is made of, however deep.
export function answerMembers(): Set<string> {
  const asked = new Set([...questions.values(), 'Answers', 'Common', 'HistoryChoice', 'Page', 'Sorting']);
  const bodies = [...interfaces].filter(([name]) => !asked.has(name)).map(([, { body }]) => body);
  return new Set(bodies.flatMap(body => [...body.matchAll(/(?<=[\s{;(])(\w+)\??: /g)].map(match => match[1]!)));
}
