import { cp, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '@inkling/sdk'
import { publint } from 'publint'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../packages/server/src/lib/free-port.ts'
import { makeDirectory, type OwnDirectory } from '../../packages/server/test/temporary-store.ts'
import { pack } from '../../scripts/pack.ts'
import { launchChromium } from '../browsers.ts'
import { openAsPerson, whyNoPerson } from './person.ts'
import { openProject, type Project } from './project.ts'

/** How long the whole walk may take, starting in an empty folder. */
const WHOLE_WAY_MS = 5 * 60_000
const EXAMPLE = join(import.meta.dirname, '../../examples/signup')

let directory: OwnDirectory
let project: Project
let packed: Awaited<ReturnType<typeof pack>>
beforeAll(async () => {
  directory = await makeDirectory()
  packed = await pack(join(directory.path, 'packed'))
  project = await openProject(join(directory.path, 'shop'))
})
afterAll(async () => {
  await project?.stop()
  await directory?.remove()
})

/** Copies the example from the repository without its test. */
async function copyExample(): Promise<void> {
  const names = (await readdir(EXAMPLE)).filter((name) => /(?<!\.test)\.[jt]s$/.test(name))
  for (const name of names) await cp(join(EXAMPLE, name), join(project.folder, name))
}

/** Starts Inkling and the shop. Returns the shop's URL and a client for verdicts. */
async function startShop() {
  const keys = JSON.parse(await project.run('inkling', 'domain', 'add', 'localhost', '--json'))
  const PORT = String(await freePort('127.0.0.1'))
  const INKLING_URL = `http://localhost:${PORT}`
  const ownSettings = { PORT, FEEDS: 'off', TURN_PORT: 'off', LOG_LEVEL: 'warn' }
  await project.start(['inkling', 'serve'], /^listening on (.+)/, ownSettings)
  const url = await project.start(['node', 'server.ts'], /^sign up at (.+)/, {
    PORT: '0',
    INKLING_URL,
    INKLING_PUBLIC_KEY: keys.public_key,
    INKLING_API_KEY: keys.api_key,
  })
  return { url, inkling: createClient({ historyUrl: INKLING_URL, apiKey: keys.api_key }) }
}

/** A program submits the form. Returns the message it gets. */
async function botSignsUp(url: string): Promise<string> {
  const browser = await launchChromium()
  try {
    const page = await browser.newPage()
    await page.goto(url)
    await page.fill('[name=email]', 'bot@shop.example')
    await page.click('button')
    return await page.innerText('[role=alert], [role=status]')
  } finally {
    await browser.close()
  }
}

/** A person submits the form, whose first field starts an identification, and gets an account. */
async function personSignsUp(url: string, inField: () => Promise<boolean>): Promise<void> {
  const person = await openAsPerson(url, join(directory.path, 'profile'))
  try {
    await person.see('Sign up')
    await person.pressUntil('Tab', inField)
    await person.type('person@shop.example')
    await person.press('Return')
    await person.see('Welcome')
  } finally {
    await person.leave()
  }
}

test.each(['agent', 'sdk', 'server'] as const)(
  'the package of the %s is put together as package managers and bundlers want it',
  async (name) => {
    const bytes = await readFile(packed[name])
    const { messages } = await publint({ pack: { tarball: new Uint8Array(bytes).buffer }, strict: true })
    expect(messages).toEqual([])
  },
)

const absent = whyNoPerson()
test.skipIf(absent)(
  `from an empty folder to a form that refuses a bot and lets a person in${absent ? `: not run, ${absent}` : ''}`,
  async () => {
    const startedAt = performance.now()
    await copyExample()
    const { dependencies } = JSON.parse(await readFile(join(EXAMPLE, 'package.json'), 'utf8'))
    await project.install(packed.server, packed.sdk, `fastify@${dependencies.fastify}`)
    const { url, inkling } = await startShop()
    expect(await botSignsUp(url)).toContain('We cannot open this account')
    const visits = async () => (await inkling.history.search('user_hid', 'anonymous')).data
    await personSignsUp(url, async () => (await visits()).length === 2)

    const elapsedMs = performance.now() - startedAt
    process.stdout.write(`the newcomer's way took ${(elapsedMs / 1_000).toFixed(1)} s\n`)
    expect((await visits()).map(({ is_browser_automation }) => is_browser_automation)).toEqual([false, true])
    expect(elapsedMs).toBeLessThan(WHOLE_WAY_MS)
  },
  WHOLE_WAY_MS,
)
