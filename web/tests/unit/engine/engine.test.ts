import { expect, test } from 'vitest';
import { createEngine } from '../../../src/engine/engine';
import type { Transport } from '../../../src/package/transport';

function recorded() {
  const asked: string[] = [];
  const pending: { resolve(text: string): void; signal?: AbortSignal }[] = [];
  const transport: Transport = {
    send: (question, signal) =>
      new Promise((resolve, reject) => {
        asked.push(question);
        pending.push({ resolve, signal });
        signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
      }),
    close() {},
  };
  return { asked, pending, engine: createEngine(transport) };
}

test('the same question is asked once, whether it is answered already or not', async () => {
  const { asked, pending, engine } = recorded();
  const first = engine.ask({ ask: 'files' });
  const second = engine.ask({ ask: 'files' });
  pending[0]!.resolve('{"rows":[],"matching":3}');
  expect((await first).matching).toBe(3);
  expect(await second).toBe(await first);
  expect(await engine.ask({ ask: 'files' })).toBe(await first);
  expect(asked).toHaveLength(1);
});

test('a question is given up when the last one who waits for it goes', async () => {
  const { asked, pending, engine } = recorded();
  const [one, two] = [new AbortController(), new AbortController()];
  const first = engine.ask({ ask: 'files' }, one.signal);
  const second = engine.ask({ ask: 'files' }, two.signal);
  one.abort();
  await expect(first).rejects.toThrow('aborted');
  expect(pending[0]!.signal!.aborted).toBe(false);
  two.abort();
  await expect(second).rejects.toThrow('aborted');
  expect(pending[0]!.signal!.aborted).toBe(true);
  const again = engine.ask({ ask: 'files' });
  pending[1]!.resolve('{"rows":[],"matching":1}');
  expect((await again).matching).toBe(1);
  expect(asked).toHaveLength(2);
});

test('after forgetting, everything is asked anew', async () => {
  const { asked, pending, engine } = recorded();
  const before = engine.ask({ ask: 'files' });
  engine.forget();
  const after = engine.ask({ ask: 'files' });
  pending[0]!.resolve('{"rows":[],"matching":1}');
  pending[1]!.resolve('{"rows":[],"matching":2}');
  expect((await before).matching).toBe(1);
  expect((await after).matching).toBe(2);
  expect((await engine.ask({ ask: 'files' })).matching).toBe(2);
  expect(asked).toHaveLength(2);
});

test('errors are not kept', async () => {
  const { asked, pending, engine } = recorded();
  const wrong = engine.ask({ ask: 'files' });
  pending[0]!.resolve('{"error":{"id":"too-large","message":"too large"}}');
  await expect(wrong).rejects.toThrow('too large');
  void engine.ask({ ask: 'files' });
  expect(asked).toHaveLength(2);
});

test('the cache is bounded, the oldest answers go', async () => {
  const { asked, pending, engine } = recorded();
  for (let i = 0; i < 60; i++) {
    const answer = engine.ask({ ask: 'search', text: String(i) });
    pending[i]!.resolve('{"matching":0}');
    await answer;
  }
  await engine.ask({ ask: 'search', text: '59' });
  expect(asked).toHaveLength(60);
  void engine.ask({ ask: 'search', text: '0' });
  expect(asked).toHaveLength(61);
});

test('a question says which reading of the files it is about, as the server has last said', async () => {
  const { asked, pending, engine } = recorded();
  for (const [number, question] of [{ ask: 'profile' }, { ask: 'reload' }].entries()) {
    const first = engine.ask(question as { ask: 'profile' | 'reload' });
    pending.at(-1)!.resolve(`{"generation":${number + 7},"event":"Ir"}`);
    await first;
    void engine.ask({ ask: 'search', text: String(number) });
    expect(JSON.parse(asked.at(-1)!).generation).toBe(number + 7);
  }
  void engine.ask({ ask: 'status' });
  expect(asked.at(-1)).toBe('{"ask":"status"}');
});

test('a question about an old reading waits for the page to learn of the new one, once', async () => {
  const { asked, pending, engine } = recorded();
  let learned = 0;
  engine.onStale = async () => {
    const profile = engine.ask({ ask: 'profile' });
    pending.at(-1)!.resolve('{"generation":2,"event":"Ir"}');
    await profile;
    engine.forget();
    learned++;
  };
  const old = engine.ask({ ask: 'files' });
  pending[0]!.resolve('{"error":{"id":"stale","message":"read again"}}');
  await expect(old).rejects.toThrow('read again');
  expect(learned).toBe(1);
  const again = engine.ask({ ask: 'files' });
  expect(JSON.parse(asked.at(-1)!)).toEqual({ ask: 'files', generation: 2 });
  pending.at(-1)!.resolve('{"rows":[],"matching":3}');
  expect((await again).matching).toBe(3);
});
