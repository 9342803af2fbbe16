import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { build } from 'esbuild'
import { minify } from 'terser'

const SCRIPT = new URL('./dist/agent.js', import.meta.url)
const EMBED = new URL('./dist/embed.js', import.meta.url)
const HONEYTOKENS = new URL('./dist/honeytokens.js', import.meta.url)

/** The oldest browsers with all that the agent needs to run. What else they lack is reported as missing. */
export const BROWSERS = ['chrome91', 'firefox90', 'safari15']

/** Bundles the agent into one ES module. The server writes a page's settings in front of it. */
export async function buildAgent(script = SCRIPT): Promise<void> {
  const { version } = JSON.parse(await readFile(new URL('./package.json', import.meta.url), 'utf8'))
  await bundle('./src/index.ts', script, { __AGENT_VERSION__: JSON.stringify(version) })
}

/** Bundles what loads the agent, for pages without a bundler of their own. */
export const buildEmbed = (script = EMBED): Promise<void> => bundle('./src/embed/index.ts', script, {})

/** Bundles what only pages that ask for honeytokens load. */
export const buildHoneytokens = (script = HONEYTOKENS): Promise<void> =>
  bundle('./src/honeytokens/place-honeytokens.ts', script, {})

async function bundle(source: string, script: URL, define: Record<string, string>): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: [toPath(new URL(source, import.meta.url))],
    bundle: true,
    format: 'esm',
    target: BROWSERS,
    minify: true,
    legalComments: 'none',
    define,
    logLevel: 'warning',
    write: false,
  })
  const code = await shortest(outputFiles[0]?.text ?? '')
  // Written to another file and renamed, so that a reader never sees half of it.
  const unfinished = new URL(`${script.href}.${process.pid}`)
  await mkdir(new URL('.', script), { recursive: true })
  await writeFile(unfinished, code)
  await rename(unfinished, script)
}

/** What esbuild has minified, once more: five in a hundred bytes less with gzip, which every visitor loads. */
async function shortest(script: string): Promise<string> {
  const { code } = await minify(script, {
    module: true,
    ecma: 2020,
    // What the agent reads may call a script that somebody put there. Functions that stand together compress better. None
    // of its functions is called with `new`, which arrows cannot be.
    compress: { passes: 3, pure_getters: false, hoist_funs: true, unsafe_arrows: true },
    // Eight bytes less: some of its texts have double quotes in them.
    format: { quote_style: 1 },
  })
  if (code === undefined) throw new Error('the agent could not be minified')
  return code
}

const toPath = (url: URL): string => decodeURIComponent(url.pathname)

if (import.meta.main) await buildAgent()
