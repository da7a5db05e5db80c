// Builds the npm package from web/src/package, the engine and docs/javascript.md; and the command from web/src/command,
// the command as WebAssembly and the page.
//
//     node npm/build.mjs CALLCOST_WASM COMMAND_WASM PAGE_HTML FOLDER    callcost-VERSION.tgz in FOLDER
//
// importer.wasm and change_points.wasm are taken from beside CALLCOST_WASM. The manual pages are taken from man/ beside COMMAND_WASM;
// without it there are none.
//
// Needs the packages of web/ (npm ci).

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

const root = fileURLToPath(new URL('../', import.meta.url));
const web = join(root, 'web');
const scripts = ['package/browser', 'package/browser_worker', 'package/node', 'package/node_worker', 'command/command'];

// The one place that has it.
function version() {
  return /^project\(callcost VERSION (\S+)/m.exec(readFileSync(join(root, 'CMakeLists.txt'), 'utf8'))[1];
}

// Each script alone is whole: a bundler or a worker loads it without others. Comments name the sources as seen from `root`.
async function bundle(folder) {
  const fromWeb = createRequire(join(web, 'package.json'));
  const { rolldown } = await import(pathToFileURL(fromWeb.resolve('rolldown')).href);
  for (const name of scripts) {
    const made = await rolldown({ cwd: root, input: `web/src/${name}.ts`, external: /^node:/ });
    await made.write({ file: join(folder, `${basename(name)}.js`), format: 'esm', codeSplitting: false });
    await made.close();
  }
}

// The declarations that node.ts leads to. TypeScript wants to know that their imports are modules with an extension.
function declare(folder) {
  const all = mkdtempSync(join(tmpdir(), 'callcost-types-'));
  try {
    const compiler = join(web, 'node_modules/typescript/bin/tsc');
    const settings = ['-p', join(web, 'tsconfig.package.json'), '--outDir', all];
    execFileSync(process.execPath, [compiler, ...settings], { stdio: 'inherit' });
    const wanted = ['package/node.d.ts'];
    for (const name of wanted) {
      const text = readFileSync(join(all, name), 'utf8').replace(/(from ')(\.[^']+)(')/g, (_, from, other, end) => {
        const path = join(dirname(name), `${other}.d.ts`);
        if (!wanted.includes(path)) wanted.push(path);
        return `${from}${other}.js${end}`;
      });
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
  } finally {
    rmSync(all, { recursive: true });
  }
}

// Documents of the project, with links to what is in the package only.
function document(folder, documents) {
  const names = Object.values(documents);
  for (const [from, to] of Object.entries(documents)) {
    const text = readFileSync(join(root, from), 'utf8').replace(/\[([^\]]*)\]\(([^)\s]+)\)/g, (link, words, target) => {
      const isThere = /^(https?:|#)/.test(target) || names.includes(target.split('#')[0]);
      return isThere ? link : words;
    });
    writeFileSync(join(folder, to), text);
  }
}

// The command's, and that of the format; not the C++ library's. Their names, for package.json: npm installs them with `-g`.
function manuals(from, folder) {
  if (!existsSync(from)) {
    console.warn(`no manual pages: there is no ${from}`);
    return undefined;
  }
  const sources = readdirSync(join(root, 'man')).filter(name => /\.[15]\.scd$/.test(name));
  const names = sources.map(name => name.replace('.scd', '.gz'));
  mkdirSync(join(folder, 'man'));
  for (const name of names) copyFileSync(join(from, name), join(folder, 'man', name));
  return names.sort().map(name => `./man/${name}`);
}

async function main([wasm, command, page, target]) {
  const folder = mkdtempSync(join(tmpdir(), 'callcost-npm-'));
  try {
    await bundle(folder);
    declare(join(folder, 'types'));
    copyFileSync(wasm, join(folder, 'callcost.wasm'));
    for (const name of ['importer.wasm', 'change_points.wasm'])
      copyFileSync(join(dirname(wasm), name), join(folder, name));
    copyFileSync(command, join(folder, 'command.wasm'));
    writeFileSync(join(folder, 'page.html.gz'), gzipSync(readFileSync(page), { level: 9 }));
    chmodSync(join(folder, 'command.js'), 0o755);
    copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
    copyFileSync(join(root, 'npm/NOTICES.md'), join(folder, 'NOTICES.md'));
    document(folder, { 'docs/javascript.md': 'README.md', 'docs/protocol.md': 'protocol.md' });
    const manifest = JSON.parse(readFileSync(join(root, 'npm/package.json'), 'utf8'));
    manifest.version = version();
    manifest.man = manuals(join(dirname(command), 'man'), folder);
    manifest.files = readdirSync(folder).sort();
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    mkdirSync(target, { recursive: true });
    execFileSync('npm', ['pack', '--silent', '--pack-destination', resolve(target)], { cwd: folder, stdio: 'inherit' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

await main(process.argv.slice(2));
