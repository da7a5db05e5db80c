import { viteSingleFile } from 'vite-plugin-singlefile';
import solid, { type Options as SolidOptions } from 'vite-plugin-solid';
import { defineConfig } from 'vitest/config';
import { engine_for_development } from './build/development.ts';
import { embed_engine, strict_policy } from './build/page.ts';

// The page's policy forbids styles in attributes: they are set by script.
const no_style_attributes = { inlineStyles: false } as SolidOptions['solid'];

// One self-contained file, dist/page.html: script, styles, worker and, if CALLCOST_WASM names it, the engine.
export default defineConfig({
  plugins: [
    solid({ solid: no_style_attributes }),
    viteSingleFile({ removeViteModuleLoader: true }),
    embed_engine(),
    strict_policy(),
    engine_for_development(),
  ],
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: true,
    modulePreload: false,
    rollupOptions: { input: 'page.html' },
  },
  worker: { format: 'iife' },
  test: { include: ['tests/model/**/*.test.ts'], environment: 'node' },
});
