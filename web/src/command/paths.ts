// The command knows one way of writing paths, with slashes from `/`. On Windows `C:\x` is `C:/x` for it, or `/C:/x` where
// a path has to begin at the root, and `\\server\share` is `//server/share`.

const drive = /^.*\/(?=[A-Za-z]:(?:[\\/]|$))/;

/** As Node.js takes it. What the command has put in front of a drive, taking it for a relative path, is left out. */
export function hostPath(path: string, isWindows: boolean): string {
  if (!isWindows) return path;
  const own = path.replace(drive, '');
  return /^[A-Za-z]:$/.test(own) ? `${own}/` : own;
}

/** An absolute path of Node.js, for the command. */
export function rootedPath(path: string, isWindows: boolean): string {
  if (!isWindows) return path;
  const slashes = path.replaceAll('\\', '/');
  return /^[A-Za-z]:/.test(slashes) ? `/${slashes}` : slashes;
}

/**
 * A drive behind something else is as a link to it: so the command finds out where such a path leads, and that it is not
 * below what is in front of it. Null: there is no such link, and nothing has to be looked at.
 */
export function windowsLink(path: string): string | null | undefined {
  const link = /^.+\/([A-Za-z]):((?:[\\/].*)?)$/s.exec(path);
  if (link) return `/${link[1]!.toUpperCase()}:${link[2]!.replaceAll('\\', '/') || '/'}`;
  return /^\/\/[^/]+(?:\/[^/]+)?$/.test(path) ? null : undefined; // a server, what it shares
}

const absolute = /^(?:[A-Za-z]:[\\/]|\\\\[^\\?.])/;

/**
 * A word of the command line. Backslashes become slashes in what is surely a path: one that begins with a drive or a
 * server, and one that is there. Expressions keep theirs.
 */
export function argument(word: string, isWindows: boolean, exists: (path: string) => boolean): string {
  if (!isWindows || !word.includes('\\')) return word;
  const option = /^-(?:-[a-z-]+=|[a-zA-Z](?=[A-Za-z]:\\|\\\\))/.exec(word)?.[0] ?? '';
  const value = word.slice(option.length);
  const folder = value.slice(0, value.lastIndexOf('\\'));
  if (!absolute.test(value) && !exists(value) && !(folder !== '' && exists(folder))) return word;
  return option + value.replaceAll('\\', '/');
}
