import { existsSync, globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The path of Valkey, or of Redis 7, which it comes from. Does not import a test runner, so that scripts can use it, too. */

export interface ValkeyProgram {
  program: string
  /** Folders of its libraries. */
  libraries: string
}

/** Where packages install it, and where `scripts/ensure-valkey.ts` unpacks it. */
const ROOTS = ['/', fileURLToPath(new URL('../../../node_modules/.valkey/', import.meta.url))]

export const findValkey = (): ValkeyProgram | undefined =>
  ROOTS.flatMap((root) =>
    ['valkey-server', 'redis-server'].map((name) => ({
      program: `${root}usr/bin/${name}`,
      libraries: globSync(`${root}usr/lib/*-linux-gnu`).join(':'),
    })),
  ).find(({ program }) => existsSync(program))
