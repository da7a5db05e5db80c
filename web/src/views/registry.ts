// The component of each view of model/views.ts. It gets the app and fills the space it is given.

import type { JSX } from 'solid-js';
import type { App } from '../app/app';
import type { ViewId } from '../model/views';
import { ButterflyView } from './butterfly/butterfly';
import { CallTreeView } from './call_tree/call_tree';
import { CodeView } from './code/code';
import { ControlFlowView } from './control_flow/control_flow';
import { DifferenceView } from './difference/difference';
import { FlameView } from './flame/flame';
import { SandwichView } from './flame/sandwich';
import { FunctionsView } from './functions/functions';
import { GraphView } from './graph/graph';
import { PartsView } from './parts/parts';
import { SourceView } from './source/source';
import { TreemapView } from './treemap/treemap';

export const components: Record<ViewId, (props: { app: App }) => JSX.Element> = {
  functions: FunctionsView,
  callers: ButterflyView,
  tree: CallTreeView,
  sandwich: SandwichView,
  flame: FlameView,
  treemap: TreemapView,
  graph: GraphView,
  source: SourceView,
  code: CodeView,
  blocks: ControlFlowView,
  parts: PartsView,
  difference: DifferenceView,
};
