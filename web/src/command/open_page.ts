import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';

type Variables = Readonly<Record<string, string | undefined>>;
type Program = readonly [name: string, ...words: string[]];

/** What opens an address on a desktop; nothing where there is none. No shell reads it. */
export function programFor(
  platform: string,
  address: string,
  { DISPLAY, WAYLAND_DISPLAY, BROWSER }: Variables,
): Program | undefined {
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', address];
  if (platform === 'darwin') return ['open', address];
  return DISPLAY || WAYLAND_DISPLAY ? [BROWSER || 'xdg-open', address] : undefined;
}

/** The page in a file. False: there is no browser for it. */
export function openPage(path: string, variables: Variables): boolean {
  const program = programFor(process.platform, pathToFileURL(path).href, variables);
  if (program === undefined) return false;
  const [name, ...words] = program;
  const browser = spawn(name, words, { detached: true, stdio: 'ignore' }).on('error', () => undefined);
  browser.unref();
  return browser.pid !== undefined;
}
