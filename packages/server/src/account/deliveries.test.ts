import { DeliveryPage } from '@inkling/contract/account'
import { expect, test } from 'vitest'
import { accountSurface } from '../../test/account/account-surface.ts'
import { storeDelivery, storeVisit } from '../../test/account/stored-visits.ts'

test('the log of an endpoint is paged, newest first, with a filter for failures', async () => {
  const surface = await accountSurface()
  const base = '/account/domains/shop.example/endpoints'
  const added = await surface.ask({ method: 'POST', url: base, payload: { url: 'https://hooks.example/' } })
  const endpoint_id = added.json().id
  const visit = await storeVisit(surface)
  for (const status of [204, 500, null, 200, 302, 201])
    await storeDelivery(surface, visit, { endpoint_id, status, error: status === null ? 'refused' : null })
  await storeDelivery(surface, visit, { endpoint_id: endpoint_id + 1 })

  async function statuses(query: Record<string, string>): Promise<(number | null)[]> {
    const seen: (number | null)[] = []
    let cursor: string | null = null
    do {
      const answer = await surface.ask({
        url: `${base}/${endpoint_id}/deliveries`,
        query: { ...query, limit: '2', ...(cursor !== null && { cursor }) },
        token: surface.tokens.analyst,
      })
      const page: DeliveryPage = DeliveryPage.parse(answer.json())
      for (const { body } of page.data) expect(body).toBe(visit.event)
      seen.push(...page.data.map(({ status }) => status))
      cursor = page.next
    } while (cursor !== null)
    return seen
  }
  expect(await statuses({})).toEqual([201, 302, 200, null, 500, 204])
  expect(await statuses({ outcome: 'failed' })).toEqual([302, null, 500])
})
