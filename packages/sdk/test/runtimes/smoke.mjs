/**
 * Calls every public function of the installed package, against a running server, and tells what came of
 * it. It runs as it is in every runtime, so it uses only what all of them have.
 */
import {
  bandOf,
  createClient,
  createManagementClient,
  decide,
  InklingError,
  memoryReplayStore,
  namesAccount,
  namesOne,
  postgresReplayStore,
  redisReplayStore,
  verdictOfEvent,
  verdictOfRow,
  webhooks,
} from '@inkling/sdk'

const codeOf = (promise) =>
  promise.then(
    () => 'no error',
    (error) => (error instanceof InklingError ? error.code : String(error)),
  )

export async function smoke(given) {
  const { historyUrl, apiKey, managementUrl, domain, secretKey, requestId, delivery } = given
  const inkling = createClient({ historyUrl, apiKey })
  const verdict = await inkling.verdict(requestId)
  const page = await inkling.history.search('request_id', requestId)
  const rows = []
  for await (const row of inkling.history.rows('device_id', verdict.deviceId, { pageSize: 1 })) rows.push(row)
  const accounts = []
  for await (const account of inkling.history.accountsOfDevice(verdict.deviceId)) accounts.push(account)
  const explanation = await inkling.explain(requestId)
  const { profile } = createManagementClient({ managementUrl, domain, secretKey })

  const body = Uint8Array.from(atob(delivery.body), (char) => char.charCodeAt(0))
  const { kind, event } = await webhooks.verify(body, delivery.header, ['whsec_other', delivery.secret])
  const store = memoryReplayStore()
  const handle = () => {}
  const policy = { replayStore: store, accounts: { max: 1, of: inkling.history.accountsOfDevice } }

  const failing = { retry: { attempts: 1 } }
  const wrongKey = createClient({ historyUrl, apiKey: 'sec_wrong', ...failing })
  const nobody = createClient({ historyUrl: given.closedUrl, apiKey, ...failing })
  const impatient = createClient({ historyUrl: given.silentUrl, apiKey, requestTimeoutMs: 50, ...failing })
  const signal = AbortSignal.abort()

  return {
    verdict: [verdict.status, verdict.score, verdict.band, bandOf(verdict.score)],
    sameVerdict: verdictOfRow(page.data[0]).requestId === requestId,
    rows: rows.length,
    accounts,
    explained: explanation.request_id === requestId,
    profile: (await profile()).Domain,
    event: [kind, event.data.request_id === requestId, verdictOfEvent(event).status],
    handled: [
      await webhooks.handleOnce(event, { store, handle }),
      await webhooks.handleOnce(event, { store, handle }),
    ],
    decisions: [(await decide(verdict, policy)).action, (await decide(verdict, policy)).action],
    nobody: [namesAccount('anonymous'), namesOne('00000000-0000-0000-0000-000000000000')],
    stores: [typeof postgresReplayStore({}).claim, typeof redisReplayStore({}).claim],
    errors: [
      await codeOf(wrongKey.history.search('user_hid', 'a')),
      await codeOf(nobody.history.search('user_hid', 'a')),
      await codeOf(impatient.history.search('user_hid', 'a')),
      await codeOf(inkling.history.search('ip', '::1')),
      await codeOf(inkling.history.search('user_hid', 'a', { signal })),
      await codeOf(createClient({ historyUrl: `${historyUrl}/api`, apiKey }).explain(requestId)),
      await codeOf(webhooks.verify(`${atob(delivery.body)} `, delivery.header, delivery.secret)),
    ],
  }
}
