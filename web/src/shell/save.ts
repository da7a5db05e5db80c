// What can be saved: the data by the engine. Pictures are the views' own business (app.pictures).

import type { App } from '../app';
import { bytes_of_base64, gzip, is_gzip } from '../blocks';
import type { MenuItem } from '../components/menu';
import { save_file } from '../components/save_file';
import type { ExportFormat } from '../engine/protocol';
import { counted } from '../model/format';
import { printable } from '../model/visible';
import { has_engine, type Input } from '../opening';
import { page_of } from './save_page';

const formats: { format: ExportFormat; label: string; detail: string }[] = [
  { format: 'callgrind', label: 'Callgrind', detail: 'the profile, in compact form' },
  { format: 'folded', label: 'Folded stacks', detail: 'for flame graphs; estimated' },
  { format: 'speedscope', label: 'speedscope', detail: 'estimated' },
  { format: 'pprof', label: 'pprof', detail: 'estimated' },
];

async function save(app: App, format: ExportFormat) {
  try {
    const { name, type, base64, needs_gzip } = await app.ask(app.question({ ask: 'export', format }));
    const bytes = bytes_of_base64(base64);
    save_file(name, type, needs_gzip ? await gzip(new Blob([bytes])) : bytes);
    app.toast(`Saved ${name}`);
  } catch (reason) {
    app.toast((reason as Error).message);
  }
}

// The profile as it came into the page.
async function save_input(app: App, { name, data }: Input) {
  const content = await data();
  const end = (await is_gzip(content)) && !name.endsWith('.gz') ? '.gz' : '';
  save_file(name + end, 'application/octet-stream', content);
  app.toast(`Saved ${printable(name, 100)}${end}`);
}

// This page with the profile in it, if it has the engine that can open it again.
async function save_page(app: App, inputs: Input[]) {
  try {
    const { html, left_out } = await page_of(app.engine, inputs, app.profile().has.sources);
    save_file('report.html', 'text/html', html);
    const but = left_out > 0 ? ` without ${counted(left_out, 'source file')}, as it would be too large` : '';
    app.toast(`Saved report.html${but}`);
  } catch (reason) {
    app.toast((reason as Error).message);
  }
}

export function save_items(app: App, inputs: Input[]): MenuItem[] {
  const pictures = app.pictures();
  const offered = formats.filter(({ format }) => app.profile().formats?.includes(format));
  return [
    ...(pictures.length > 0 ? [{ kind: 'title' as const, label: 'This view' }] : []),
    ...pictures.map(picture => ({ label: picture.label, run: () => picture.save() })),
    ...(has_engine()
      ? [
          { kind: 'title' as const, label: 'This page' },
          {
            label: 'Report (HTML)',
            detail: app.profile().has.sources ? 'page, profile, source files' : 'page and profile',
            run: () => void save_page(app, inputs),
          },
        ]
      : []),
    { kind: 'title' as const, label: 'The data' },
    ...(app.kind === 'page' ? inputs : []).map(input => ({
      label: printable(input.name, 60),
      detail: 'the profile itself',
      run: () => void save_input(app, input),
    })),
    ...offered.map(({ format, label, detail }) => ({ label, detail, run: () => void save(app, format) })),
  ];
}
