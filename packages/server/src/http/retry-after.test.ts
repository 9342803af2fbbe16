import { expect, test } from 'vitest'
import { history, management } from '../../test/contract/callers.ts'
import { rawRequest } from '../../test/contract/raw-request.ts'
import { runningServer } from '../../test/running-server.ts'

test('a 429 of the two APIs says when requests are accepted again', async () => {
  const server = await runningServer({
    settings: {
      HISTORY_LIMIT_PER_SECOND: '1',
      MANAGEMENT_LIMIT_PER_MINUTE: '1',
      MANAGEMENT_BLOCK_MINUTES: '7',
    },
  })
  const { public_key, secret_key } = server.keys
  const older = () => rawRequest(server, { path: `/pub/${public_key}/${secret_key}/history/user_hid/a` })
  const searches = await Promise.all([
    history(server, 'user_hid/a'),
    history(server, 'user_hid/a'),
    older(),
    older(),
  ])
  const refused = searches.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThanOrEqual(2)
  for (const { headers } of refused) expect(headers['retry-after']).toBe('1')
  for (const { status, headers } of searches)
    if (status === 200) expect(headers['retry-after']).toBeUndefined()

  expect((await management(server, '/v1/profile')).headers['retry-after']).toBeUndefined()
  const { status, headers } = await management(server, '/v1/profile')
  expect(status).toBe(429)
  // Seven minutes, less the moments since the block began.
  expect(Number(headers['retry-after'])).toBeGreaterThan(400)
  expect(Number(headers['retry-after'])).toBeLessThanOrEqual(420)
})
