// The questions and answers of docs/protocol.md, as types. Keep in step with that page.

import type {
  FilesAnswer,
  FilesQuestion,
  InstructionsAnswer,
  InstructionsQuestion,
  LinesAnswer,
  LinesQuestion,
  SourceAnswer,
  SourceQuestion,
} from './protocol/code';
import type { DifferenceAnswer, DifferenceQuestion } from './protocol/difference';
import type {
  FindAnswer,
  FindQuestion,
  FunctionAnswer,
  FunctionQuestion,
  FunctionRow,
  FunctionsQuestion,
  GroupRow,
  GroupsQuestion,
  ListAnswer,
} from './protocol/functions';
import type { GraphAnswer, GraphQuestion } from './protocol/graph';
import type {
  ExportAnswer,
  ExportQuestion,
  PartsAnswer,
  PartsQuestion,
  ProfileAnswer,
  ProfileQuestion,
  ReloadQuestion,
  SearchAnswer,
  SearchQuestion,
  StatusAnswer,
  StatusQuestion,
} from './protocol/profile';
import type { TreeAnswer, TreeQuestion } from './protocol/tree';

export type * from './protocol/code';
export type * from './protocol/common';
export type * from './protocol/difference';
export type * from './protocol/functions';
export type * from './protocol/graph';
export type * from './protocol/profile';
export type * from './protocol/tree';

export type Question =
  | ProfileQuestion
  | FunctionsQuestion
  | GroupsQuestion
  | FindQuestion
  | FunctionQuestion
  | TreeQuestion
  | GraphQuestion
  | SourceQuestion
  | FilesQuestion
  | LinesQuestion
  | InstructionsQuestion
  | PartsQuestion
  | DifferenceQuestion
  | SearchQuestion
  | ExportQuestion
  | StatusQuestion
  | ReloadQuestion;

interface Answers {
  profile: ProfileAnswer;
  functions: ListAnswer<FunctionRow>;
  groups: ListAnswer<GroupRow>;
  find: FindAnswer;
  function: FunctionAnswer;
  tree: TreeAnswer;
  graph: GraphAnswer;
  source: SourceAnswer;
  files: FilesAnswer;
  lines: LinesAnswer;
  instructions: InstructionsAnswer;
  parts: PartsAnswer;
  difference: DifferenceAnswer;
  search: SearchAnswer;
  export: ExportAnswer;
  status: StatusAnswer;
  reload: ProfileAnswer;
}

export type Answer<Q extends Question> = Answers[Q['ask']];

export interface Problematic {
  error: { id: string; message: string; hint?: string; member?: string; column?: number };
}
