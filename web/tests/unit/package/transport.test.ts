import { expect, test } from 'vitest';
import { workerTransport } from '../../../src/package/transport';
import type { FromWorker, ToWorker } from '../../../src/package/worker';

// Workers that answer when they are told to.
function recorded(patience?: number) {
  const log: string[] = [];
  const workers: { answer(text: string): void; crash(): void }[] = [];
  const transport = workerTransport(
    (received, crashed) => {
      const name = workers.length;
      let last = 0;
      workers.push({
        answer: text => received({ type: 'answer', number: last, text } satisfies FromWorker),
        crash: () => crashed('boom'),
      });
      return {
        postMessage(message: ToWorker) {
          if ('number' in message) last = message.number;
          log.push(`${name}: ${message.type === 'ask' ? message.question : message.type}`);
        },
        terminate: () => log.push(`${name}: ended`),
        ref: () => log.push(`${name}: busy`),
        unref: () => log.push(`${name}: idle`),
      };
    },
    new Uint8Array(),
    patience,
  );
  return { log, workers, transport };
}

const idOf = (text: string) => JSON.parse(text).error.id;

test('a worker has one question at a time, and keeps the process alive while it has one', async () => {
  const { log, workers, transport } = recorded();
  const answers = [transport.send('a'), transport.send('b')];
  expect(log).toEqual(['0: engine', '0: busy', '0: a']);
  workers[0]!.answer('A');
  workers[0]!.answer('B');
  expect(await Promise.all(answers)).toEqual(['A', 'B']);
  expect(log.slice(3)).toEqual(['0: busy', '0: b', '0: idle']);
});

test('an expression without end is refused by another worker, which has the files again', async () => {
  const { log, workers, transport } = recorded(1);
  const opened = transport.open([], [], () => {});
  workers[0]!.answer('');
  await opened;
  const question = '{"search":"/(a+)+b/"}';
  expect(idOf(await transport.send(question))).toBe('bad-pattern');
  workers[0]!.answer('too late');
  workers[1]!.answer('');
  expect(idOf(await transport.send(question))).toBe('bad-pattern');
  const next = transport.send('next');
  workers[1]!.answer('Next');
  expect(await next).toBe('Next');
  expect(log.filter(line => !/busy|idle/.test(line))).toEqual([
    ...['0: engine', '0: open', `0: ${question}`, '0: ended'],
    ...['1: engine', '1: open', '1: next'],
  ]);
});

test('all that wait are told of a crash or the end, however many', async () => {
  for (const [end, id] of [
    ['crash', 'engine-stopped'],
    ['close', 'closed'],
  ] as const) {
    const { workers, transport } = recorded();
    const answers = Array.from({ length: 20_000 }, () => transport.send('a'));
    if (end === 'crash') workers[0]!.crash();
    else transport.close();
    expect(new Set((await Promise.all(answers)).map(idOf))).toEqual(new Set([id]));
    expect(idOf(await transport.send('b'))).toBe(id);
  }
});
