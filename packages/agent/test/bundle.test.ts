import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { agentScriptRoutes } from '../../server/src/http/agent-script.ts'
import { builtAgent, PUBLIC_KEY, withBuiltAgent } from './agent-site.ts'

const GZIP_BYTES_MAX = 15 * 1_024

/** Calls every function under plain Node and prints what the callbacks got. The process must end by itself. */
async function callUnderNode(module: string): Promise<string> {
  const program = `
    const agent = await import(${JSON.stringify(module)})
    const calls = Object.keys(agent.default).map((name) => new Promise((onInitialized) => {
      for (const options of [undefined, null, () => {}]) agent[name]('u1', options)
      agent[name](...(name.endsWith('User') ? ['u1'] : []), { onInitialized })
    }))
    console.log(JSON.stringify(await Promise.all(calls)))`
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '--eval',
    program,
  ])
  return stdout + stderr
}

describe('the bundle', () => {
  const notInitialized = JSON.stringify(Array(4).fill({ status: 'not_initialized' }))

  test('can be imported under plain Node, where no check can start', async () => {
    await withBuiltAgent(async (file) => {
      expect((await callUnderNode(pathToFileURL(file).href)).trim()).toBe(notInitialized)
    })
  })

  test('can be imported there as source too', async () => {
    const source = fileURLToPath(new URL('../src/index.ts', import.meta.url))
    expect((await callUnderNode(source)).trim()).toBe(notInitialized)
  })

  test('costs a page at most 15 KiB, loader and settings included', async () => {
    const app = fastify()
    await app.register(
      agentScriptRoutes({
        script: await builtAgent(),
        ingestUrl: 'https://inkling.shop.example',
        serverKey: randomBytes(65),
        followUp: true,
        loaded: () => {},
      }),
    )
    const loader = await app.inject(`/agent.js?publicKey=${PUBLIC_KEY}`)
    const module = await app.inject(/from"\.(\/agent\/[^"]+)"/.exec(loader.body)?.[1] ?? '')
    const sizes = [loader, module].map(({ body }) => gzipSync(body, { level: 9 }).length)
    expect(Math.min(...sizes)).toBeGreaterThan(100)
    expect((sizes[0] ?? 0) + (sizes[1] ?? 0)).toBeLessThanOrEqual(GZIP_BYTES_MAX)
  })

  test('works under a policy without unsafe-eval and contains no schema library', async () => {
    const bundle = await builtAgent()
    expect(bundle).not.toMatch(/\bnew Function\b|\beval\(|\bZod/)
    expect(bundle).toContain('__INKLING_CONFIG__')
  })

  test('carries the version of its package', async () => {
    const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))
    expect(await builtAgent()).toMatch(new RegExp(`['"]${version.replaceAll('.', '\\.')}['"]`))
  })
})
