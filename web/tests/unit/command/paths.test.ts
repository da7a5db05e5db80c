import { describe, expect, it } from 'vitest';
import { argument, hostPath, rootedPath, windowsLink } from '../../../src/command/paths';

describe('paths of the command', () => {
  it('are those of Linux there', () => {
    for (const path of ['/a/b', 'a\\b', 'C:/x', '/x/C:/y']) {
      expect(hostPath(path, false)).toBe(path);
      expect(rootedPath(path, false)).toBe(path);
      expect(argument(path, false, () => true)).toBe(path);
    }
  });

  it('begin at the root on Windows, too', () => {
    expect(rootedPath('C:\\Users\\me', true)).toBe('/C:/Users/me');
    expect(rootedPath('\\\\server\\share\\x', true)).toBe('//server/share/x');
    expect(rootedPath('sub\\x', true)).toBe('sub/x');
  });

  it('come back from the command', () => {
    for (const [own, host] of [
      ['/C:/Users/me/p.out', 'C:/Users/me/p.out'],
      ['C:/x/p.out', 'C:/x/p.out'],
      ['/C:/Users/me/D:/x/p.out', 'D:/x/p.out'], // taken for a relative path
      ['/C:/Users/me/C:\\xampp\\a.php', 'C:\\xampp\\a.php'],
      ['./C:/x', 'C:/x'],
      ['/C:', 'C:/'],
      ['C:', 'C:/'],
      ['//server/share/x', '//server/share/x'],
      ['sub/p.out', 'sub/p.out'],
      ['/tmp/x', '/tmp/x'],
    ] as const)
      expect(hostPath(own, true), own).toBe(host);
  });
});

describe('links on Windows', () => {
  it('lead from a drive behind something else to the drive', () => {
    expect(windowsLink('/C:/Users/me/D:')).toBe('/D:/');
    expect(windowsLink('/C:/Users/me/c:\\secret\\a.php')).toBe('/C:/secret/a.php');
    expect(windowsLink('/C:')).toBeUndefined();
    expect(windowsLink('/C:/Users/me')).toBeUndefined();
    expect(windowsLink('//server')).toBeNull();
    expect(windowsLink('//server/share')).toBeNull();
    expect(windowsLink('//server/share/x')).toBeUndefined();
  });
});

describe('words of the command line on Windows', () => {
  const there = new Set(['sub\\p.out', 'sub', 'out']);
  const word = (text: string): string => argument(text, true, path => there.has(path));

  it('are paths if they begin with a drive or a server', () => {
    expect(word('C:\\xampp\\tmp\\cachegrind.out.123')).toBe('C:/xampp/tmp/cachegrind.out.123');
    expect(word('\\\\server\\share\\p.out')).toBe('//server/share/p.out');
    expect(word('--output=D:\\out\\x.html')).toBe('--output=D:/out/x.html');
    expect(word('-oD:\\out\\x.html')).toBe('-oD:/out/x.html');
    expect(word('--source-map=C:\\xampp=D:\\src')).toBe('--source-map=C:/xampp=D:/src');
  });

  it('are paths if they are there, or their folder is', () => {
    expect(word('sub\\p.out')).toBe('sub/p.out');
    expect(word('out\\new.html')).toBe('out/new.html');
    expect(word('-o')).toBe('-o');
    expect(word('--output=out\\new.html')).toBe('--output=out/new.html');
  });

  it('keep their backslashes else', () => {
    for (const text of [
      'App\\Model\\User',
      're:^App\\\\',
      '--focus=\\d+',
      '\\bmain\\b',
      'file:C:\\xampp',
      '\\\\.\\pipe\\x',
    ])
      expect(word(text)).toBe(text);
  });
});
