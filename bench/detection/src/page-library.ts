import { readFile } from 'node:fs/promises'
import { bundle } from './bundle.ts'

const PACKAGES = new URL('../node_modules/', import.meta.url)

/** Libraries that change the built-in functions of their page. */
const FILES: Readonly<Record<string, string>> = {
  zone: 'zone.js/bundles/zone.umd.min.js',
  'core-js': 'core-js-bundle/minified.js',
}

/** The text of a library that a page may load before everything else. */
export async function pageLibrary(name: string): Promise<string> {
  if (name === 'monitor') return bundle(new URL('./page/monitor.ts', import.meta.url))
  const file = FILES[name]
  if (file === undefined) throw new Error(`no library ${name}`)
  return readFile(new URL(file, PACKAGES), 'utf8')
}
