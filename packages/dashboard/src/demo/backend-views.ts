import { codeBlock, jsonBlock, prettyJson } from './code-block.ts'
import type { DemoSession, DemoWebhook } from './demo-api.ts'
import { type Child, element } from './element.ts'

interface WebhookShown {
  webhook: DemoWebhook | undefined
  settled: boolean
  ready: boolean
}

/** The event as it was received: the result of the signature check, its headers and its body. */
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
          ? `HMAC-SHA256 over the raw bytes, received ${afterMs} ms after the identification`
          : 'A real receiver would reject this event.',
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
  if (!ready) return 'The demo’s webhook endpoint could not be set up. See the server’s log.'
  return settled
    ? 'No webhook arrived. The verdict does not depend on it: it is always in the History row.'
    : 'Waiting. It is sent when the last follow-up check has finished, which takes up to ten seconds.'
}

interface EmbedShown {
  session: DemoSession
  requestId: string | undefined
}

export function embedView({ session, requestId }: EmbedShown): Child {
  return [
    codeBlock('In your page', snippet(session)),
    codeBlock('In your backend', curl(session.historyUrl, requestId)),
    element(
      'p',
      { class: 'quiet' },
      'The API key is not shown here, because it must stay on servers. ',
      element('code', {}, 'npm start'),
      ' printed it on its first run; ',
      element('code', {}, 'npx inkling key rotate localhost api'),
      ' creates a new one.',
    ),
  ]
}

const snippet = ({ agentUrl, publicKey }: DemoSession): string =>
  `import { identifyOnInteraction } from
  '${agentUrl}/embed.js'

identifyOnInteraction(document.forms.signup, {
  agentUrl: '${agentUrl}',
  publicKey: '${publicKey}',
})`

const curl = (historyUrl: string, requestId = 'REQUEST_ID'): string =>
  `curl -H 'Authorization: Bearer sec_••••••••-••••••••-••••••••' \\
  '${historyUrl}/api/v1/history/request_id/${requestId}'`
