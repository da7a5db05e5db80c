import { afterEach, expect, test, vi } from 'vitest';
import { httpTransport } from '../../../src/engine/http';

afterEach(() => vi.unstubAllGlobals());

test('each question is about the entry in the address of the page, whatever its id', async () => {
  const sent: [string, string][] = [];
  vi.stubGlobal('fetch', async (address: string, { body }: { body: string }) => {
    sent.push([address, body]);
    return new Response('{}');
  });
  const ask = (query: string) => httpTransport(`http://127.0.0.1:1/token/${query}#view`).send('{"ask":"profile"}');
  await ask('');
  await ask('?history');
  await ask('?series=a%22b&entry=1234567890123456789&before=7');
  await ask('?series=a&entry=7,"x":1');
  expect(new Set(sent.map(([address]) => address))).toEqual(new Set(['http://127.0.0.1:1/token/ask']));
  expect(sent.map(([, body]) => body)).toEqual([
    '{"ask":"profile"}',
    '{"ask":"profile"}',
    '{"series":"a\\"b","entry":1234567890123456789,"entry_before":7,"ask":"profile"}',
    '{"ask":"profile"}',
  ]);
});
