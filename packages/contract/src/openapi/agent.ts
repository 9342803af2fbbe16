import { content } from './content.ts'
import type { Operation } from './document.ts'
import { EDGE_ERRORS, errorRef } from './errors.ts'
import { publicKeyParameter } from './ingest.ts'
import { type Deployment, type Paths, serversOf } from './surface.ts'

export const AGENT_TAG = 'Agent'

export const agentPaths = (deployment: Deployment): Paths => ({
  '/agent.js': { get: agentScript(deployment, 'getAgent', 'Load the agent') },
  '/snippet.js': { get: agentScript(deployment, 'getAgentSnippet', 'Load the agent (second name)') },
})

const agentScript = (deployment: Deployment, operationId: string, summary: string): Operation => ({
  operationId,
  summary,
  description: [
    'An ES module for `import()` from any origin; it runs under a strict CSP without `unsafe-eval`. It exports `checkAnonymous(options)`, `checkAuthenticatedUser(userHid, options)`, `forceCheckAnonymous(options)`, `forceCheckAuthenticatedUser(userHid, options)` and an object of the four as its default.',
    "Each call answers once through `options.onInitialized`: with `{status: 'initialized', requestID}`, or with `{status: 'not_initialized'}`. Without the `force` form, a check runs at most once per visit in five minutes.",
  ].join('\n\n'),
  tags: [AGENT_TAG],
  servers: serversOf(deployment, 'agent'),
  security: [{}, { publicKey: [] }],
  parameters: [
    publicKeyParameter(
      'Public Key of the domain. Without a well-formed one the agent loads and answers `not_initialized`. Other query parameters are ignored.',
      false,
    ),
  ],
  responses: {
    200: {
      description: 'The module.',
      headers: {
        'Access-Control-Allow-Origin': {
          description: 'Any page may load it.',
          schema: { type: 'string', const: '*' },
        },
        'Cache-Control': {
          description: 'A few minutes.',
          schema: { type: 'string' },
          example: 'public, max-age=300',
        },
      },
      content: content(
        'text/javascript; charset=utf-8',
        { type: 'string' },
        {
          use: {
            summary: 'What it exports, shortened',
            value:
              'export { checkAnonymous, checkAuthenticatedUser, forceCheckAnonymous, forceCheckAuthenticatedUser }\n',
          },
        },
      ),
    },
    404: errorRef('RouteNotFound'),
    ...EDGE_ERRORS,
  },
})
