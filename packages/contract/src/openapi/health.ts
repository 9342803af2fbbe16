import { described, json } from './content.ts'
import { EDGE_ERRORS, errorRef } from './errors.ts'
import { type Deployment, type Paths, serversOf } from './surface.ts'

export const HEALTH_TAG = 'Health'

export const healthPaths = (deployment: Deployment): Paths => ({
  '/health': {
    get: {
      operationId: 'getHealth',
      summary: 'Check that the service answers',
      description: 'On the host of the History API and on that of the Management API. Never rate limited.',
      tags: [HEALTH_TAG],
      servers: serversOf(deployment, 'history', 'management'),
      security: [],
      responses: {
        200: described(
          'It answers.',
          json('HealthAnswer', { ok: { summary: 'Well', value: { status: 'ok' } } }),
        ),
        404: errorRef('RouteNotFound'),
        ...EDGE_ERRORS,
      },
    },
  },
})
