// Answers as TypeScript: what the compiler says of them is whether they are what src/protocol says they are.

// Of a list, an element of each shape is enough: members, the types of their values, and what may be one of a few words.
function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return `[${[...new Set(value.map(shapeOf))].sort().join()}]`;
  if (typeof value === 'string') return /^[a-z_]{1,12}$/.test(value) ? value : '""';
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return `{${Object.entries(value)
    .map(([member, of]) => `${member}:${shapeOf(of)}`)
    .sort()
    .join()}}`;
}

function sample(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Map(value.map(one => [shapeOf(one), one])).values()].map(sample);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([member, of]) => [member, sample(of)]));
}

function literal(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`;
  if (Array.isArray(value)) return `[${value.map(literal).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value).map(([member, of]) => `${JSON.stringify(member)}:${literal(of)}`)}}`;
}

export class Samples {
  readonly kinds = new Set<string>();
  readonly members = new Set<string>();
  private readonly lines = new Map<string, string>(); // of code, and the question that each is about

  add(kind: string, type: string, question: string, answer: unknown) {
    this.kinds.add(kind);
    JSON.stringify(answer, (member, value) => {
      this.members.add(member);
      return typeof value === 'bigint' ? String(value) : value;
    });
    this.lines.set(`const _: ${type} = ${literal(sample(answer))};`, question);
  }

  // A line each: a name may stand once in a block only.
  source(types: string): string {
    const imports = `import type { Answer, Problematic, Question } from ${JSON.stringify(types)};`;
    const of = "type Of<K extends Question['ask']> = Answer<Extract<Question, { ask: K }>>;";
    return `${[imports, of, ...[...this.lines.keys()].map(line => `{ ${line} }`)].join('\n')}\n`;
  }

  questionAt(line: number): string {
    return [...this.lines.values()][line - 3] ?? '';
  }
}
