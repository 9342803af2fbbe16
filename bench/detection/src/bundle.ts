import { build } from 'esbuild'

/** Browsers that the agent is built for, so that all scripts are as new. */
const BROWSERS = ['chrome91', 'firefox90', 'safari15']

/** One module with everything it imports, as a shop would deliver it. */
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
