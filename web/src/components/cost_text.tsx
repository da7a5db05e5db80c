// A cost in its unit, where it has one; then the number itself on hover.

import type { JSX } from 'solid-js';
import type { App } from '../app/app';
import { exact } from '../model/format';
import type { Cost } from '../protocol/cost';

// `event`: an event type by its name; else that of a column.
export function CostText(props: { app: App; cost: Cost; column?: number; event?: string }): JSX.Element {
  const text = () => props.app.measure.spelled(props.cost, props.event ?? props.column);
  const raw = () => exact(props.cost);
  return <span title={text() === raw() ? undefined : raw()}>{text()}</span>;
}
