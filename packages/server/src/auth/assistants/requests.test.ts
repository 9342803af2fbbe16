import { expect, test } from 'vitest'
import { temporaryDomain } from '../../../test/temporary-surface.ts'
import { sessionStore } from '../../store/users/users.ts'
import { startSession } from '../sessions.ts'
import { addUser } from '../users.ts'
import { registerAssistant } from './registration.ts'
import { allowAssistant } from './requests.ts'

const NOW = Date.UTC(2026, 10, 28)
const REDIRECT = 'http://127.0.0.1/callback'

test('what ends the session of a person lets them allow no assistant that would outlive it', async () => {
  const { store, domainId } = await temporaryDomain()
  const given = { email: 'ada@shop.example', password: 'correct horse', role: 'owner' } as const
  const user = await addUser(store, given, { actor: 'command line', nowMs: NOW })
  if (!user) throw new Error('no user')
  const client = await registerAssistant(store, { name: 'Assistant', redirectUris: [REDIRECT] }, NOW)
  if (!client) throw new Error('not registered')
  const { sessionId } = await startSession(store, user, NOW)
  const request = {
    client_id: client.id,
    redirect_uri: REDIRECT,
    response_type: 'code',
    code_challenge: 'c'.repeat(43),
    code_challenge_method: 'S256',
  }
  const allow = () =>
    allowAssistant(
      store,
      { client, request },
      {
        user: { ...user, sessionId },
        domain: { id: domainId, name: 'shop.example' },
        scopes: ['read'],
      },
      NOW,
    )
  await allow()
  await sessionStore(store.writes).removeOfUser(user.id)
  await expect(allow()).rejects.toMatchObject({ code: 'INK_INVALID_TOKEN' })
  expect(await store.reads.selectFrom('assistant_grants').select('id').execute()).toEqual([])
})
