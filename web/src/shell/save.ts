// What can be saved: the data by the engine. Pictures are the views' own business (app.pictures).

import type { App } from '../app';
import { bytes_of_base64 } from '../blocks';
import type { MenuItem } from '../components/menu';
import { save_file } from '../components/save_file';
import type { ExportFormat } from '../engine/protocol';
import { has_engine, type Input } from '../opening';
import { page_of } from './save_page';

const formats: { format: ExportFormat; label: string; detail: string }[] = [
  { format: 'callgrind', label: 'Callgrind', detail: 'the profile, in canonical form' },
  { format: 'folded', label: 'Folded stacks', detail: 'for flame graphs; estimated' },
  { format: 'speedscope', label: 'speedscope', detail: 'estimated' },
  { format: 'pprof', label: 'pprof', detail: 'estimated' },
  { format: 'dot', label: 'DOT', detail: 'the call graph for Graphviz' },
];

async function save(app: App, format: ExportFormat) {
  try {
    const { name, type, base64 } = await app.ask(app.question({ ask: 'export', format }));
    save_file(name, type, bytes_of_base64(base64));
    app.toast(`Saved ${name}`);
  } catch (reason) {
    app.toast((reason as Error).message);
  }
}

// This page with the profile in it, if it has the engine that can open it again.
async function save_page(app: App, inputs: Input[]) {
  try {
    save_file('report.html', 'text/html', await page_of(inputs));
    app.toast('Saved report.html');
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
            detail: 'page and profile, without sources',
            run: () => void save_page(app, inputs),
          },
        ]
      : []),
    ...(offered.length > 0 ? [{ kind: 'title' as const, label: 'The data' }] : []),
    ...offered.map(({ format, label, detail }) => ({ label, detail, run: () => void save(app, format) })),
  ];
}
