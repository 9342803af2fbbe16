import { codeBlock } from '../code-block.ts'
import type { DemoSession } from '../demo-api.ts'
import { type Child, element } from '../element.ts'
import { agentScript } from '../run-agent.ts'

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
      'The API key is not shown here: it stays on servers. ',
      element('code', {}, 'npm start'),
      ' printed it on its first run, and ',
      element('code', {}, 'npx inkling key rotate localhost api'),
      ' makes a new one.',
    ),
  ]
}

const snippet = ({ agentUrl, publicKey }: DemoSession): string =>
  `const agent = await import(
  '${agentScript(agentUrl, publicKey)}'
)
agent.checkAnonymous({
  onInitialized({ status, requestID }) {
    if (status === 'initialized') form.elements.request_id.value = requestID
  },
})`

const curl = (historyUrl: string, requestId = 'REQUEST_ID'): string =>
  `curl -H 'Authorization: Bearer sec_••••••••-••••••••-••••••••' \\
  '${historyUrl}/api/v1/history/request_id/${requestId}'`
