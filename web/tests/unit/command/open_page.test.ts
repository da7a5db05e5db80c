import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openPage, programFor } from '../../../src/command/open_page';

const address = "file:///tmp/a%20b;$(x)'.html";

test('each desktop has a program of its own, and none is started by a shell', () => {
  expect(programFor('win32', address, {})).toEqual(['rundll32', 'url.dll,FileProtocolHandler', address]);
  expect(programFor('darwin', address, {})).toEqual(['open', address]);
  expect(programFor('linux', address, { DISPLAY: ':0' })).toEqual(['xdg-open', address]);
  expect(programFor('linux', address, { WAYLAND_DISPLAY: 'w' })).toEqual(['xdg-open', address]);
  expect(programFor('linux', address, {})).toBeUndefined();
});

test('says whether a program was started', async () => {
  expect(openPage('a.html', 'linux', {})).toBe('no_display');
  expect(openPage('a.html', 'linux', { DISPLAY: ':9', PATH: '/nonexistent' })).toBe('none_found');
  expect(openPage('a.html', 'linux', { DISPLAY: ':9', PATH: '/etc/passwd/x' })).toBe('none_found');
  const folder = mkdtempSync(join(tmpdir(), 'callcost-open-'));
  try {
    writeFileSync(join(folder, 'xdg-open'), '#!/bin/sh\n: > "$0.done"\n');
    chmodSync(join(folder, 'xdg-open'), 0o755);
    expect(openPage('a.html', 'linux', { DISPLAY: ':9', PATH: folder })).toBe('started');
    await expect.poll(() => existsSync(join(folder, 'xdg-open.done')), { timeout: 10_000 }).toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
