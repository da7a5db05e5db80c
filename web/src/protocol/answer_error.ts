// A question that the engine refused, as an exception.

import type { Problematic } from './protocol';

export class AnswerError extends Error {
  readonly id: string;
  readonly hint: string | undefined;
  readonly member: string | undefined;
  readonly column: number | undefined;

  constructor(problem: Problematic['error']) {
    super(problem.message);
    this.name = 'AnswerError';
    this.id = problem.id;
    this.hint = problem.hint;
    this.member = problem.member;
    this.column = problem.column;
  }
}
