// What can be saved or copied: the data by the engine. Pictures are the views' own business (app.pictures.all).

import type { App } from '../app/app';
import type { Toasts } from '../app/notices';
import type { MenuItem } from '../components/menu';
import { saveFile } from '../components/save_file';
import { commandOf } from '../model/command_line';
import { bytes, counted } from '../model/format';
import { printable } from '../model/visible';
import { bytesOfBase64, gzip, isGzip } from '../opening/blocks';
import { hasEngine, type Input } from '../opening/opening';
import type { ExportFormat, PartRow } from '../protocol/protocol';
import { pageOf, type Wanted } from './save_page';

// All but Callgrind are formats of call stacks, which few profiles have.
const formats: { format: ExportFormat; label: string; detail?: string }[] = [
  { format: 'callgrind', label: 'Callgrind', detail: 'the profile, in compact form' },
  { format: 'folded', label: 'Folded stacks (for flame graphs)' },
  { format: 'speedscope', label: 'speedscope' },
  { format: 'pprof', label: 'pprof' },
];

async function save(app: App, format: ExportFormat) {
  try {
    const {
      name,
      type,
      base64,
      needs_gzip: needsGzip,
    } = await app.answers.ask(app.answers.question({ ask: 'export', format }));
    const bytes = bytesOfBase64(base64);
    saveFile(name, type, needsGzip ? await gzip(new Blob([bytes])) : bytes);
    app.toasts.show(`Saved ${name}`);
  } catch (reason) {
    app.toasts.show((reason as Error).message);
  }
}

// The profile as it came into the page.
async function saveInput(toasts: Toasts, { name, data }: Input) {
  const content = await data();
  const end = (await isGzip(content)) && !name.endsWith('.gz') ? '.gz' : '';
  saveFile(name + end, 'application/octet-stream', content);
  toasts.show(`Saved ${printable(name, 100)}${end}`);
}

// This page with the profile in it, if it has the engine that can open it again.
export async function savePage(app: App, inputs: Input[], wanted: Wanted) {
  try {
    const { html, leftOut } = await pageOf(app.answers.engine, inputs, wanted);
    saveFile('report.html', 'text/html', html);
    const but = leftOut > 0 ? `, without ${counted(leftOut, 'source file')} (size limit)` : '';
    app.toasts.show(`Saved report.html, ${bytes(html.length)}${but}`);
  } catch (reason) {
    app.toasts.show((reason as Error).message);
  }
}

// The rows of the list of parts are needed where some are chosen.
async function copyCommand(app: App) {
  const copy = (parts: PartRow[]) => {
    const { text, without } = commandOf(app.state, app.profile(), parts);
    return app.copy(text, without.length > 0 ? `the command, without ${without.join(', ')}` : 'the command');
  };
  if (app.state.parts.length === 0) return copy([]);
  try {
    await copy((await app.answers.ask(app.answers.question({ ask: 'parts' as const, limit: 100_000 }))).rows);
  } catch (reason) {
    app.toasts.show((reason as Error).message);
  }
}

export function saveItems(app: App, inputs: Input[], share: () => void): MenuItem[] {
  const pictures = app.pictures.all();
  const stacks = app.profile().has.stacks ? 'call stacks as recorded' : 'estimated';
  const offered = formats.filter(({ format }) => app.profile().formats?.includes(format));
  return [
    { kind: 'title' as const, label: 'This view' },
    { label: 'Copy as command', run: () => void copyCommand(app) },
    ...pictures.map(picture => ({ label: picture.label, run: () => picture.save() })),
    ...(hasEngine()
      ? [
          { kind: 'title' as const, label: 'This page' },
          {
            label: 'Report (HTML)…',
            detail: 'this view with its profile',
            run: share,
          },
        ]
      : []),
    { kind: 'title' as const, label: 'The data' },
    ...(app.kind === 'page' ? inputs : []).map(input => ({
      label: printable(input.name, 60),
      detail: 'the profile itself',
      run: () => void saveInput(app.toasts, input),
    })),
    ...offered.map(({ format, label, detail }) => ({
      label,
      detail: detail ?? stacks,
      run: () => void save(app, format),
    })),
  ];
}
