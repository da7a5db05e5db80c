// The engine of `callcost view`: POST to `ask` beside the page, whose address holds the token.

import type { Transport } from './engine';

export function httpTransport(page: string): Transport {
  const address = new URL('ask', page.split('#')[0]).href;
  return {
    async send(question, signal) {
      let response: Response;
      try {
        response = await fetch(address, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: question,
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
