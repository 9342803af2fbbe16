import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import type { BrowserContext, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { BROWSERS, buildHoneytokens } from '../../build.ts'
import { type AgentSite, PUBLIC_KEY } from '../agent-site.ts'

/** Bundles a page's program as a customer's build does. */
export async function bundled(program: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    format: 'iife',
    target: BROWSERS,
    define: { 'process.env.NODE_ENV': '"development"', __VUE_OPTIONS_API__: 'true' },
    logLevel: 'warning',
    write: false,
  })
  return outputFiles[0]?.text ?? ''
}

/** A program that puts the package's functions into the page as `embed`. */
export const embedProgram = (): Promise<string> =>
  bundled(`import * as embed from '@inkling/agent/embed'; Object.assign(window, { embed })`)

/** Opens a page of the site and runs a program in it. */
export async function openWith(context: BrowserContext, site: AgentSite, program: string): Promise<Page> {
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(`${site.page}/`)
  await page.evaluate(program)
  return page
}

export interface AgentHost {
  agentUrl: string
  publicKey: string
  /** Queries of the requests for the agent, in order. */
  asked: string[]
}

/** Of the module that only pages with honeytokens load. */
export async function builtHoneytokens(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'inkling-honeytokens-'))
  const file = join(folder, 'honeytokens.js')
  await buildHoneytokens(pathToFileURL(file))
  return readFile(file, 'utf8').finally(() => rm(folder, { recursive: true }))
}

/**
 * A host that serves the site's agent after that many refusals; with 'silent' it never answers. It has honeytokens only where
 * these are given.
 */
export async function agentHost(
  site: AgentSite,
  refusals: number | 'silent' = 0,
  honeytokens?: string,
): Promise<AgentHost> {
  const asked: string[] = []
  const server = createServer(({ url = '' }, response) => {
    asked.push(url)
    if (refusals === 'silent') return
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('content-type', 'text/javascript')
    if (url === '/honeytokens.js' && honeytokens) response.end(honeytokens)
    else if (asked.length <= refusals) response.writeHead(503).end()
    else response.end(`export * from '${site.script}'; export { default } from '${site.script}'`)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  const agentUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { agentUrl, publicKey: PUBLIC_KEY, asked }
}
