// Profiles in other formats, dropped on the page alone: from file://, without any network.

import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { expectQuiet, offlinePage, savedReport, type Watched } from './chromium';

const path = fileURLToPath(new URL('../../dist/page.html', import.meta.url));
const imports = fileURLToPath(new URL('../../../tests/imports/', import.meta.url));
const html = readFileSync(path, 'utf8');
const testAlone = test.runIf(html.includes('id="importer"'));
const rows = '.functions-body .table-body [role=row]';

async function openAlone(file = path): Promise<Watched> {
  const watched = await offlinePage();
  await watched.page.goto(`file://${file}`);
  await watched.page.waitForSelector('.start, .shell-view');
  return watched;
}

async function choose({ page }: Watched, name: string, pack = (bytes: Buffer) => bytes) {
  const buffer = pack(readFileSync(imports + name));
  await page.setInputFiles('[data-pick]', { name: name.replace(/.*\//, ''), mimeType: '', buffer });
}

for (const [name, about, total, pack] of [
  ['evented-two-threads.speedscope.json', 'speedscope profile, 2 threads, 12 samples', '464,325,000'],
  ['go-cpu.pb', 'pprof profile, 33 stacks', '440,000,000', gzipSync],
  ['node.cpuprofile', 'V8 CPU profile, 135 samples (20,720 us before the first sample are not counted)', '706,919'],
  ['gecko.firefox.json', 'Firefox profile, 3 processes, 3 threads, 194 samples; 17 frames have only an address', '194'],
] as const)
  testAlone(`${name} opens, and says what it is`, async () => {
    const watched = await openAlone();
    const { page } = watched;
    await choose(watched, name, pack);
    await page.waitForSelector(rows);
    expect(await page.locator('.summary-about').innerText()).toContain(about);
    expect(await page.locator('.status .number').first().innerHTML()).toContain(total); // beside its unit, on hover
    expectQuiet(watched);
  });

testAlone('what is no profile is named, and what stays is shown', async () => {
  const watched = await openAlone();
  const { page } = watched;
  await choose(watched, 'others/gmon.out');
  await expect.poll(() => page.locator('.start-problem').innerText()).toMatch(/gmon\.out file.*\n.*gprof PROGRAM/);
  await choose(watched, 'tracegrind-v6.msgpack.lz4');
  await expect.poll(() => page.locator('.start-problem').innerText()).toMatch(/version 6 of tracegrind's format/);
});

testAlone('a page without the importer says what reads the file', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'callcost-page-')), 'page.html');
  writeFileSync(file, html.replace(/^.* id="importer">.*\n/m, ''));
  const watched = await openAlone(file);
  await choose(watched, 'go-cpu.pb');
  await expect.poll(() => watched.page.locator('.start-problem').innerText()).toMatch(/\n.*callcost view FILE/);
});

testAlone('a saved page has the profile and what it was', async () => {
  const watched = await openAlone();
  const { page } = watched;
  await choose(watched, 'go-cpu.pb');
  await page.waitForSelector(rows);
  const about = await page.locator('.summary-about').innerText();
  const saved = join(mkdtempSync(join(tmpdir(), 'callcost-page-')), 'saved.html');
  await savedReport(page, saved);
  expect(readFileSync(saved, 'utf8')).not.toContain('id="importer"');
  const again = await openAlone(saved);
  await again.page.waitForSelector(rows);
  expect(await again.page.locator('.summary-about').innerText()).toBe(about);
});
