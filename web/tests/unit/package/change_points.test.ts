import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { callcostOn } from '../../../src/package/callcost';
import { countsExactly } from '../../../src/package/counts_exactly';

function withModule(load: () => Promise<Uint8Array<ArrayBuffer>>) {
  const startWorker = () => {
    throw new Error('no worker is needed');
  };
  return callcostOn({ startWorker, load, loadImporter: () => Promise.reject(new Error()), loadChangePoints: load });
}

describe('the module of change points', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('is not where it should be: the message says so', async () => {
    const { changePoints } = withModule(() => Promise.reject(new Error('https://a/b.wasm: HTTP status 404')));
    await expect(changePoints([1])).rejects.toMatchObject({
      code: 'cannot-load',
      message: 'the module of change points cannot be loaded: https://a/b.wasm: HTTP status 404',
      hint: "name the place of change_points.wasm in the option 'module'",
    });
  });

  it('is a page of the server instead', async () => {
    const { changePoints } = withModule(async () => new TextEncoder().encode('<!doctype html>'));
    await expect(changePoints([1])).rejects.toThrow('what is there is no WebAssembly module');
  });

  it('may not be compiled', async () => {
    vi.stubGlobal('WebAssembly', {
      Module: class {},
      compile: () => Promise.reject(new Error("'unsafe-eval' is not an allowed source of script")),
    });
    const { changePoints } = withModule(async () => new Uint8Array([0, 0x61, 0x73, 0x6d]));
    await expect(changePoints([1])).rejects.toMatchObject({ hint: expect.stringContaining('wasm-unsafe-eval') });
  });

  it('needs WebAssembly', async () => {
    vi.stubGlobal('WebAssembly', undefined);
    const { changePoints } = withModule(async () => new Uint8Array());
    await expect(changePoints([1])).rejects.toMatchObject({ code: 'cannot-load', message: /no WebAssembly here$/ });
  });
});

describe('event types that count exactly', () => {
  it('are those of the library', () => {
    const library = readFileSync(
      new URL('../../../../src/library/change_points/change_points.cpp', import.meta.url),
      'utf8',
    );
    const names = [...library.match(/exact = \{(.*?)\}/)![1]!.matchAll(/"(\w+)"/g)].map(match => match[1]!);
    expect(names).toHaveLength(5);
    for (const name of names) expect(countsExactly(name)).toBe(true);
    expect(countsExactly('D1mr')).toBe(false);
  });
});
