import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { historyPage, identify, rowOf } from '../contract/callers.ts'
import { from } from '../contract/roomy-settings.ts'
import { askForTicket } from '../proven-body.ts'
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

test('images of tickets take none from the readers of a post, and who asks for too many is identified without', async () => {
  const server = await measuredServer({
    settings: { TRUST_PROXY: '127.0.0.1', INGEST_LIMIT_PER_MINUTE: '4' },
  })
  const reader = from('91.0.0.1')
  const ask = (headers: object) => askForTicket(server, randomUUID(), { ...reader, ...headers })
  for (let image = 0; image < 30; image += 1)
    expect((await ask({ 'sec-fetch-dest': 'image' })).status).toBe(401)
  // Five times as many as identifications.
  const statuses: number[] = []
  for (let ticket = 0; ticket < 22; ticket += 1) statuses.push((await ask({})).status)
  expect(statuses).toEqual([...Array(20).fill(200), 429, 429])
  expect((await ask(from('91.0.0.2'))).status).toBe(200)
  await identify(server, randomUUID(), '{}', reader)
  const { value } = await server.scrape()
  expect(value('inkling_rate_limited_total{surface="tickets"}')).toBe(2)
  expect(value('inkling_visit_tickets_total{state="missing"}')).toBe(1)
})
