import { authenticateSecret, headerCredentials } from './authenticate-secret.ts'
import { sendBadCredentials } from './management-answers.ts'
import type { ManagementDeps } from './management-deps.ts'
import type { MountRoute } from './mount-route.ts'
import { sendProfile } from './send-profile.ts'

/** GET /v1/profile. */
export function profileRoute(mount: MountRoute, { directory, store, serviceName }: ManagementDeps): void {
  mount({
    method: 'GET',
    url: '/v1/profile',
    match: () => true,
    async answer(_path, request, reply) {
      const credentials = headerCredentials(request, serviceName)
      const domain = credentials && authenticateSecret(credentials, directory)
      return domain ? sendProfile(reply, store, domain.id) : sendBadCredentials(reply)
    },
  })
}
