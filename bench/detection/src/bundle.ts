import { build } from 'esbuild'

/** The target browsers of the agent, so that all scripts are compiled alike. */
const BROWSERS = ['chrome91', 'firefox90', 'safari15']

/** Bundles a module with its imports, as a shop would serve it. */
export async function bundle(entry: URL): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [decodeURIComponent(entry.pathname)],
    bundle: true,
    minify: true,
    format: 'esm',
    target: BROWSERS,
    legalComments: 'none',
    write: false,
    logLevel: 'warning',
  })
  return outputFiles[0]?.text ?? ''
}
