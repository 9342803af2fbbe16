import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import {
  API_KEY_PATTERN,
  PUBLIC_KEY_PATTERN,
  SECRET_KEY_PATTERN,
  SIGNING_SECRET_PATTERN,
} from '@inkling/contract'
import { ENDPOINTS_MAX } from '@inkling/contract/account'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runCli } from '../../test/run-cli.ts'
import { runningServer } from '../../test/running-server.ts'
import { temporaryDirectory } from '../../test/temporary-store.ts'
import { openStoreIn } from '../../test/test-database.ts'
import { webhookReceiver } from '../../test/webhook-receiver.ts'
import { addEndpoint } from '../deliver/webhook-endpoints.ts'
import { freePort } from '../lib/free-port.ts'
import { createSecretBox } from '../lib/secret-box.ts'
import { domainStore } from '../store/domains/domains.ts'
import { type AuditRow, auditStore } from '../store/users/users.ts'

async function operator(settings: Record<string, string> = {}) {
  const directory = await temporaryDirectory()
  const environment = { DATA_DIR: directory, WEBHOOK_ALLOW_PRIVATE: 'true', ...settings }
  const run = (...args: string[]) => runCli(args, environment)
  return {
    run,
    directory,
    async json(...args: string[]) {
      const { status, stdout, stderr } = await run(...args, '--json')
      expect(`${status} ${stderr}`).toBe('0 ')
      expect(stdout.trim().split('\n')).toHaveLength(1)
      return JSON.parse(stdout)
    },
  }
}

/** The entries of the audit log, oldest first. */
async function auditLog(directory: string): Promise<AuditRow[]> {
  const store = await openStoreIn(directory)
  const entries = await auditStore(store.reads).list(undefined, 50)
  await store.close()
  return entries.reverse()
}

describe('domain and key', () => {
  test('a domain is added once, listed, disabled and enabled; its keys have the published formats', async () => {
    const { run, json } = await operator()
    const keys = await json('domain', 'add', 'shop.example')
    expect(Object.keys(keys)).toEqual(['domain', 'public_key', 'secret_key', 'api_key'])
    expect(keys.public_key).toMatch(PUBLIC_KEY_PATTERN)
    expect(keys.secret_key).toMatch(SECRET_KEY_PATTERN)
    expect(keys.api_key).toMatch(API_KEY_PATTERN)

    expect((await run('domain', 'add', 'shop.example', '--json')).status).toBe(1)
    const changed = await json('domain', 'set', 'shop.example', '--enabled', 'false', '--remaining', '-5')
    expect(changed).toEqual({ domain: 'shop.example', enabled: false, remaining: -5 })
    expect(await json('domain', 'list')).toEqual([changed])
  })

  test('the audit log says who added a domain and which settings were changed, and nothing of what was refused', async () => {
    const { run, json, directory } = await operator()
    await json('domain', 'add', 'shop.example')
    await run('domain', 'add', 'shop.example')
    const set = ['domain', 'set', 'shop.example']
    const origins = 'https://shop.example,https://www.shop.example'
    await json(...set, '--enabled', 'false', '--remaining', '-5', '--origins', origins)
    await json(...set, '--origins', 'any', '--disk-budget-mb', '2', '--false-merge-cost', '7.5')
    await json(...set, '--disk-budget-mb', '0', '--false-merge-cost', 'release')
    await json(...set)
    for (const setting of ['--signed-users-only', '--sealed-verdicts'])
      expect((await run(...set, setting, 'true')).stderr).toContain('shop.example has no')
    expect((await run(...set, '--origins', 'https://other.example')).status).toBe(1)

    const entries = await auditLog(directory)
    expect(new Set(entries.map(({ actor, target }) => `${actor}: ${target}`))).toEqual(
      new Set(['command line: shop.example']),
    )
    expect(entries.map(({ action, detail }) => [action, JSON.parse(detail)])).toEqual([
      ['domain.add', {}],
      ['domain.change', { enabled: false, remaining: -5, origins }],
      ['domain.change', { origins: 'any', disk_budget_bytes: 2_000_000, false_merge_cost: 7.5 }],
      ['domain.change', { disk_budget_bytes: 'none', false_merge_cost: 'of the release' }],
    ])
  })

  test('a rotated key is new and has its name, and the audit log says who rotated which', async () => {
    const { json, directory } = await operator()
    const before = await json('domain', 'add', 'shop.example')
    for (const kind of ['api', 'secret', 'public']) {
      const after = await json('key', 'rotate', 'shop.example', kind)
      expect(Object.keys(after)).toEqual([`${kind}_key`])
      expect(after[`${kind}_key`]).not.toBe(before[`${kind}_key`])
    }
    const rotations = (await auditLog(directory)).filter(({ action }) => action === 'key.rotate')
    expect(rotations.map(({ actor, detail }) => [actor, JSON.parse(detail).kind])).toEqual([
      ['command line', 'api'],
      ['command line', 'secret'],
      ['command line', 'public'],
    ])
  })
})

describe('webhook', () => {
  test('an endpoint is added unverified, pinged, tested, rotated and disabled', async () => {
    const receiver = await webhookReceiver()
    const { json } = await operator()
    await json('domain', 'add', 'shop.example')
    const added = await json('webhook', 'add', 'shop.example', receiver.url)
    expect(added).toMatchObject({ url: receiver.url, state: 'unverified' })
    expect(Object.keys(added)).toEqual(['id', 'url', 'secret', 'state'])
    expect(added.secret).toMatch(SIGNING_SECRET_PATTERN)
    const id = String(added.id)

    const pinged = await json('webhook', 'ping', 'shop.example', id)
    expect(pinged).toEqual({ id: added.id, state: 'verified', status: 204, duration_ms: expect.any(Number) })
    expect((await json('webhook', 'test', 'shop.example', id)).status).toBe(204)
    const rotated = await json('webhook', 'rotate', 'shop.example', id)
    expect(rotated).toEqual({ id: added.id, secret: expect.stringMatching(SIGNING_SECRET_PATTERN) })
    expect(rotated.secret).not.toBe(added.secret)

    await json('webhook', 'set', 'shop.example', id, '--enabled', 'false')
    expect(await json('webhook', 'list', 'shop.example')).toEqual([
      { id: added.id, url: receiver.url, state: 'verified', enabled: false },
    ])
  })

  test('a ping without a 2xx is printed and stored as failed; a Test changes no state', async () => {
    const receiver = await webhookReceiver(() => 500)
    const { json } = await operator()
    await json('domain', 'add', 'shop.example')
    const { id } = await json('webhook', 'add', 'shop.example', receiver.url)
    expect(await json('webhook', 'test', 'shop.example', String(id))).toMatchObject({
      state: 'failed',
      status: 500,
    })
    expect((await json('webhook', 'list', 'shop.example'))[0].state).toBe('unverified')
    expect(await json('webhook', 'ping', 'shop.example', String(id))).toMatchObject({
      state: 'failed',
      status: 500,
    })
    expect((await json('webhook', 'list', 'shop.example'))[0].state).toBe('failed')
  })

  test('a ping that fails leaves a verified endpoint verified, and one that may not be sent changes nothing', async () => {
    let status = 204
    const receiver = await webhookReceiver(() => status)
    const { json, run, directory } = await operator()
    await json('domain', 'add', 'shop.example')
    const { id } = await json('webhook', 'add', 'shop.example', receiver.url)
    const ping = ['webhook', 'ping', 'shop.example', String(id), '--json']
    const state = async () => (await json('webhook', 'list', 'shop.example'))[0].state
    const refused = await runCli(ping, { DATA_DIR: directory })
    expect(refused).toMatchObject({ status: 1, stdout: '' })
    expect(refused.stderr).toContain('WEBHOOK_ALLOW_PRIVATE')
    expect(await state()).toBe('unverified')

    await json('webhook', 'ping', 'shop.example', String(id))
    status = 500
    const failed = await run(...ping)
    expect(JSON.parse(failed.stdout)).toMatchObject({ state: 'failed', status: 500 })
    expect(failed.stderr).toContain('stays verified')
    expect(await state()).toBe('verified')
  })

  test('an endpoint is removed once, and only from its own domain', async () => {
    const { run, json } = await operator()
    await json('domain', 'add', 'shop.example')
    await json('domain', 'add', 'other.example')
    const url = 'http://127.0.0.1:9/hook'
    const { id } = await json('webhook', 'add', 'shop.example', url)
    expect((await run('webhook', 'remove', 'other.example', String(id))).status).toBe(1)
    expect(await json('webhook', 'remove', 'shop.example', String(id))).toEqual({ id, url })
    expect(await json('webhook', 'list', 'shop.example')).toEqual([])
    expect((await run('webhook', 'remove', 'shop.example', String(id))).status).toBe(1)
  })

  test('a domain that has as many endpoints as it may gets no other', async () => {
    const { run, json, directory } = await operator()
    await json('domain', 'add', 'shop.example')
    const store = await openStoreIn(directory)
    const shop = await domainStore(store.reads).find('shop.example')
    const box = createSecretBox(Buffer.alloc(32))
    for (let index = 0; index < ENDPOINTS_MAX; index += 1)
      await addEndpoint(store, box, shop?.id ?? 0, `https://shop.example/${index}`, 1)
    await store.close()
    const { status, stderr } = await run('webhook', 'add', 'shop.example', 'https://shop.example/hook')
    expect([status, stderr]).toEqual([1, expect.stringContaining('has 50 webhook endpoints; remove one')])
  })

  test('a forbidden URL is an error', async () => {
    const { run, json } = await operator({ WEBHOOK_ALLOW_PRIVATE: 'false' })
    await json('domain', 'add', 'shop.example')
    for (const url of ['http://shop.example/hook', 'ftp://shop.example/', 'nonsense']) {
      const { status, stdout } = await run('webhook', 'add', 'shop.example', url, '--json')
      expect([status, stdout]).toEqual([1, ''])
    }
  })
})

test('a start with wrong settings names all of them, and makes neither a domain nor keys', async () => {
  const { run, directory } = await operator({ FEEDS: '/nowhere.json', TRUST_PROXY: 'proxy' })
  const { status, stdout, stderr } = await run('serve')
  expect([status, stdout]).toEqual([1, ''])
  for (const name of ['FEEDS: ', 'TRUST_PROXY: ']) expect(stderr).toContain(name)
  expect(await readdir(directory)).toEqual([])
})

test('a failed start exits with its reason, after printing the keys of the first domain', async () => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void taken.close())
  const { port } = taken.address() as AddressInfo
  const { run } = await operator({ PORT: String(port), FEEDS: 'off', TURN_PORT: 'off' })
  const { status, stdout, stderr } = await run('serve')
  expect(status).toBe(1)
  expect(stderr).toContain(`another program listens on port ${port}; stop it, or set PORT to a free one`)
  expect(stdout).toMatch(/private API key +sec_/)
})

interface Check {
  check: string
  ok: boolean
  detail: string
}

/** Runs `doctor`: its exit status, the checks, and the details of those that failed. */
async function doctor(run: (...args: string[]) => Promise<{ status: number | null; stdout: string }>) {
  const { status, stdout } = await run('doctor', '--json')
  const checks: Check[] = JSON.parse(stdout)
  const failed = checks.filter(({ ok }) => !ok).map(({ check, detail }) => [check, detail] as const)
  return { status, names: checks.map(({ check }) => check), failed: Object.fromEntries(failed) }
}

describe('doctor', () => {
  test('reports whether each part works', async () => {
    const { directory, port } = await runningServer()
    const settings = { DATA_DIR: directory, PORT: String(port), FEEDS: 'off' }
    const { status, names, failed } = await doctor((...args) => runCli(args, settings))
    expect([status, failed]).toEqual([0, {}])
    expect(names).toEqual(expect.arrayContaining(['node', 'data directory', 'database', 'feeds', 'server']))
  })

  test('a missing data directory is reported and not made', async () => {
    const missing = join(await temporaryDirectory(), 'mistyped')
    const { run } = await operator({ DATA_DIR: missing, FEEDS: 'off' })
    const { status, failed } = await doctor(run)
    expect(status).toBe(1)
    expect(failed['data directory']).toContain(`${missing} does not exist`)
    expect(existsSync(missing)).toBe(false)
  })

  test('a server that does not answer and feeds without rows are failures', async () => {
    const port = await freePort('127.0.0.1')
    const { run, json } = await operator({ PORT: String(port) })
    await json('domain', 'add', 'shop.example')
    const { status, failed } = await doctor(run)
    expect(status).toBe(1)
    expect(Object.keys(failed)).toEqual(['feeds', 'server'])
    expect(failed.feeds).toContain('without rows')
    expect(failed.server).toContain(`no server at http://127.0.0.1:${port}/health`)
  })
})
