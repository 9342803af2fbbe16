import type { Installation } from '../../installation.ts'

/** For the page: the request ID goes along with the form that the backend decides on. */
export const pageSnippet = ({ agentUrl }: Installation, publicKey: string): string =>
  `<script type="module">
  const agent = await import('${agentUrl}/agent.js?publicKey=${publicKey}')
  agent.checkAnonymous({
    onInitialized({ status, requestID }) {
      // Send the request ID along with your form.
      if (status === 'initialized') document.forms[0].elements.request_id.value = requestID
    },
  })
</script>`

/** Lines for a page with a content security policy. */
export function policyLines({ agentUrl, ingestUrl }: Installation): string {
  const ingest = new URL(ingestUrl).origin
  return `script-src ${new URL(agentUrl).origin};
connect-src ${ingest} ${ingest.replace(/^http/, 'ws')};
worker-src blob:`
}

/** For the backend, with nothing but Node. */
export const webhookSample = ({ serviceName }: Installation): string =>
  `import { createHmac, timingSafeEqual } from 'node:crypto'

/** @param rawBody the bytes as they arrived, before any parsing */
export function isGenuine(rawBody, headers, secret) {
  const expected = 'sha256=' + createHmac('sha256', secret).update(rawBody).digest('hex')
  const given = headers['x-${serviceName.toLowerCase()}-signature'] ?? ''
  return given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected))
}`

/** For the backend that asks instead of being told. */
export const historySample = ({ historyUrl }: Installation): string =>
  `curl -H 'Authorization: Bearer YOUR_API_KEY' \\
  '${historyUrl}/api/v1/history/request_id/REQUEST_ID'`
