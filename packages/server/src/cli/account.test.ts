import { once } from 'node:events'
import { SessionAnswer } from '@inkling/contract/account'
import { expect, onTestFinished, test } from 'vitest'
import { storeVisit } from '../../test/account/stored-visits.ts'
import { runCli, startCli } from '../../test/run-cli.ts'
import { getHistory, postSnapshot, runningServer } from '../../test/running-server.ts'
import { temporaryDirectory } from '../../test/temporary-store.ts'
import { invite, openInvitation } from '../auth/invitations.ts'
import { domainStore } from '../store/domains/domains.ts'
import { auditStore } from '../store/users/users.ts'

const PASSWORD = 'correct horse battery'

const login = async (url: string, email: string, password: string) =>
  (
    await fetch(`${url}/account/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    })
  ).status

test('a user added from the command line signs in to the running server, until the password is replaced', async () => {
  const { url, directory } = await runningServer()
  const run = (args: string[], stdin: string) => runCli(args, { DATA_DIR: directory }, stdin)
  const added = await run(['user', 'add', 'Ada@shop.example', '--json'], `${PASSWORD}\n`)
  expect([added.status, added.stdout]).toEqual([0, '{"email":"ada@shop.example"}\n'])
  expect(await login(url, 'ada@shop.example', PASSWORD)).toBe(200)

  expect((await run(['user', 'add', 'ada@shop.example', '--json'], PASSWORD)).status).toBe(1)
  expect((await run(['user', 'password', 'ada@shop.example'], 'another passphrase')).status).toBe(0)
  expect(await login(url, 'ada@shop.example', PASSWORD)).toBe(401)
  expect(await login(url, 'ada@shop.example', 'another passphrase')).toBe(200)
})

test('an invalid address, role or password adds no user', async () => {
  const directory = await temporaryDirectory()
  const run = async (args: string[], stdin: string) =>
    (await runCli(['user', 'add', ...args], { DATA_DIR: directory }, stdin)).status
  expect(await run(['ada'], PASSWORD)).toBe(1)
  expect(await run(['ada@shop.example'], 'short')).toBe(1)
  expect(await run(['ada@shop.example'], '')).toBe(1)
  expect(await run(['ada@shop.example', '--role', 'root'], PASSWORD)).toBe(2)
})

test('a member sees a domain from the grant of a role to its revocation', async () => {
  const { url, directory, keys, store } = await runningServer()
  const run = (args: string[], stdin = '') => runCli(['user', ...args], { DATA_DIR: directory }, stdin)
  await run(['add', 'ada@shop.example', '--role', 'member'], PASSWORD)
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ email: 'ada@shop.example', password: PASSWORD })
  const signedIn = await (await fetch(`${url}/account/login`, { method: 'POST', headers, body })).json()
  const { access_token } = SessionAnswer.parse(signedIn)
  const seen = async (): Promise<number> =>
    (
      await fetch(`${url}/account/domains/${keys.domain}/cases`, {
        headers: { authorization: `Bearer ${access_token}` },
      })
    ).status

  expect(await seen()).toBe(404)
  expect(await run(['grant', 'Ada@shop.example', keys.domain, 'reviewer', '--json'])).toMatchObject({
    status: 0,
    stdout: `{"email":"ada@shop.example","domain":"${keys.domain}","role":"reviewer"}\n`,
  })
  expect(await seen()).toBe(200)
  const [ada] = JSON.parse((await run(['list', '--json'])).stdout)
  expect(ada).toMatchObject({ role: 'member', domains: [`${keys.domain} reviewer`] })
  expect((await run(['grant', 'ada@shop.example', keys.domain, 'king'])).status).toBe(2)
  expect((await run(['grant', 'eve@shop.example', keys.domain, 'owner'])).stderr).toContain('is not a user')
  expect((await run(['revoke', 'ada@shop.example', keys.domain])).status).toBe(0)
  expect(await seen()).toBe(404)
  expect((await run(['revoke', 'ada@shop.example', keys.domain])).stderr).toContain('has no role')
  const changes = (await auditStore(store.reads).list(undefined, 9)).filter(({ action }) =>
    /^member/.test(action),
  )
  expect(changes.map(({ actor, action, target }) => [actor, action, target])).toEqual([
    ['command line', 'member.take', keys.domain],
    ['command line', 'member.give', keys.domain],
  ])
})

test('users are listed and removed, which ends their sessions; the last owner stays', async () => {
  const { url, directory, store } = await runningServer()
  const run = (args: string[], stdin = '') => runCli(args, { DATA_DIR: directory }, stdin)
  await run(['user', 'add', 'ada@shop.example'], PASSWORD)
  await run(['user', 'add', 'grace@shop.example', '--role', 'analyst'], PASSWORD)
  const time = expect.stringMatching(/^\d{4}-.*Z$/)
  expect(JSON.parse((await run(['user', 'list', '--json'])).stdout)).toEqual([
    { email: 'ada@shop.example', role: 'owner', domains: [], created_at: time },
    { email: 'grace@shop.example', role: 'analyst', domains: [], created_at: time },
  ])

  const guest = { email: 'guest@shop.example', role: 'owner' } as const
  const { token } = await invite(store, guest, { actor: 'grace@shop.example', nowMs: Date.now() })
  expect(await run(['user', 'remove', 'Grace@shop.example', '--json'])).toMatchObject({
    status: 0,
    stdout: '{"email":"grace@shop.example"}\n',
  })
  expect(await login(url, 'grace@shop.example', PASSWORD)).toBe(401)
  await expect(openInvitation(store, token, Date.now())).rejects.toMatchObject({ code: 'INK_NOT_FOUND' })
  expect((await run(['user', 'remove', 'grace@shop.example'])).stderr).toContain('is not a user')
  expect((await run(['user', 'remove', 'ada@shop.example'])).status).toBe(1)
  expect(await login(url, 'ada@shop.example', PASSWORD)).toBe(200)
  const removals = (await auditStore(store.reads).list(undefined, 9)).filter(
    ({ action }) => action === 'user.remove',
  )
  expect(removals).toEqual([expect.objectContaining({ actor: 'command line', target: 'grace@shop.example' })])
})

test('an erasure removes rows and prints their number; an invalid one is an error', async () => {
  const server = await runningServer()
  const { store, directory, keys } = server
  const domainId = (await domainStore(store.reads).find('shop.example'))?.id ?? 0
  const clock = { nowMs: Date.UTC(2026, 10, 21) }
  await storeVisit({ store, domainId, clock }, { userHid: 'ada' })
  const requestId = crypto.randomUUID()
  expect((await postSnapshot(server, requestId, '{"user_hid":"grace"}')).status).toBe(200)

  const run = (...args: string[]) => runCli(['erase', ...args, '--json'], { DATA_DIR: directory })
  expect((await run(keys.domain, 'user_hid', 'ada')).stdout).toBe('{"rows":1}\n')
  const history = async (user: string) =>
    ((await (await getHistory(server, `user_hid/${user}`)).json()) as { total: number }).total
  expect([await history('ada'), await history('grace')]).toEqual([0, 1])

  expect((await run(keys.domain, 'user_hid', 'anonymous')).status).toBe(1)
  expect((await run('nobody.example', 'user_hid', 'ada')).status).toBe(1)
  expect((await run(keys.domain, 'email', 'ada')).status).toBe(2)
})

test('the first start prints the demo and a login that works; the second no login, and no demo without its domain', async () => {
  const directory = await temporaryDirectory()
  async function start() {
    const environment = {
      DATA_DIR: directory,
      PORT: '0',
      TURN_PORT: 'off',
      FEEDS: 'off',
      LOG_LEVEL: 'silent',
    }
    const child = await startCli(['serve'], environment)
    onTestFinished(() => void child.kill('SIGKILL'))
    let printed = ''
    for await (const chunk of child.stdout) {
      printed += String(chunk)
      if (printed.includes('listening on')) break
    }
    return { printed, child }
  }
  const first = await start()
  const [, email = '', password = ''] = /e-mail +(\S+)\n +password +(\S+)\n/.exec(first.printed) ?? []
  const url = /listening on (\S+)/.exec(first.printed)?.[1] ?? ''
  expect(first.printed).toContain('demo page: ')
  expect(email).toBe('admin@localhost')
  expect(await login(url, email, password)).toBe(200)
  first.child.kill('SIGTERM')
  await once(first.child, 'exit')

  await runCli(['domain', 'set', 'localhost', '--enabled', 'false'], { DATA_DIR: directory })
  const second = await start()
  expect(second.printed).not.toMatch(/password|demo page/)
})
