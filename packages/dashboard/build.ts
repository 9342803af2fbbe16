import { copyFile, mkdir, rm } from 'node:fs/promises'
import { build } from 'esbuild'

const DEMO_SOURCE = new URL('./src/demo/', import.meta.url)
const DIST = new URL('./dist/', import.meta.url)

/** Oldest browsers that the page promises to work in: those with everything the agent needs, too. */
const BROWSERS = ['chrome109', 'firefox115', 'safari16.4']

/** Builds the pages for the operator's browser. */
export async function buildDashboard(target = DIST): Promise<void> {
  const demoTarget = new URL('demo/', target)
  await rm(demoTarget, { recursive: true, force: true })
  await mkdir(demoTarget, { recursive: true })
  await build({
    entryPoints: [new URL('demo.ts', DEMO_SOURCE), new URL('demo.css', DEMO_SOURCE)].map(toPath),
    outdir: toPath(demoTarget),
    bundle: true,
    format: 'esm',
    target: BROWSERS,
    minify: true,
    logLevel: 'warning',
  })
  for (const name of ['index.html', 'inkling.svg']) {
    await copyFile(new URL(name, DEMO_SOURCE), new URL(name, demoTarget))
  }
}

const toPath = (url: URL): string => decodeURIComponent(url.pathname)

if (import.meta.main) await buildDashboard()
