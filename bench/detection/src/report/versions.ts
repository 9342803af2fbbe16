import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { browserPath } from '../browsers.ts'

const PACKAGES = new URL('../../node_modules/', import.meta.url)

export async function packageVersion(name: string): Promise<string> {
  const text = await readFile(new URL(`${name}/package.json`, PACKAGES), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

/** As the browser reports it, without the name of its distribution. */
export async function browserVersion(engine: 'chromium' | 'firefox'): Promise<string> {
  const { stdout } = await promisify(execFile)(browserPath(engine), ['--version'])
  return stdout.trim().replace(/ built on .*/, '')
}
