import { authenticateSecret, pathCredentials } from '../management/authenticate-secret.ts'
import { sendBadCredentials } from '../management/management-answers.ts'
import type { ManagementDeps } from '../management/management-deps.ts'
import type { MountRoute } from '../management/mount-route.ts'
import { sendProfile } from '../management/send-profile.ts'

/** GET /{domain}:{secret}/profile, the older form of /v1/profile. */
export function olderProfileRoute(mount: MountRoute, { directory, store }: ManagementDeps): void {
  mount({
    method: 'GET',
    url: '/:credentials/profile',
    match: pathCredentials,
    async answer(credentials, _request, reply) {
      // As in the newer form, which holds for the whole Management API: an empty 401.
      const domain = authenticateSecret(credentials, directory)
      return domain ? sendProfile(reply, store, domain.id) : sendBadCredentials(reply)
    },
  })
}
