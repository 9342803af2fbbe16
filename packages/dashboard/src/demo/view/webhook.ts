import { jsonBlock } from '../code-block.ts'
import type { DemoWebhook } from '../demo-api.ts'
import { type Child, element } from '../element.ts'
import { prettyJson } from '../json-tokens.ts'

interface WebhookShown {
  webhook: DemoWebhook | undefined
  settled: boolean
  ready: boolean
}

/** Headers first: the signature is over the body below them. */
export function webhookView({ webhook, settled, ready }: WebhookShown): Child {
  if (!webhook) return element('p', { class: 'nothing' }, absence(settled, ready))
  const { verified, headers, body, afterMs } = webhook
  return [
    element(
      'p',
      { class: 'seal', 'data-tone': verified ? 'trusted' : 'dangerous' },
      element('strong', {}, verified ? 'Signature verified' : 'Signature does not match'),
      element(
        'span',
        { class: 'seal-how' },
        verified
          ? `HMAC-SHA256 over the raw bytes, ${afterMs} ms after the identification`
          : 'A real receiver would refuse this event.',
      ),
    ),
    element(
      'dl',
      { class: 'headers' },
      Object.entries(headers).map(([name, value]) =>
        element('div', {}, element('dt', {}, name), element('dd', {}, value)),
      ),
    ),
    jsonBlock('Body', prettyJson(body)),
  ]
}

function absence(settled: boolean, ready: boolean): string {
  if (!ready) return 'The demo’s webhook endpoint could not be set up. The server’s log says why.'
  return settled
    ? 'No delivery arrived. The verdict does not depend on it: the History row is the guaranteed way.'
    : 'On its way. It leaves when the last follow-up check has answered, at most about ten seconds.'
}
