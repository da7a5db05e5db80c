// Asks questions of an engine, wherever that is: an HTTP server on this machine, or WebAssembly in a worker.

import { receive } from '../package/receive';
import type { Transport } from '../package/transport';
import { CallcostError } from '../protocol/callcost_error';
import type { Answer, ProfileAnswer, Question } from '../protocol/protocol';

export interface Engine {
  // Rejects with CallcostError if the engine says so, with an AbortError if the signal fires first.
  ask<Q extends Question>(question: Q, signal?: AbortSignal): Promise<Answer<Q>>;
  // Forgets all answers: the profile is another one now.
  forget(): void;
  // Called if a question is about files that the server has read again since: it should ask what they are now. The
  // question is refused when that is done.
  onStale: () => Promise<void>;
  close(): void;
}

interface Waiting {
  answer: Promise<unknown>;
  stop: AbortController;
  askers: number;
}

const keptAnswers = 48;
const keptCharacters = 48_000_000;
const aboutNow = new Set(['profile', 'status', 'reload', 'control', 'stacks']); // whichever reading of the files that is
const isKept = (question: Question) => !aboutNow.has(question.ask) && question.ask !== 'export';

export function createEngine(transport: Transport): Engine {
  // In the order of use, oldest first.
  const answers = new Map<string, { answer: unknown; size: number }>();
  const waiting = new Map<string, Waiting>();
  let size = 0;
  let generation: number | undefined; // that ids and answers are of; a server only has several

  function keep(text: string, answer: unknown, characters: number) {
    answers.set(text, { answer, size: characters });
    size += characters;
    for (const [oldest, entry] of answers) {
      if (answers.size === 1 || (answers.size <= keptAnswers && size <= keptCharacters)) break;
      answers.delete(oldest);
      size -= entry.size;
    }
  }

  function forget() {
    answers.clear();
    waiting.clear();
    size = 0;
  }

  function begin(question: Question, text: string): Waiting {
    const stop = new AbortController();
    const entry: Waiting = { stop, askers: 0, answer: Promise.resolve() };
    const isAboutNow = aboutNow.has(question.ask);
    entry.answer = transport
      .send(isAboutNow ? text : JSON.stringify({ ...question, generation }), stop.signal)
      .then(raw => {
        const answer: unknown = receive(raw);
        if (question.ask === 'profile' || question.ask === 'reload') generation = (answer as ProfileAnswer).generation;
        if (waiting.get(text) === entry && isKept(question)) keep(text, answer, raw.length);
        return answer;
      })
      .catch(async (reason: Error) => {
        if (reason instanceof CallcostError && reason.code === 'stale') await engine.onStale();
        throw reason;
      })
      .finally(() => {
        if (waiting.get(text) === entry) waiting.delete(text);
      });
    entry.answer.catch(() => {});
    waiting.set(text, entry);
    return entry;
  }

  // Several views may wait for the same answer; the question is given up when the last of them has gone.
  async function ask<Q extends Question>(question: Q, signal?: AbortSignal): Promise<Answer<Q>> {
    const text = JSON.stringify(question);
    const known = answers.get(text);
    if (known) {
      answers.delete(text);
      answers.set(text, known);
      return known.answer as Answer<Q>;
    }
    const entry = waiting.get(text) ?? begin(question, text);
    entry.askers++;
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        reject(new DOMException('aborted', 'AbortError'));
        if (--entry.askers > 0) return;
        if (waiting.get(text) === entry) waiting.delete(text);
        entry.stop.abort();
      };
      if (signal?.aborted) return giveUp();
      signal?.addEventListener('abort', giveUp, { once: true });
      entry.answer
        .then(answer => resolve(answer as Answer<Q>), reject)
        .finally(() => signal?.removeEventListener('abort', giveUp));
    });
  }

  const engine: Engine = {
    ask,
    forget,
    onStale: async () => {},
    close() {
      forget();
      transport.close();
    },
  };
  return engine;
}
