#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// A command starts in half the time where its modules are compiled already. Beside the code, because whoever can write
// there can change what runs. Where nobody can write, nothing is kept. Threads read the place from the environment.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../data/compile-cache', import.meta.url))
enableCompileCache()
await import('../src/cli/inkling.ts')
