// The engine of `callcost view`: POST to `ask` beside the page, whose address holds the token.

import type { Transport } from '../package/transport';

// The entry of a store that all questions are about: ?series=NAME&entry=ID&before=ID in the page's address. Ids may be
// larger than a number can be.
export function entryOf(page: string): { series: string; entry: string; before: string } | null {
  const query = new URL(page).searchParams;
  const idOf = (member: string) => /^[1-9]\d{0,18}$/.exec(query.get(member) ?? '')?.[0] ?? '';
  const entry = idOf('entry');
  return entry ? { series: query.get('series') ?? '', entry, before: idOf('before') } : null;
}

export function httpTransport(page: string): Transport {
  const address = new URL('ask', page.split('#')[0]).href;
  const entry = entryOf(page);
  const before = entry?.before ? `"entry_before":${entry.before},` : '';
  const about = entry ? `{"series":${JSON.stringify(entry.series)},"entry":${entry.entry},${before}` : '{';
  return {
    async send(question, signal) {
      let response: Response;
      try {
        response = await fetch(address, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: about + question.slice(1),
          signal: signal ?? null,
        });
      } catch (reason) {
        if (signal?.aborted) throw reason;
        throw new Error('callcost does not respond. Is "callcost view" still running?');
      }
      const text = await response.text();
      // Questions that are wrong are answered with an error in JSON, with whatever status.
      if (!response.ok && !text.startsWith('{'))
        throw new Error(`callcost answered with HTTP status ${response.status}`);
      return text;
    },
    close() {},
  };
}
