// The questions and answers of docs/protocol.md, as types; tests/protocol compares them with that page and with the engine.

import type {
  FilesAnswer,
  FilesQuestion,
  InstructionsAnswer,
  InstructionsQuestion,
  LinesAnswer,
  LinesQuestion,
  SourceAnswer,
  SourceQuestion,
} from './code';
import type { ChangedLinesAnswer, ChangedLinesQuestion, DifferenceAnswer, DifferenceQuestion } from './difference';
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
} from './functions';
import type { GraphAnswer, GraphQuestion } from './graph';
import type {
  EntriesAnswer,
  EntriesQuestion,
  HistoryAnswer,
  HistoryFunctionsAnswer,
  HistoryFunctionsQuestion,
  HistoryQuestion,
  SeriesAnswer,
  SeriesQuestion,
} from './history';
import type {
  ControlQuestion,
  ExportAnswer,
  ExportQuestion,
  LiveRun,
  PartsAnswer,
  PartsQuestion,
  ProfileAnswer,
  ProfileQuestion,
  ReloadQuestion,
  SearchAnswer,
  SearchQuestion,
  StacksAnswer,
  StacksQuestion,
  StatusAnswer,
  StatusQuestion,
  SummaryAnswer,
  SummaryQuestion,
} from './profile';
import type { CallTreeAnswer, CallTreeQuestion, TreeAnswer, TreeQuestion } from './tree';

export type * from './code';
export type * from './common';
export type * from './difference';
export type * from './functions';
export type * from './graph';
export type * from './history';
export type * from './profile';
export type * from './tree';

export type Question =
  | ProfileQuestion
  | SummaryQuestion
  | FunctionsQuestion
  | GroupsQuestion
  | FindQuestion
  | FunctionQuestion
  | TreeQuestion
  | CallTreeQuestion
  | GraphQuestion
  | SourceQuestion
  | FilesQuestion
  | LinesQuestion
  | InstructionsQuestion
  | PartsQuestion
  | DifferenceQuestion
  | ChangedLinesQuestion
  | SearchQuestion
  | ExportQuestion
  | StatusQuestion
  | ReloadQuestion
  | ControlQuestion
  | StacksQuestion
  | HistoryQuestion
  | SeriesQuestion
  | HistoryFunctionsQuestion
  | EntriesQuestion;

interface Answers {
  profile: ProfileAnswer;
  summary: SummaryAnswer;
  functions: ListAnswer<FunctionRow>;
  groups: ListAnswer<GroupRow>;
  find: FindAnswer;
  function: FunctionAnswer;
  tree: TreeAnswer;
  call_tree: CallTreeAnswer;
  graph: GraphAnswer;
  source: SourceAnswer;
  files: FilesAnswer;
  lines: LinesAnswer;
  instructions: InstructionsAnswer;
  parts: PartsAnswer;
  difference: DifferenceAnswer;
  changed_lines: ChangedLinesAnswer;
  search: SearchAnswer;
  export: ExportAnswer;
  status: StatusAnswer;
  reload: ProfileAnswer;
  control: LiveRun;
  stacks: StacksAnswer;
  history: HistoryAnswer;
  history_series: SeriesAnswer;
  history_functions: HistoryFunctionsAnswer;
  history_entries: EntriesAnswer;
}

export type Answer<Q extends Question> = Answers[Q['ask']];

export interface Problematic {
  error: { id: string; message: string; hint?: string; file?: string; line?: number; member?: string; column?: number };
}
