import { randomUUID } from 'node:crypto'
import { freePort } from '../../../server/src/lib/free-port.ts'
import { ordinaryBody, uniqueDevice } from '../../../server/test/contract/bodies.ts'
import { identify } from '../../../server/test/contract/callers.ts'
import { ADDRESSES, from, ROOMY_SETTINGS } from '../../../server/test/contract/roomy-settings.ts'
import { startTestServer } from '../../../server/test/running-server.ts'
import { startWebhookReceiver } from '../../../server/test/webhook-receiver.ts'
import { silentHost } from '../silent-host.ts'

/** A server with two visits of one device, and the data that a customer's backend has of them. */
export async function visitedServer(closing: (() => unknown)[]): Promise<object> {
  const receiver = await startWebhookReceiver()
  closing.push(receiver.close)
  const server = await startTestServer({ settings: ROOMY_SETTINGS, endpoints: [receiver.url] })
  closing.push(server.close)
  const silent = await silentHost()
  closing.push(silent.close)

  const requestId = randomUUID()
  const device = uniqueDevice()
  await identify(server, randomUUID(), ordinaryBody({}, device), from(ADDRESSES.home))
  await receiver.count(1)
  await identify(server, requestId, ordinaryBody({ user_hid: 'ann' }, device), from(ADDRESSES.home))
  const delivery = (await receiver.count(2))[1]
  return {
    historyUrl: server.url,
    managementUrl: server.url,
    closedUrl: `http://127.0.0.1:${await freePort('127.0.0.1')}`,
    silentUrl: silent.url,
    apiKey: server.keys.api_key,
    domain: server.keys.domain,
    secretKey: server.keys.secret_key,
    requestId,
    delivery: {
      body: delivery?.body.toString('base64'),
      header: delivery?.headers['x-svc-signature'],
      secret: server.secrets[0],
    },
  }
}
