import type { CallbackAnswer } from '@inkling/contract'
import { webhookUrl } from '../deliver/webhook-endpoints.ts'
import { AppError } from '../lib/errors.ts'
import { authenticateSecret, pathCredentials } from './authenticate-secret.ts'
import { sendBadCredentials, sendManagementJson } from './management-answers.ts'
import type { ManagementDeps } from './management-deps.ts'
import type { MountRoute } from './mount-route.ts'
import { setCallback } from './set-callback.ts'

const URL_LENGTH_MAX = 2_048

/**
 * POST /{domain}:{secret}/callback. The body is the URL itself. Its signing secret is not answered, as it
 * never was: the operator reads a new one from `inkling webhook rotate`.
 */
export function callbackRoute(mount: MountRoute, deps: ManagementDeps): void {
  mount({
    method: 'POST',
    url: '/:credentials/callback',
    match: pathCredentials,
    async answer(credentials, request, reply) {
      const domain = authenticateSecret(credentials, deps.directory)
      if (!domain) return sendBadCredentials(reply)
      const text = typeof request.body === 'string' ? request.body.trim() : ''
      if (text.length > URL_LENGTH_MAX)
        throw new AppError('INK_INVALID_WEBHOOK_URL', 'the webhook URL is too long')

      const url = webhookUrl(text, deps.allowPrivateWebhooks)
      await setCallback(deps.store, deps.secrets, domain.id, url, deps.now())
      await deps.directory.refresh()
      return sendManagementJson(reply, 200, { callback: url } satisfies CallbackAnswer)
    },
  })
}
