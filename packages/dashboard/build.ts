import { copyFile, mkdir, rm } from 'node:fs/promises'
import react from '@vitejs/plugin-react'
import { build } from 'esbuild'
import { build as buildWithVite } from 'vite'

const DEMO_SOURCE = new URL('./src/demo/', import.meta.url)
const OPERATOR_SOURCE = new URL('./src/operator/', import.meta.url)
const DIST = new URL('./dist/', import.meta.url)

/** Oldest browsers that the page promises to work in: those with everything the agent needs, too. */
const BROWSERS = ['chrome109', 'firefox115', 'safari16.4']
/** Of operators, whose browsers are kept up to date: one year back. */
const OPERATOR_BROWSERS = ['chrome135', 'firefox128', 'safari18']

/** What stands in the built page where each answer has its own one-time value. */
export const NONCE_PLACEHOLDER = '__CSP_NONCE__'

/** Builds the pages for the operator's browser. */
export async function buildDashboard(target = DIST): Promise<void> {
  await Promise.all([buildDemo(new URL('demo/', target)), buildOperator(new URL('dashboard/', target))])
}

async function buildDemo(target: URL): Promise<void> {
  await rm(target, { recursive: true, force: true })
  await mkdir(target, { recursive: true })
  await build({
    entryPoints: [new URL('demo.ts', DEMO_SOURCE), new URL('demo.css', DEMO_SOURCE)].map(toPath),
    outdir: toPath(target),
    bundle: true,
    format: 'esm',
    target: BROWSERS,
    minify: true,
    logLevel: 'warning',
  })
  for (const name of ['index.html', 'inkling.svg']) {
    await copyFile(new URL(name, DEMO_SOURCE), new URL(name, target))
  }
}

/** The dashboard: one file with its content's hash for each part that is loaded on its own. */
async function buildOperator(target: URL): Promise<void> {
  await buildWithVite({
    configFile: false,
    root: toPath(OPERATOR_SOURCE),
    // Relative, so that the server may lie below any path.
    base: './',
    plugins: [react()],
    html: { cspNonce: NONCE_PLACEHOLDER },
    logLevel: 'error',
    build: {
      outDir: toPath(target),
      emptyOutDir: true,
      target: OPERATOR_BROWSERS,
      // No `data:` addresses, which the policy of the page refuses.
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 1_000,
      modulePreload: { polyfill: false },
    },
  })
}

const toPath = (url: URL): string => decodeURIComponent(url.pathname)

if (import.meta.main) await buildDashboard()
