import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { historyPage, identify, rowOf } from '../contract/callers.ts'
import { from } from '../contract/roomy-settings.ts'
import { measuredServer } from '../scrape.ts'

test('images of the beacon in a post lock no reader out of the agent, and leave no marker', async () => {
  const server = await measuredServer({
    settings: { TRUST_PROXY: '127.0.0.1', HISTORY_LIMIT_PER_SECOND: '1000' },
  })
  const reader = from('91.0.0.1')
  for (let image = 0; image < 61; image += 1) {
    const { status } = await fetch(`${server.url}/noscript?publicKey=${server.keys.public_key}`, {
      headers: { referer: 'https://shop.example/forum/post', ...reader },
    })
    expect(status).toBe(200)
  }
  const requestId = randomUUID()
  await identify(server, requestId, '{"version":1,"user_hid":"reader"}', reader)
  expect((await rowOf(server, requestId)).user_hid).toBe('reader')
  const { data, total } = await historyPage(server, 'latest/all?limit=100')
  expect(data.filter(({ score }) => score === 999)).toEqual([])
  // A quarter of what an address may identify, and the reader's own visit.
  expect(total).toBe(15 + 1)
  const { value } = await server.scrape()
  expect(value('inkling_rate_limited_total{surface="beacon"}')).toBe(61 - 15)
})
