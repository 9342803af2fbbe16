import { createHmac, randomUUID } from 'node:crypto'
import { Explanation } from '@inkling/contract'
import { expect, test } from 'vitest'
import { registerDomain } from '../../src/auth/register-domain.ts'
import { openServerSecrets } from '../../src/auth/server-secrets.ts'
import { createSecretBox } from '../../src/lib/secret-box.ts'
import { domainStore } from '../../src/store/domains/domains.ts'
import { listStore } from '../../src/store/lists/list-entries.ts'
import { ordinaryBody } from '../contract/bodies.ts'
import { rotateKey } from '../rotate-key.ts'
import { getHistory, postSnapshot, type TestServer } from '../running-server.ts'
import { serverOn } from '../steady-visits.ts'
import { temporaryDirectory } from '../temporary-store.ts'
import { databaseSettings, openStoreIn } from '../test-database.ts'

/** Somebody sends visits in the name of a customer's user, to blame them. */

const VICTIM = 'b3f1c2'
const ENTRIES = (['allow', 'deny'] as const).map((list) => ({
  list,
  kind: 'account' as const,
  value: VICTIM,
  reason: '',
  expiresAtMs: undefined,
}))

/** Two domains with a user key; the second accepts signed accounts only. */
async function signingDomains() {
  const directory = await temporaryDirectory()
  const store = await openStoreIn(directory)
  const box = createSecretBox((await openServerSecrets(store.secrets)).secret_box_key)
  const domains: { keys: TestServer['keys']; userKey: string }[] = []
  for (const name of ['shop.example', 'bank.example']) {
    const keys = await registerDomain(store, name, 1)
    const { id } = (await domainStore(store.reads).find(name)) ?? {}
    if (!keys || id === undefined) throw new Error('no domain')
    domains.push({ keys, userKey: await rotateKey(store, box, id, 'user') })
    await listStore(store.writes).save(id, ENTRIES, { author: 'somebody', nowMs: 1 })
    if (name === 'bank.example') await domainStore(store.writes).change(id, { signed_users_only: 1 })
  }
  await store.close()
  const [shop, bank] = domains
  if (!shop || !bank) throw new Error('no domains')
  const { url } = await serverOn({ DATA_DIR: directory, ...(await databaseSettings(directory)) }, shop.keys)
  return { url, shop, bank }
}

test('an account is as good as the signature of the backend, a domain may drop all others, and a claim never passes by a list', async () => {
  const { url, shop, bank } = await signingDomains()

  async function visit(
    { keys }: typeof shop,
    userHid: string,
  ): Promise<[string, string | undefined, string]> {
    const requestId = randomUUID()
    expect((await postSnapshot({ url, keys }, requestId, ordinaryBody({ user_hid: userHid }))).status).toBe(
      200,
    )
    const found = await getHistory({ url, keys }, `request_id/${requestId}`)
    const page = (await found.json()) as { data: { user_hid: string }[] }
    const headers = { authorization: `Bearer ${keys.api_key}` }
    const explained = await fetch(`${url}/api/v1/explanation/${requestId}`, { headers })
    const { account, lists = [] } = Explanation.parse(await explained.json())
    return [page.data[0]?.user_hid ?? '', account, lists.map(({ list }) => list).join()]
  }
  const signed = (key: string) => `${VICTIM}.${createHmac('sha256', key).update(VICTIM).digest('hex')}`

  expect(await visit(shop, signed(shop.userKey))).toEqual([VICTIM, 'signed', 'deny,allow'])
  expect(await visit(shop, VICTIM)).toEqual([VICTIM, 'claimed', 'deny'])
  expect(await visit(shop, signed(bank.userKey))).toEqual([VICTIM, 'invalid', 'deny'])
  expect(await visit(shop, 'anonymous')).toEqual(['anonymous', undefined, ''])
  expect(await visit(bank, signed(bank.userKey))).toEqual([VICTIM, 'signed', 'deny,allow'])
  expect(await visit(bank, VICTIM)).toEqual(['anonymous', 'dropped', ''])
  expect(await visit(bank, signed(shop.userKey))).toEqual(['anonymous', 'dropped', ''])
})
