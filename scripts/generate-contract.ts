import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { jsonSchemas, openApi } from '../packages/contract/src/openapi/index.ts'

/**
 * Writes the OpenAPI document and the JSON Schemas of a default deployment into
 * `packages/contract/generated`. With `--check` it writes nothing and fails when a file differs.
 */
const TARGET = join(import.meta.dirname, '../packages/contract/generated')
const LOCAL_URL = 'http://localhost:8080'

/** Content of each generated file by its path inside the folder. */
export async function generateContract(): Promise<Map<string, string>> {
  const urls = { history: LOCAL_URL, management: LOCAL_URL, ingest: LOCAL_URL, agent: LOCAL_URL }
  const { version } = JSON.parse(await readFile(join(TARGET, '../package.json'), 'utf8'))
  const files = new Map([['openapi.json', jsonText(openApi({ version, serviceName: 'Svc', urls }))]])
  for (const [name, schema] of Object.entries(jsonSchemas()))
    files.set(`schemas/${name}.json`, jsonText(schema))
  return files
}

/** Paths that are missing, different or unexpected. */
export async function staleFiles(target: string = TARGET): Promise<string[]> {
  const files = await generateContract()
  const stale: string[] = []
  for (const [path, text] of files) if ((await textOf(join(target, path))) !== text) stale.push(path)
  const extra = (await filesIn(target)).filter((path) => !files.has(path))
  return [...stale, ...extra].sort()
}

async function write(): Promise<void> {
  const files = await generateContract()
  await rm(TARGET, { recursive: true, force: true })
  for (const [path, text] of files) {
    await mkdir(dirname(join(TARGET, path)), { recursive: true })
    await writeFile(join(TARGET, path), text)
  }
}

const jsonText = (value: object): string => `${JSON.stringify(value, null, 2)}\n`

const textOf = (path: string): Promise<string | undefined> => readFile(path, 'utf8').catch(() => undefined)

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
}

if (import.meta.main) {
  if (process.argv.includes('--check')) {
    const stale = await staleFiles()
    for (const path of stale)
      console.error(`packages/contract/generated/${path} differs: node scripts/generate-contract.ts`)
    if (stale.length > 0) process.exitCode = 1
  } else await write()
}
