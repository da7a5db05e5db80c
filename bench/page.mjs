// Measures the page in Chromium: how soon something useful is there, how long an interaction takes, how smoothly a
// list scrolls, how much memory the page needs.
//
//   node bench/page.mjs CALLCOST PAGE OPENED REPORTED LARGE FUNCTIONS
//
// PAGE is page.html; the others are profiles: one that 'callcost view' opens, one in a report, one that is dropped on the
// page, and one of many functions. Prints the figures as JSON: milliseconds, frames a second, bytes.

import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { chromium } from '../web/node_modules/playwright-core/index.mjs';

const [callcost, page_file, opened, reported, large, functions] = process.argv.slice(2);
const rows = '.functions-body .table-body [role=row] [role=gridcell]';
const patience = 120_000; // milliseconds

const executable = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(path => existsSync(path));
if (!executable) throw new Error('no Chromium: install chromium-headless-shell');
const browser = await chromium.launch({ executablePath: executable, args: ['--no-sandbox', '--disable-gpu'] });
const folder = mkdtempSync(join(tmpdir(), 'callcost-bench-'));

async function new_page() {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(patience);
  await page.goto('about:blank');
  return page;
}

// Looks at every frame; waitForSelector() looks less and less often, in the end twice a second.
const first_rows = page => page.waitForFunction(selector => document.querySelector(selector), rows, { polling: 'raf' });

const servers = [];

// The address comes on standard output.
async function view(profile) {
  const server = spawn(callcost, ['view', '--no-open', '--quiet', profile], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [address] = await new Promise(resolve => createInterface(server.stdout).once('line', (...line) => resolve(line)));
  servers.push(server);
  return { server, address };
}

// From the start of the command to the first rows on the screen.
async function first_paint_of_view(profile) {
  const page = await new_page();
  const start = performance.now();
  const { server, address } = await view(profile);
  await page.goto(address);
  await first_rows(page);
  const time = performance.now() - start;
  server.kill();
  await page.close();
  return time;
}

async function first_paint_of_report(file) {
  const page = await new_page();
  const start = performance.now();
  await page.goto(`file://${file}`);
  await first_rows(page);
  const time = performance.now() - start;
  await page.close();
  return time;
}

const median = times => times.sort((a, b) => a - b)[times.length >> 1];

async function repeated(measure, rounds = 5) {
  const times = [];
  for (let round = 0; round < rounds; round++) times.push(await measure());
  return median(times);
}

// From an event in the page to the frame in which it shows: what, and milliseconds, the median of three.
async function interactions(page) {
  return page.evaluate(async () => {
    const find = selector => document.querySelector(selector);
    const frame = () => new Promise(done => requestAnimationFrame(done));
    async function timed(act, shows) {
      await new Promise(done => setTimeout(done, 300)); // whatever is still going on
      const start = performance.now();
      act();
      while (!shows()) {
        if (performance.now() - start > 20_000) throw new Error(`nothing happens: ${act}`);
        await frame();
      }
      await frame();
      return performance.now() - start;
    }
    const number_of_rows = () => find('.view-bar')?.innerText.replace(/\D/g, '') || undefined;
    const first_row = () => find('.functions-body .table-body [role=row]')?.innerText;
    const changes = what => {
      const before = what();
      return () => what() !== undefined && what() !== before;
    };
    const go = (fragment, shows) => timed(() => (location.hash = fragment), shows);
    const click = (element, shows) => timed(() => element.click(), shows);
    const header = name => [...document.querySelectorAll('.table-sort')].find(one => one.innerText.startsWith(name));
    const found = [];
    for (let round = 0; round < 3; round++) {
      // Each filter and each function is a new one: answers that are known already would take no time.
      const [letter, other] = ['ae', 'bi', 'co'][round];
      await go('functions', () => first_row() !== undefined);
      const times = {
        'sort by name': await click(header('Function'), changes(first_row)),
        'sort by inclusive cost': await click(header('Inclusive'), changes(first_row)),
        find: await go(`functions&search=${letter}`, changes(number_of_rows)),
        filter: await go(`functions&show=${other}`, changes(number_of_rows)),
      };
      await go('functions', changes(number_of_rows));
      const row = document.querySelectorAll('.functions-body .table-body [role=row]')[3 + round];
      times.select = await click(row, changes(() => find('.status-selection')?.innerText));
      const selected = location.hash.split('&').filter(member => /^(fn|in|of)=/.test(member)).join('&');
      times['opens callers and callees'] = await go(`callers&${selected}`, () => find('.callers [role=row]'));
      times['opens flame graph'] = await go(`flame&flame.chains=none&${selected}`, () => find('[role=treeitem]'));
      const item = () => document.querySelectorAll('[role=treeitem]')[5 + round];
      times.zoom = await timed(
        () => {
          const area = find('.picture-area');
          area.focus();
          for (const key of ['ArrowDown', 'ArrowDown', 'Enter'])
            area.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
        },
        () => item() && location.hash.includes('flame.zoom='),
      );
      times['opens treemap'] = await go('treemap', () => find('[role=treeitem]'));
      times['opens call graph'] = await go(`graph&${selected}`, () => find('[role=listbox] [role=option]'));
      found.push(times);
    }
    const middle = times => times.sort((a, b) => a - b)[1];
    return Object.fromEntries(Object.keys(found[0]).map(name => [name, middle(found.map(times => times[name]))]));
  });
}

// A second and a half of scrolling, a notch of the wheel every frame.
async function scrolling(page) {
  return page.evaluate(async () => {
    const frame = () => new Promise(done => requestAnimationFrame(done));
    location.hash = 'functions';
    while (!document.querySelector('.functions-body .table-body [role=row]')) await frame();
    const list = document.querySelector('.functions-body [role=grid]');
    await frame();
    const frames = 90;
    const start = performance.now();
    for (let i = 0; i < frames; i++) {
      list.scrollTop += 120;
      await frame();
    }
    return (1000 * frames) / (performance.now() - start);
  });
}

// Of the process of the page alone.
function renderer_memory() {
  let most = 0;
  for (const process of readdirSync('/proc').filter(name => /^\d+$/.test(name))) {
    try {
      if (!readFileSync(`/proc/${process}/cmdline`, 'latin1').includes('--type=renderer')) continue;
      const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${process}/status`, 'latin1'));
      most = Math.max(most, 1024 * Number(peak?.[1] ?? 0));
    } catch {
      // It has ended meanwhile.
    }
  }
  return most;
}

async function memory_of_page() {
  const page = await new_page();
  await page.goto(`file://${page_file}`);
  await page.setInputFiles('[data-pick]', large);
  await page.waitForSelector(rows);
  await page.evaluate(() => (location.hash = 'flame'));
  await page.waitForSelector('[role=treeitem]');
  const bytes = renderer_memory();
  await page.close();
  return bytes;
}

try {
  const report = join(folder, 'report.html');
  execFileSync(callcost, ['report', '--quiet', reported, '-o', report]);
  const figures = { view: await repeated(() => first_paint_of_view(opened)) };
  figures.report = await repeated(() => first_paint_of_report(report));
  const page = await new_page();
  const { address } = await view(functions);
  await page.goto(address);
  await page.waitForSelector(rows);
  figures.interactions = await interactions(page);
  figures.scrolling = await repeated(() => scrolling(page), 3);
  await page.close();
  figures.memory = await memory_of_page();
  console.log(JSON.stringify(figures));
} finally {
  for (const server of servers) server.kill();
  await browser.close();
  rmSync(folder, { recursive: true });
}
