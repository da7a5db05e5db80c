import { viteSingleFile } from 'vite-plugin-singlefile';
import solid, { type Options as SolidOptions } from 'vite-plugin-solid';
import { defineConfig } from 'vitest/config';
import { engineForDevelopment } from './build/development.ts';
import { embedEngine, strictPolicy } from './build/page.ts';

// The page's policy forbids styles in attributes: they are set by script.
const noStyleAttributes = { inlineStyles: false } as SolidOptions['solid'];

// One self-contained file, dist/page.html: script, styles, worker and, if CALLCOST_WASM names it, the engine.
export default defineConfig({
  plugins: [
    solid({ solid: noStyleAttributes }),
    viteSingleFile({ removeViteModuleLoader: true }),
    embedEngine(),
    strictPolicy(),
    engineForDevelopment(),
  ],
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: true,
    modulePreload: false,
    rollupOptions: { input: 'page.html' },
  },
  worker: { format: 'iife' },
  test: { include: ['tests/unit/**/*.test.ts'], environment: 'node' },
});
