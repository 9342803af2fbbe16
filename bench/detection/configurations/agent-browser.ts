import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Configuration } from '../src/configuration.ts'
import { withConnectable } from '../src/drive/connected-browser.ts'

const PROGRAM = fileURLToPath(import.meta.resolve('agent-browser/bin/agent-browser.js'))

export const agentBrowser: Configuration = {
  id: 'agent-browser',
  title: 'agent-browser, connected to a browser on a desktop: a command for each step',
  kind: 'automation',
  family: 'assistant',
  engine: 'chromium',
  packages: ['agent-browser'],
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) =>
    withConnectable(visit.profile, [], async (socketUrl) => {
      const say = (...words: string[]) =>
        promisify(execFile)(process.execPath, [PROGRAM, '--cdp', new URL(socketUrl).port, ...words])
      await say('open', visit.url)
      await visit.measured()
      await say('fill', '#name', 'Ada Lovelace')
      await say('fill', '#email', 'ada@example.org')
      await say('click', '#join')
      await visit.final()
      await say('close')
    }),
}
