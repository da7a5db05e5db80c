// Compiled, not run: what the types of the package allow and forbid, in Node.js and in browsers.

import { CallcostError, changePoints, type Cost, countsExactly, diff, type FunctionRow, open, type Profile, type TreeNode } from 'callcost';

export async function use(bytes: Uint8Array, stream: ReadableStream<Uint8Array>, blob: Blob): Promise<Cost[]> {
  const profile: Profile = await open([bytes, stream, { name: 'callgrind.out.1', data: blob }], {
    before: bytes,
    sources: [{ name: 'a.c', text: 'int a;' }],
    onProgress: (name, done, total) => [name.length, done / total],
    signal: new AbortController().signal,
    engine: new URL('file:///callcost.wasm'),
  });
  const { rows, total } = await profile.functions({
    sort: 'inclusive',
    limit: Number.POSITIVE_INFINITY,
    focus: ['main'],
  });
  const first: FunctionRow | undefined = rows[0];
  const { callers } = await profile.ask({ ask: 'function', id: first?.id ?? 0, sites: true });
  const line: number | undefined = callers.rows[0]?.sites?.[0]?.line;
  const groups = await profile.groups({ by: 'namespace', limit: 10 });
  const group: string | undefined = groups.rows[0]?.name;
  const id: number | null = await profile.find({ name: 'main', file: 'a.c' });
  const { callees } = await profile.function({ id: id ?? 0, sites: true });
  const calls: Cost | null | undefined = callees.rows[0]?.count;
  const tree = await profile.tree({ direction: 'callers', levels: 3 });
  const frame: TreeNode | undefined = tree.roots[0]?.children[0];
  const { changed } = await diff(bytes, bytes, { limit: 5, event: 'Ir' }, { patience: 100 });
  const name: string | undefined = changed[0]?.function.name;
  const { points } = await changePoints([1, null, 2n, undefined], { exact: countsExactly('Ir') });
  const at: number | undefined = points[0]?.at;
  try {
    // @ts-expect-error: no such question
    await profile.ask({ ask: 'fnctions' });
    // @ts-expect-error: no such order
    await profile.functions({ sort: 'cost' });
    // @ts-expect-error: no such groups
    await profile.groups({ by: 'line' });
    // @ts-expect-error: a path is no profile
    await open('callgrind.out.1');
    // @ts-expect-error: the answer to `find` has an id
    console.log((await profile.ask({ ask: 'find', name: 'main' })).rows);
  } catch (error) {
    if (error instanceof CallcostError) console.log(error.code, error.message, error.hint, error.line, error.member);
  }
  console.log(line, at, group, calls, frame?.inclusiveBounds.least, frame?.selfBounds.most, name, profile.about.diagnostics.errors);
  profile.close();
  return total.filter((cost): cost is Cost => cost !== null);
}
