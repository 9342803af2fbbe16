import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      'packages/**/*.test.ts',
      'test/**/*.test.ts',
      'examples/**/*.test.ts',
      'bench/detection/src/**/*.test.ts',
    ],
    exclude: ['**/node_modules/**', '**/dist/**'],
    // Real browsers and real servers start slowly on a busy machine; a test that hangs still ends.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
