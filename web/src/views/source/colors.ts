// The colors of a file, by a worker, when they are there. A file that takes too long stays without.

import { type Accessor, createEffect, createSignal, onCleanup } from 'solid-js';
import { languageOf, type Tokens } from '../../model/syntax';
import type { FromHighlighter, ToHighlighter } from './highlight_worker';
import HighlightWorker from './highlight_worker?worker&inline';

const patience = 10_000;
const mostKept = 6;
const longestLine = 20_000; // minified code: slow to highlight, and not worth it

interface Job {
  text: string;
  language: string;
  done(tokens: Tokens | null): void;
}

const kept = new Map<string, Tokens | null>(); // by language and text, in the order of use
const queue: Job[] = [];
let worker: Worker | null = null;
let numbers = 0;

function keep(key: string, tokens: Tokens | null) {
  kept.delete(key);
  kept.set(key, tokens);
  const oldest = kept.keys().next().value;
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
}

function beginNext() {
  const job = queue[0];
  if (!job) return;
  let mine: Worker;
  try {
    mine = worker ??= new HighlightWorker();
  } catch {
    finish(null); // browsers that allow no workers here
    return;
  }
  const number = ++numbers;
  const timer = setTimeout(() => {
    worker?.terminate();
    worker = null;
    finish(null);
  }, patience);
  const end = (tokens: Tokens | null) => {
    clearTimeout(timer);
    finish(tokens);
  };
  mine.onmessage = (event: MessageEvent<FromHighlighter>) => {
    if (event.data.number === number) end(event.data.tokens);
  };
  mine.onerror = event => {
    event.preventDefault();
    end(null);
  };
  mine.postMessage({ number, text: job.text, language: job.language } satisfies ToHighlighter);
}

function finish(tokens: Tokens | null) {
  const job = queue.shift();
  if (job) {
    keep(job.language + job.text, tokens);
    job.done(tokens);
  }
  beginNext();
}

function hasLongLines(text: string): boolean {
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at);
    if ((end < 0 ? text.length : end) - at > longestLine) return true;
    if (end < 0) return false;
    at = end + 1;
  }
  return false;
}

export function useColors(path: Accessor<string>, text: Accessor<string | null>): Accessor<Tokens | null> {
  const [tokens, setTokens] = createSignal<Tokens | null>(null);
  createEffect(() => {
    const now = text();
    const language = languageOf(path());
    const known = now === null || !language ? null : kept.get(language + now);
    setTokens(known ?? null);
    if (now === null || !language || known !== undefined || hasLongLines(now)) return;
    let wanted = true;
    queue.push({ text: now, language, done: found => wanted && setTokens(found) });
    if (queue.length === 1) beginNext();
    onCleanup(() => {
      wanted = false;
    });
  });
  return tokens;
}
