// Pictures of every view for the documents: pictures.mjs CALLCOST SOURCES PROFILE OLDER FOLDER

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { chromium } from 'playwright-core';

const [callcost, sources, profile, older, folder] = process.argv.slice(2);

// What is looked at, by the name of the picture: the address, and what to wait for.
const evaluate = 'fn=double+demo::evaluate<double>(demo::Formula+const%26,+double)';
const views = {
  functions: ['functions', '.functions-body .table-body [role=row]'],
  callers: ['callers&fn=main', '.calls [role=row]'],
  flame: ['flame', '.picture-area [role=treeitem]'],
  treemap: ['treemap', '.picture-area [role=treeitem]'],
  graph: ['graph&fn=main', '.graph-node'],
  source: [`source&${evaluate}`, '.listing-body [role=row]'],
  code: [`code&${evaluate}`, '.listing-body [role=row]'],
  blocks: [`blocks&${evaluate}`, '.flow-block'],
  difference: ['difference', '.difference-changed'],
};
const sizes = {
  1280: { viewport: { width: 1280, height: 800 } },
  390: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};

async function serve(...options) {
  const child = spawn(callcost, ['view', '--no-open', '-I', sources, ...options, profile]);
  const address = await new Promise((resolve, reject) => {
    let text = '';
    const read = bytes => {
      text += bytes;
      const found = /http:\/\/\S+/.exec(text);
      if (found) resolve(found[0]);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('exit', () => reject(new Error(text)));
  });
  return { address, end: () => child.kill() };
}

const program = [process.env.CHROMIUM, '/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(
  path => path && existsSync(path),
);
const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox', '--disable-gpu'] });
const [one, both] = [await serve(), await serve('--diff', older)];
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
try {
  for (const [width, size] of Object.entries(sizes)) {
    for (const colorScheme of ['light', 'dark']) {
      const context = await browser.newContext({ ...size, colorScheme, reducedMotion: 'reduce' });
      for (const [name, [at, ready]] of Object.entries(views)) {
        const page = await context.newPage();
        await page.goto(`${name === 'difference' ? both.address : one.address}#${at}`);
        await page.waitForSelector(ready);
        await page.waitForLoadState('networkidle');
        await page.waitForTimeout(300);
        const client = await context.newCDPSession(page);
        const { data } = await client.send('Page.captureScreenshot', { format: 'webp', quality: 60 });
        writeFileSync(`${folder}/${name}-${colorScheme}-${width}.webp`, Buffer.from(data, 'base64'));
        await page.close();
      }
      await context.close();
    }
  }
} finally {
  one.end();
  both.end();
  await browser.close();
}
