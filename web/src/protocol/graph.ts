// The call graph around a function, or of the program.

import type { Call, Common } from './common';
import type { FunctionRow } from './functions';

export interface GraphQuestion extends Common {
  ask: 'graph';
  id?: number;
  callers?: number;
  callees?: number;
  node_share?: number;
  arc_share?: number;
  most?: number;
}

export type GraphNode = FunctionRow;

export interface GraphArc extends Call {
  from: number;
  to: number;
  /** of code that the compiler put into the caller: nothing is called */
  inlined?: boolean;
}

export interface GraphAnswer {
  nodes: GraphNode[];
  arcs: GraphArc[];
  /** of each node, those whose calls are not drawn */
  hidden_callers: number[];
  /** too light */
  omitted_nodes: number;
  /** and these are beyond `most` */
  crowded_out: number;
  omitted_arcs: number;
}
