// Event types that need no statistics.

const exactEvents = ['Ir', 'Dr', 'Dw', 'Bc', 'Bi']; // those of counts_exactly() of the library

/** Whether an event type is the same in every run that does the same: Ir, Dr, Dw, Bc and Bi. For the option `exact`. */
export const countsExactly = (event: string): boolean => exactEvents.includes(event);
