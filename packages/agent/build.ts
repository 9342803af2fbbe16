import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { build } from 'esbuild'

const SCRIPT = new URL('./dist/agent.js', import.meta.url)

/** Oldest browsers with everything the agent cannot do without; missing rest is reported, not needed. */
export const BROWSERS = ['chrome91', 'firefox90', 'safari15']

/** Bundles the agent into the one ES module that the server puts a page's settings in front of. */
export async function buildAgent(script = SCRIPT): Promise<void> {
  const { version } = JSON.parse(await readFile(new URL('./package.json', import.meta.url), 'utf8'))
  const { outputFiles } = await build({
    entryPoints: [toPath(new URL('./src/index.ts', import.meta.url))],
    bundle: true,
    format: 'esm',
    target: BROWSERS,
    minify: true,
    legalComments: 'none',
    define: { __AGENT_VERSION__: JSON.stringify(version) },
    logLevel: 'warning',
    write: false,
  })
  // Renamed into place: whoever reads the script while it is built again gets a whole one.
  const unfinished = new URL(`${script.href}.${process.pid}`)
  await mkdir(new URL('.', script), { recursive: true })
  await writeFile(unfinished, outputFiles[0]?.contents ?? '')
  await rename(unfinished, script)
}

const toPath = (url: URL): string => decodeURIComponent(url.pathname)

if (import.meta.main) await buildAgent()
