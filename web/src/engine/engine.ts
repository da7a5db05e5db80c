// Asks questions of an engine, wherever that is: an HTTP server on this machine, or WebAssembly in a worker.

import type { Answer, Question } from './protocol';
import { receive } from './receive';

// Carries the text of a question there, and the text of the answer back.
export interface Transport {
  send(question: string, signal?: AbortSignal): Promise<string>;
  close(): void;
}

export interface Engine {
  // Rejects with AnswerError if the engine says so, with an AbortError if the signal fires first.
  ask<Q extends Question>(question: Q, signal?: AbortSignal): Promise<Answer<Q>>;
  // Forgets all answers: the profile is another one now.
  forget(): void;
  close(): void;
}

interface Waiting {
  answer: Promise<unknown>;
  stop: AbortController;
  askers: number;
}

const kept_answers = 48;
const kept_characters = 48_000_000;
const never_kept = new Set(['status', 'reload', 'export']);

export function create_engine(transport: Transport): Engine {
  // In the order of use, oldest first.
  const answers = new Map<string, { answer: unknown; size: number }>();
  const waiting = new Map<string, Waiting>();
  let size = 0;

  function keep(text: string, answer: unknown, characters: number) {
    answers.set(text, { answer, size: characters });
    size += characters;
    for (const [oldest, entry] of answers) {
      if (answers.size === 1 || (answers.size <= kept_answers && size <= kept_characters)) break;
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
    entry.answer = transport
      .send(text, stop.signal)
      .then(raw => {
        const answer: unknown = receive(raw);
        if (waiting.get(text) === entry && !never_kept.has(question.ask)) keep(text, answer, raw.length);
        return answer;
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
      const give_up = () => {
        reject(new DOMException('no longer asked', 'AbortError'));
        if (--entry.askers > 0) return;
        if (waiting.get(text) === entry) waiting.delete(text);
        entry.stop.abort();
      };
      if (signal?.aborted) return give_up();
      signal?.addEventListener('abort', give_up, { once: true });
      entry.answer
        .then(answer => resolve(answer as Answer<Q>), reject)
        .finally(() => signal?.removeEventListener('abort', give_up));
    });
  }

  return {
    ask,
    forget,
    close() {
      forget();
      transport.close();
    },
  };
}
