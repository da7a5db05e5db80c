import type { Cost } from '../../model/cost';
import { exact } from '../../model/format';

// How often a jump was made.
export function jump_words(jump: { executed: Cost; followed: Cost; conditional: boolean }): string {
  if (!jump.conditional) return `${exact(jump.executed)}×`;
  return `${exact(jump.followed)} of ${exact(jump.executed)} times`;
}
