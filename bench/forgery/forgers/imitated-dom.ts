import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Attempt } from '../src/attempt.ts'
import type { Case } from '../src/case.ts'
import { CHROME } from '../src/chrome-headers.ts'
import type { DomSettings } from '../src/dom-program.ts'

const PROGRAM = fileURLToPath(new URL('../src/dom-program.ts', import.meta.url))

async function run(attempt: Attempt, library: DomSettings['library'], userAgent?: string): Promise<string> {
  const { installation, site } = attempt
  const settings: DomSettings = {
    library,
    userAgent,
    pageUrl: `${site.origin}/`,
    agentUrl: attempt.agentUrl.replace(installation.url, installation.scriptUrl),
    publicUrl: installation.url,
    scriptUrl: installation.scriptUrl,
  }
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, JSON.stringify(settings)], {
    env: { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' },
  })
  const requestId = stdout.trim()
  await attempt.final(requestId)
  return requestId
}

export const IMITATED_DOM: readonly Case[] = (['jsdom', 'happy-dom'] as const).flatMap((library): Case[] => [
  {
    kind: 'forger',
    family: library,
    id: library,
    title: `${library} runs the agent`,
    run: (attempt) => run(attempt, library),
  },
  {
    kind: 'forger',
    family: library,
    id: `${library}-chrome`,
    title: `${library} runs the agent and claims Chrome`,
    run: (attempt) => run(attempt, library, CHROME),
  },
])
