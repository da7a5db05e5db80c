// The source lines of a function before and after, side by side, with their costs at both margins.

import { For, type JSX, Show } from 'solid-js';
import type { App } from '../../app/app';
import { CostText } from '../../components/cost_text';
import { Problem } from '../../components/problem';
import { counted } from '../../model/format';
import { baseName } from '../../model/names';
import { visible, visibleCode } from '../../model/visible';
import { type Cost, isZero, larger, magnitude, share } from '../../protocol/cost';
import type { FileLines, FunctionRow, LinePair } from '../../protocol/protocol';
import { goToPlace } from '../source/places';
import { Delta } from './report_table';

const marks = { same: '', changed: '~', removed: '−', added: '+', moved: '↕', omitted: '' } as const;
const meanings = { changed: 'changed', removed: 'removed', added: 'new', moved: 'moved' } as const;

export function SideBySide(props: { app: App; func: FunctionRow }): JSX.Element {
  const { app } = props;
  const asked = app.answers.follow(() => ({
    ...app.answers.question({ ask: 'changed_lines' as const, id: props.func.id }),
    compare: true,
  }));
  return (
    <Show when={!asked.error()} fallback={<Problem error={asked.error()!} />}>
      <Show when={asked.value()}>
        {answer => (
          <>
            <For each={answer().files} fallback={<p class="muted">No line changed its cost.</p>}>
              {file => <Lines app={app} func={props.func} file={file} />}
            </For>
            <Show when={answer().problem}>
              {problem => (
                <p class="muted beside-note">
                  Lines are matched by order and cost: {visible(problem().message)}
                  {problem().hint ? `; ${visible(problem().hint!)}` : ''}
                </p>
              )}
            </Show>
          </>
        )}
      </Show>
    </Show>
  );
}

function Lines(props: { app: App; func: FunctionRow; file: FileLines }): JSX.Element {
  const { file } = props;
  const rows = () => file.rows.filter(row => row.kind !== 'omitted');
  const most = rows().reduce<Cost>(
    (most, row) => larger(larger(most, magnitude(row.self)), magnitude(row.self_before)),
    0,
  );
  const title = () =>
    file.name_before ? `${visible(file.name_before)} → ${visible(file.name)}` : visible(baseName(file.name) || '???');
  return (
    <table class="beside" classList={{ texts: file.by_text }}>
      <caption title={visible(file.name)}>
        {title()} <Delta app={props.app} before={file.self_before} after={file.self} />
      </caption>
      <thead class="offscreen">
        <tr>
          <th>Cost before</th>
          <th>Line before</th>
          <th>Text before</th>
          <th>Change</th>
          <th>Line after</th>
          <th>Text after</th>
          <th>Cost after</th>
        </tr>
      </thead>
      <tbody>
        <For each={file.rows}>
          {row => (
            <Show when={row.kind !== 'omitted'} fallback={<Omitted app={props.app} row={row} />}>
              <Pair {...props} row={row} most={most} />
            </Show>
          )}
        </For>
      </tbody>
      <Show when={file.omitted_rows > 0}>
        <tfoot>
          <tr>
            <td colspan="7">{counted(file.omitted_rows, 'more line')}</td>
          </tr>
        </tfoot>
      </Show>
    </table>
  );
}

function Omitted(props: { app: App; row: LinePair }): JSX.Element {
  return (
    <tr class="beside-omitted">
      <td colspan="7">
        {counted(props.row.omitted ?? 0, 'line')} unchanged
        {isZero(props.row.self) ? '' : `: ${props.app.measure.spelled(props.row.self)}`}
      </td>
    </tr>
  );
}

function Pair(props: { app: App; func: FunctionRow; file: FileLines; row: LinePair; most: Cost }): JSX.Element {
  const { app, row, file } = props;
  const kind = row.kind as keyof typeof marks;
  const before = row.text_before ?? (row.line_before ? (row.text ?? '') : '');
  // Without texts a missing number says only that no line with a cost was found there.
  const mark = file.by_text ? marks[kind] : '';
  return (
    <tr class={`beside-${file.by_text ? kind : 'same'}`}>
      <CostCell app={app} cost={row.self_before} most={props.most} shown={!!row.line_before || !row.line} />
      <td class="beside-line">{row.line_before ?? ''}</td>
      <td class="beside-text beside-old">{visibleCode(before)}</td>
      <td class="beside-mark">
        <span aria-hidden="true">{mark}</span>
        <Show when={mark}>
          <span class="offscreen">{meanings[kind as keyof typeof meanings]}</span>
        </Show>
      </td>
      <td class="beside-line">
        <Show when={row.line && props.func.id >= 0} fallback={row.line ?? (row.line_before ? '' : '(no line)')}>
          <button
            type="button"
            class="link"
            title={`Source, line ${row.line}`}
            onClick={() =>
              goToPlace(
                app,
                props.func,
                { ...(file.name !== props.func.file && { file: file.name }), line: row.line! },
                'function',
              )
            }
          >
            {row.line}
          </button>
        </Show>
      </td>
      <td class="beside-text beside-new">{visibleCode(row.text ?? '')}</td>
      <CostCell
        app={app}
        cost={row.self}
        before={row.self_before}
        most={props.most}
        shown={!!row.line || !row.line_before}
      />
    </tr>
  );
}

function CostCell(props: { app: App; cost: Cost; before?: Cost; most: Cost; shown: boolean }): JSX.Element {
  const width = () => share(magnitude(props.cost), props.most) ?? 0;
  const look = () =>
    props.before === undefined || props.cost === props.before ? '' : props.cost > props.before ? 'more' : 'less';
  return (
    <td class="number beside-cost">
      <Show when={props.shown && !isZero(props.cost)}>
        <span class={`beside-bar ${look()}`} style={{ transform: `scaleX(${width()})` }} />
        <span class={look()}>
          <CostText app={props.app} cost={props.cost} />
        </span>
      </Show>
    </td>
  );
}
