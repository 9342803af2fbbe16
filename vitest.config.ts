import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { POSTGRES_TESTS } from './packages/server/test/postgres/postgres-tests.ts'

// Every command and every thread of the database that a test starts finds its modules compiled.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.compile-cache')

const EXCLUDED = ['**/node_modules/**', '**/dist/**']

/** Round trips and what a browser reads in its time are measured in these: whatever else ran would be in it. */
const MEASURING = [
  'packages/server/test/netns/**/*.test.ts',
  'packages/server/test/network-check.test.ts',
  'packages/server/test/browser-identity.test.ts',
  'packages/server/src/observe/turn/turn-browsers.test.ts',
]

/**
 * The files that a worker runs one after the other share the modules they load: loading the server anew for each file
 * takes a third of the processor time. So a test puts back what it changes in globals, clocks and the environment.
 */
const SHARED_MODULES = { isolate: false }

export default defineConfig({
  test: {
    // Real browsers and real servers start slowly on a busy machine; a test that hangs still ends.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // The default of one second is less than what a page may take to draw there.
    expect: { poll: { timeout: 30_000, interval: 50 } },
    // With one more than there are cores a sixth of them would be idle: tests wait for disks and for other processes.
    maxWorkers: availableParallelism() + 2,
    projects: [
      {
        test: {
          name: 'embedded',
          ...SHARED_MODULES,
          globalSetup: 'packages/server/test/make-sqlite-template.ts',
          include: [
            'packages/**/*.test.ts',
            'test/**/*.test.ts',
            'examples/**/*.test.ts',
            'bench/src/**/*.test.ts',
            'bench/detection/src/**/*.test.ts',
            'bench/forgery/src/**/*.test.ts',
          ],
          exclude: [
            ...EXCLUDED,
            ...MEASURING,
            'packages/server/src/store/postgres/**',
            'packages/server/test/postgres/**',
          ],
        },
      },
      {
        test: {
          name: 'measuring',
          sequence: { groupOrder: 1 },
          ...SHARED_MODULES,
          globalSetup: 'packages/server/test/make-sqlite-template.ts',
          include: MEASURING,
          exclude: EXCLUDED,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'postgres',
          ...SHARED_MODULES,
          include: POSTGRES_TESTS.include,
          exclude: [...EXCLUDED, ...POSTGRES_TESTS.exclude],
          globalSetup: 'packages/server/test/postgres/start-postgres.ts',
        },
      },
    ],
  },
})
