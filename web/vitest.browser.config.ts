import { defineConfig } from 'vitest/config';

// Tests of dist/page.html in Chromium, with the native engine behind it. Two files at a time: most of the time they wait.
export default defineConfig({
  test: {
    include: ['tests/browser/**/*.test.ts', 'tests/protocol/**/*.test.ts'],
    environment: 'node',
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 60_000,
    retry: 1, // real browsers and programs on a busy machine; the report says which test needed it
  },
});
