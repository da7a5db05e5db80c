import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';

type Variables = Readonly<Record<string, string | undefined>>;
type Program = readonly [name: string, ...words: string[]];

/** What opens an address on a desktop; nothing where there is none. No shell reads it. */
export function programFor(platform: string, address: string, variables: Variables): Program | undefined {
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', address];
  if (platform === 'darwin') return ['open', address];
  return variables.DISPLAY || variables.WAYLAND_DISPLAY ? ['xdg-open', address] : undefined;
}

/** As the command knows it: BrowserStart. */
export type Start = 'started' | 'no_display' | 'none_found';

/** Opens the page in a file. */
export function openPage(path: string, platform: string, variables: Variables): Start {
  const program = programFor(platform, pathToFileURL(path).href, variables);
  if (program === undefined) return 'no_display';
  const [name, ...words] = program;
  try {
    const env = variables as NodeJS.ProcessEnv;
    const browser = spawn(name, words, { detached: true, stdio: 'ignore', env }).on('error', () => undefined);
    browser.unref();
    return browser.pid === undefined ? 'none_found' : 'started';
  } catch {
    return 'none_found'; // such as a PATH of what are no folders
  }
}
