import { viteSingleFile } from 'vite-plugin-singlefile';
import solid, { type Options as SolidOptions } from 'vite-plugin-solid';
import { defineConfig } from 'vitest/config';
import { engine_for_development } from './build/development.ts';
import { strict_policy } from './build/page.ts';

// The page's policy forbids styles in attributes: they are set by script.
const no_style_attributes = { inlineStyles: false } as SolidOptions['solid'];

// One self-contained file, prebuilt/page.html: script, styles, worker. build/page.sh puts the engine in: dist/page.html.
export default defineConfig({
  plugins: [
    solid({ solid: no_style_attributes }),
    viteSingleFile({ removeViteModuleLoader: true }),
    strict_policy(),
    engine_for_development(),
  ],
  build: {
    target: 'es2022',
    outDir: 'prebuilt',
    emptyOutDir: false,
    modulePreload: false,
    rollupOptions: { input: 'page.html', checks: { pluginTimings: false } },
  },
  worker: { format: 'iife' },
  test: { include: ['tests/model/**/*.test.ts'], environment: 'node' },
});
