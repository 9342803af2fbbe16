import { copyFile, mkdir, rm } from 'node:fs/promises'
import react from '@vitejs/plugin-react'
import { build } from 'esbuild'
import { build as buildWithVite } from 'vite'

const DEMO_SOURCE = new URL('./src/demo/', import.meta.url)
const OPERATOR_SOURCE = new URL('./src/operator/', import.meta.url)
const DIST = new URL('./dist/', import.meta.url)

/** The oldest browsers that the demo page supports: those that the agent needs. */
const BROWSERS = ['chrome109', 'firefox115', 'safari16.4']
/** The dashboard supports browsers up to one year old. */
const OPERATOR_BROWSERS = ['chrome135', 'firefox128', 'safari18']

/** Placeholder in the built page, which the server replaces with a new nonce in each response. */
export const NONCE_PLACEHOLDER = '__CSP_NONCE__'

/** Builds the demo page and the dashboard as static files. */
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

/** Each lazily loaded chunk becomes a file named by the hash of its content. */
async function buildOperator(target: URL): Promise<void> {
  await buildWithVite({
    configFile: false,
    root: toPath(OPERATOR_SOURCE),
    // Relative, so that the server can be mounted under any path.
    base: './',
    plugins: [react()],
    html: { cspNonce: NONCE_PLACEHOLDER },
    logLevel: 'error',
    build: {
      outDir: toPath(target),
      emptyOutDir: true,
      target: OPERATOR_BROWSERS,
      // No `data:` URLs, which the page's policy forbids.
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 1_000,
      modulePreload: { polyfill: false },
    },
  })
}

const toPath = (url: URL): string => decodeURIComponent(url.pathname)

if (import.meta.main) await buildDashboard()
