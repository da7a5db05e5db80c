// Colors files off the page's thread: whatever a text does to the highlighter, the page goes on.

import { highlight } from './highlight';

export interface ToHighlighter {
  number: number;
  text: string;
  language: string;
}
export interface FromHighlighter {
  number: number;
  tokens: Uint32Array | null;
}

const scope = self as unknown as {
  onmessage: (event: MessageEvent<ToHighlighter>) => void;
  postMessage(message: FromHighlighter, transfer: Transferable[]): void;
};

scope.onmessage = ({ data }) => {
  let tokens: Uint32Array | null = null;
  try {
    tokens = highlight(data.text, data.language);
  } catch {
    // without colors, then
  }
  scope.postMessage({ number: data.number, tokens }, tokens ? [tokens.buffer] : []);
};
