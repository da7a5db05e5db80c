// A question that the engine refused, or a file that it cannot read, as an exception.

import type { Problematic } from './protocol';

export class CallcostError extends Error {
  /** What is wrong, for programs: an id of protocol.md, the name of an error of reading, or one of the package's own. */
  readonly code: string;
  /** What to do about it. */
  readonly hint: string | undefined;
  /** The file that cannot be read, and the line of it. */
  readonly file: string | undefined;
  readonly line: number | undefined;
  /** The member of the question that is wrong, and the column in its text, from 1. */
  readonly member: string | undefined;
  readonly column: number | undefined;

  constructor({ id, message, hint, file, line, member, column }: Problematic['error']) {
    super(message);
    this.name = 'CallcostError';
    this.code = id;
    this.hint = hint;
    this.file = file;
    this.line = line;
    this.member = member;
    this.column = column;
  }
}
