import type { LayoutInput } from '../../model/graph';
import { layoutGraph } from '../../model/graph_layout';

export interface LayoutJob {
  number: number;
  input: LayoutInput;
}

const scope = self as unknown as {
  onmessage: (event: MessageEvent<LayoutJob>) => void;
  postMessage(message: unknown): void;
};

scope.onmessage = ({ data: { number, input } }) => {
  try {
    scope.postMessage({ number, placed: layoutGraph(input) });
  } catch (reason) {
    scope.postMessage({ number, error: String(reason) });
  }
};
