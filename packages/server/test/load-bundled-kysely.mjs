import { registerHooks } from 'node:module'

/** Preloaded by the commands of tests, with the folder that bundled-kysely.ts has made. */
const folder = new URL(import.meta.url).searchParams.get('folder')
const BUNDLED = new Map([
  ['kysely', `${folder}kysely.mjs`],
  ['kysely/migration', `${folder}kysely/migration.mjs`],
])

registerHooks({
  resolve(specifier, context, next) {
    const url = BUNDLED.get(specifier)
    return url === undefined ? next(specifier, context) : { url, format: 'module', shortCircuit: true }
  },
})
