import { expect, test } from 'vitest';
import { openPage, programFor } from '../../../src/command/open_page';

const address = "file:///tmp/a%20b;$(x)'.html";

test('each desktop has a program of its own, and none is started by a shell', () => {
  expect(programFor('win32', address, {})).toEqual(['rundll32', 'url.dll,FileProtocolHandler', address]);
  expect(programFor('darwin', address, {})).toEqual(['open', address]);
  expect(programFor('linux', address, { DISPLAY: ':0' })).toEqual(['xdg-open', address]);
  expect(programFor('linux', address, { WAYLAND_DISPLAY: 'w', BROWSER: 'firefox' })).toEqual(['firefox', address]);
  expect(programFor('linux', address, {})).toBeUndefined();
});

test('says whether a program was found', () => {
  expect(openPage('a.html', { DISPLAY: ':9', BROWSER: 'no-such-browser' })).toBe(false);
  expect(openPage('a.html', { DISPLAY: ':9', BROWSER: 'true' })).toBe(true);
});
