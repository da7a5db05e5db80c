// What `callcost report` writes, from file:// and without any network.

import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { expectQuiet, offlinePage, profile, savedReport, type Watched } from './chromium';

const rows = '.functions-body .table-body [role=row]';
const sourceLine = '.source [role=row]';

function command(): string {
  const places = [process.env.CALLCOST, fileURLToPath(new URL('../../../build/dev/callcost', import.meta.url))];
  const found = places.find(place => place && existsSync(place));
  if (!found) throw new Error('no callcost: build it (ninja -C build/dev callcost), or name it in CALLCOST');
  return found;
}

const directory = () => mkdtempSync(`${tmpdir()}/callcost-`);

function report(...words: string[]): string {
  const file = `${directory()}/report.html`;
  // A damaged profile is reported, but the command ends with a status that says so.
  try {
    execFileSync(command(), ['report', '--quiet', ...words, '-o', file]);
  } catch (reason) {
    if (!existsSync(file)) throw reason;
  }
  return file;
}

async function openReport(file: string, at = ''): Promise<Watched> {
  const watched = await offlinePage();
  await watched.page.goto(`file://${file}${at && `#${at}`}`);
  await watched.page.waitForSelector('.shell-view');
  return watched;
}

const costs = (cost: number) =>
  `events: Ir\nfl=sum.c\nfn=sum\n2 ${cost}\nfn=main\n5 3\ncfn=sum\ncalls=2 2\n5 ${cost}\n`;
const text =
  'int sum(int n) {\n  return n ? n + sum(n - 1) : 0; // </script><img src=x>\n}\nint main() {\n  sum(9);\n}\n';

// A profile and its source in a directory of their own.
function program(cost: number, { sourceTime = 0, profileTime = 1 } = {}): string {
  const place = directory();
  writeFileSync(`${place}/sum.c`, text);
  writeFileSync(`${place}/callgrind.out.1`, costs(cost));
  const hour = 3600;
  const past = Date.now() / 1000 - 100 * hour;
  for (const [name, time] of [
    ['sum.c', sourceTime],
    ['callgrind.out.1', profileTime],
  ] as const)
    utimesSync(`${place}/${name}`, past + time * hour, past + time * hour);
  return `${place}/callgrind.out.1`;
}

test('the source files are in the report, and in a page that it saves', async () => {
  const watched = await openReport(report(program(70)), 'source&fn=sum');
  const { page } = watched;
  await expect.poll(() => page.locator(sourceLine).nth(2).innerText()).toMatch(/70[\s\S]*<\/script><img src=x>/);
  expect(await page.locator('.source-strip.warning').count()).toBe(0);
  const again = await openReport(await saved(watched), 'source&fn=sum');
  await expect.poll(() => again.page.locator(sourceLine).nth(2).innerText()).toMatch(/70[\s\S]*<img src=x>/);
  expectQuiet(watched);
  expectQuiet(again);
});

async function saved({ page }: Watched, item?: RegExp): Promise<string> {
  const file = `${directory()}/again.html`;
  if (!item) {
    await savedReport(page, file);
    return file;
  }
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const saving = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: item }).click();
  await (await saving).saveAs(file);
  return file;
}

test('recorded call stacks are in the report, and in a page that it saves', async () => {
  const folded = `${directory()}/stacks.folded`;
  writeFileSync(folded, 'start;backup;read 4\nstart;backup;write 4\n');
  const watched = await openReport(report(folded), 'flame');
  const certain = ({ page }: Watched) => page.locator('.picture-certain').innerText();
  await expect.poll(() => certain(watched)).toBe('Exact: call stacks as recorded');
  const again = await openReport(await saved(watched), 'flame');
  await expect.poll(() => certain(again)).toBe('Exact: call stacks as recorded');
  const exported = await saved(again, /^Folded stacks.*call stacks as recorded/);
  expect(readFileSync(exported, 'utf8')).toBe('start;backup;read 4\nstart;backup;write 4\n');
  expectQuiet(watched);
  expectQuiet(again);
});

test('a source file that is newer than the profile is said to be', async () => {
  const watched = await openReport(report(program(70, { sourceTime: 2 })), 'source&fn=sum');
  await expect.poll(() => watched.page.locator('.source-strip.warning').innerText()).toMatch(/changed after/);
  expectQuiet(watched);
});

test('what is odd in the files is in the report', async () => {
  const watched = await openReport(report(profile('hostile/truncated-mid-cost.out')));
  const { page } = watched;
  await page.locator('.status-problems').click();
  const odd = page.getByRole('dialog', { name: 'Diagnostics' });
  expect(await odd.innerText()).toMatch(/truncated-mid-cost\.out:\d+/);
  expectQuiet(watched);
});

test('two profiles are compared, and swapped without losing the source', async () => {
  const watched = await openReport(report(program(90), '--diff', program(70)));
  const { page } = watched;
  await page.waitForSelector('.difference-changed');
  await page.keyboard.press('1');
  await expect
    .poll(() => page.locator(rows).first().innerText())
    .toMatch(/sum[\s\S]*90[\s\S]*20|20[\s\S]*90[\s\S]*sum/);
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await page.getByRole('menuitem', { name: /^Swap/ }).click();
  await expect.poll(() => page.locator(rows).first().innerText()).toMatch(/70/);
  await page.evaluate(() => {
    location.hash = 'source&fn=sum';
  });
  await expect.poll(() => page.locator(sourceLine).nth(2).innerText()).toMatch(/<img src=x>/);
  expectQuiet(watched);
});

test('recorded call stacks are drawn plain: nothing is estimated', async () => {
  const place = directory();
  writeFileSync(`${place}/stacks.folded`, 'main;a;b 50\nmain;a;c 30\nmain;d 20\n');
  const watched = await openReport(report(`${place}/stacks.folded`), 'flame&search=a');
  const { page } = watched;
  const items = '.picture-area [role=treeitem]';
  await page.waitForSelector(items);
  const bar = await page.locator('.picture-bar').innerText();
  expect(bar).toContain('Exact: call stacks as recorded');
  expect(bar).not.toMatch(/certain|estimated|~/i);
  const texts = (await page.locator(items).allTextContents()).join('\n');
  expect(texts).toContain('inclusive 100 samples');
  expect(texts).not.toMatch(/exactly|estimated|between/);
  await page.locator('.picture-area').focus();
  await page.keyboard.press('c');
  expect(page.url()).not.toContain('certain');
  expectQuiet(watched);
});

const code = `  10:\t01 d0 90 \tadd %edx,%eax
  13:\t75 fb \tjne 10 <sum>
  15:\t48 01 c0 \tadd %rax,%rax
  18:\tc3 \tret
`;
const placed = `sum():
sum.c:2
  10:\t01 d0 90 \tadd %edx,%eax
  13:\t75 fb \tjne 10 <sum>
twice():
add.h:7
inlined by sum.c:3 (sum)
  15:\t48 01 c0 \tadd %rax,%rax
sum():
sum.c:4
  18:\tc3 \tret
`;

// A profile with instruction addresses, and a disassembler that knows its program.
function machineProgram(): string[] {
  const place = directory();
  writeFileSync(`${place}/sum.c`, text);
  writeFileSync(`${place}/prog`, '');
  utimesSync(`${place}/prog`, 1, 1);
  writeFileSync(`${place}/code`, code);
  writeFileSync(`${place}/placed`, placed);
  writeFileSync(
    `${place}/objdump`,
    `#!/bin/sh\ncase "$*" in *--inlines*) exec cat ${place}/placed ;; *) exec cat ${place}/code ;; esac\n`,
  );
  chmodSync(`${place}/objdump`, 0o755);
  writeFileSync(
    `${place}/callgrind.out.1`,
    'version: 1\ncreator: callgrind-3.19\npositions: instr line\nevents: Ir\nob=prog\nfl=sum.c\nfn=sum\n0x10 2 30\njcnd=9/10 0x10 2\n' +
      '0x13 2\n0x13 2 10\nfi=add.h\n0x15 7 40\nfe=sum.c\n0x18 4 1\n',
  );
  return [`${place}/callgrind.out.1`, '--objdump', `${place}/objdump`];
}

test('machine code and control flow are in the report, and in a page that it saves', async () => {
  const watched = await openReport(report(...machineProgram()), 'code&fn=sum');
  const again = await openReport(await saved(watched), 'code&fn=sum');
  for (const { page } of [watched, again]) {
    await expect
      .poll(() => page.locator('.source-body [role=row]').allInnerTexts())
      .toEqual(expect.arrayContaining([expect.stringMatching(/40[\s\S]*add[\s\S]*%rax,%rax/)]));
    await page.evaluate(() => {
      location.hash = 'blocks&fn=sum';
    });
    await page.waitForSelector('.flow-block');
    expect(await page.locator('.flow-block').count()).toBeGreaterThan(1);
  }
  expectQuiet(watched);
  expectQuiet(again);
});

test('what was inlined is at its line, and unfolds', async () => {
  const watched = await openReport(report(...machineProgram()), 'source&fn=sum');
  const { page } = watched;
  const line = page.locator(sourceLine).filter({ hasText: '1 inlined line' });
  await expect.poll(() => line.innerText()).toMatch(/40[\s\S]*\b3\b/);
  await line.getByRole('button', { name: /inlined code/ }).click();
  const inlined = page.locator(sourceLine).filter({ hasText: 'add.h:7' });
  await expect.poll(() => inlined.innerText()).toMatch(/40[\s\S]*twice/);
  expectQuiet(watched);
});

test('a report without machine code says so', async () => {
  const watched = await openReport(report(...machineProgram(), '--no-code'), 'source&fn=sum');
  const unplaced = watched.page.locator(sourceLine).filter({ hasText: 'it is not known where' });
  await expect.poll(() => unplaced.innerText()).toMatch(/40/);
  expectQuiet(watched);
});

test('inlined code is functions of its own, also in a page that it saves', async () => {
  const file = report(profile('../inlining/hot.out'));
  const block = gzipSync(readFileSync(profile('../inlining/hot.json'))).toString('base64');
  const html = readFileSync(file, 'utf8')
    .replace('"block":"p0"', '"block":"p0","inlined":"i0"')
    .replace(/(<script [^>]*id=")p0"/, `$1i0">${block}</script>$&`);
  writeFileSync(file, html);
  const watched = await openReport(file);
  const again = await openReport(await saved(watched));
  for (const { page } of [watched, again]) {
    const list = () => page.locator(rows).allInnerTexts();
    await expect.poll(list).toContainEqual(expect.stringMatching(/25\.00\s%\s+1\s[\s\S]*hot/));
    expect(await list()).toContainEqual(expect.stringMatching(/100\.00\s%\s+~3\s[\s\S]*mid/));
    await page.evaluate(() => {
      location.hash = 'callers&fn=hot';
    });
    await expect.poll(() => page.locator('.tag').allInnerTexts()).toContain('⊂ inlined in main');
    await page.evaluate(() => {
      location.hash = 'flame';
    });
    const frames = page.locator('.picture-area [role=treeitem]');
    await expect
      .poll(async () => (await frames.allTextContents()).map(text => text.split(',')[0]))
      .toEqual(expect.arrayContaining(['main', 'mid (inlined)', 'hot (inlined)', 'hot']));
  }
  expectQuiet(watched);
  expectQuiet(again);
});
