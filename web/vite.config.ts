import { viteSingleFile } from 'vite-plugin-singlefile';
import solid, { type Options as SolidOptions } from 'vite-plugin-solid';
import { defineConfig } from 'vitest/config';
import { engineForDevelopment } from './build/development.ts';
import { withoutUnused } from './build/packages.ts';
import { strictPolicy } from './build/page.ts';
import { smallWorkers } from './build/workers.ts';

// The page's policy forbids styles in attributes: they are set by script.
const noStyleAttributes = { inlineStyles: false } as SolidOptions['solid'];

// One self-contained file, prebuilt/page.html: script, styles, worker. build/page.sh puts the engine in: dist/page.html.
export default defineConfig({
  plugins: [
    solid({ solid: noStyleAttributes }),
    viteSingleFile({ removeViteModuleLoader: true }),
    strictPolicy(),
    engineForDevelopment(),
    withoutUnused(),
    smallWorkers(),
  ],
  define: { global: 'globalThis' }, // Prism's languages find it there
  build: {
    target: 'es2022',
    outDir: 'prebuilt',
    emptyOutDir: false,
    modulePreload: false,
    rollupOptions: { input: 'page.html', checks: { pluginTimings: false } },
  },
  worker: { format: 'iife', plugins: () => [withoutUnused()] },
  test: { include: ['tests/unit/**/*.test.ts'], environment: 'node' },
});
