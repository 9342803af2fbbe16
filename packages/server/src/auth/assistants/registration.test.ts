import { expect, test } from 'vitest'
import { temporaryDomain } from '../../../test/temporary-surface.ts'
import { assistantClientStore } from '../../store/assistants/clients.ts'
import { removeExpired } from '../../store/remove-expired.ts'
import { registerAssistant } from './registration.ts'

const NOW_MS = Date.UTC(2026, 10, 23)
const DAY_MS = 86_400_000
const redirectUris = ['https://a.example/cb']

test('a registration is kept for a day unless somebody agrees, and its name is one plain line', async () => {
  const { store } = await temporaryDomain()
  const name = `Desk\n\u202eassistant\u0000 ${'x'.repeat(200)}`
  const client = await registerAssistant(store, { name, redirectUris }, NOW_MS)
  expect(client?.name).toMatch(/^Desk assistant x{45}$/)
  const used = await registerAssistant(store, { name: '', redirectUris }, NOW_MS)
  expect(used?.name).toBe('An assistant without a name')
  await assistantClientStore(store.writes).keepUntil(used?.id ?? '', NOW_MS + 9 * DAY_MS)
  await removeExpired(store, NOW_MS + DAY_MS)
  const left = await store.reads.selectFrom('assistant_clients').select('id').execute()
  expect(left.map(({ id }) => id)).toEqual([used?.id])
})

test('strangers cannot fill the table, nor push out what somebody agreed to', async () => {
  const { store } = await temporaryDomain()
  const used = await registerAssistant(store, { name: 'used', redirectUris }, NOW_MS)
  await assistantClientStore(store.writes).keepUntil(used?.id ?? '', NOW_MS + 9 * DAY_MS)
  const rows = Array.from({ length: 1_000 }, (_, index) => ({
    id: `stranger ${index}`,
    name: 'x',
    redirect_uris: '[]',
    created_at: NOW_MS,
    expires_at: NOW_MS + DAY_MS,
  }))
  await store.writes.insertInto('assistant_clients').values(rows).execute()
  const client = await registerAssistant(store, { name: 'new', redirectUris }, NOW_MS + 1)
  const { count } = await store.reads
    .selectFrom('assistant_clients')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  expect(count).toBe(1_000)
  for (const kept of [used, client])
    expect(await assistantClientStore(store.reads).find(kept?.id ?? '', NOW_MS + 1)).toBeDefined()
})

test('an assistant has one to ten allowed addresses', async () => {
  const { store } = await temporaryDomain()
  const many = Array.from({ length: 11 }, (_, index) => `https://a.example/${index}`)
  for (const wrong of [[], many, ['https://a.example/', 'http://evil.example/']])
    expect(await registerAssistant(store, { name: 'x', redirectUris: wrong }, NOW_MS)).toBeUndefined()
})
