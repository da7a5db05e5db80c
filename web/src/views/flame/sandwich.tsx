// The sandwich: above the selected function all that calls it, below all that it calls.

import type { JSX } from 'solid-js';
import type { App } from '../../app/app';
import { useTree } from '../pictures/tree_data';
import { Flame } from './flame';

export function SandwichView(props: { app: App }): JSX.Element {
  const { app } = props;
  const callers = useTree(app, 'sandwich', 'callers');
  const callees = useTree(app, 'sandwich', 'callees');
  return (
    <>
      <Flame app={app} data={callers} half={{ is: 'callers', callees }} />
      <Flame app={app} data={callees} half={{ is: 'callees', callees }} />
    </>
  );
}
