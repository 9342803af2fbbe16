import { readFile } from 'node:fs/promises'
import { browserVersion } from '../../../detection/src/report/versions.ts'

const PACKAGE = new URL('../../package.json', import.meta.url)
/** Needed by the benchmark itself. */
const OWN: readonly string[] = ['node']

export async function versions(): Promise<string[]> {
  const { devDependencies } = JSON.parse(await readFile(PACKAGE, 'utf8')) as {
    devDependencies: Record<string, string>
  }
  const packages = Object.entries(devDependencies).filter(([name]) => !OWN.includes(name))
  return [
    await browserVersion('chromium'),
    await browserVersion('firefox'),
    ...packages.map(([name, version]) => `${name} ${version}`),
  ]
}
