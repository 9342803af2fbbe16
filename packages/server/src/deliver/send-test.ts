import { TEST_SAMPLE } from '@inkling/contract'
import type { SecretBox } from '../lib/secret-box.ts'
import type { EndpointRow } from '../store/endpoints.ts'
import { type Attempt, type AttemptDeps, attemptSend } from './attempt.ts'
import { eventJson } from './event-json.ts'

const TEST_TIMEOUT_MS = 5_000

/** Sends the fixed sample of `identification.scored`; the endpoint's state stays as it is. */
export const sendTest = (secrets: SecretBox, endpoint: EndpointRow, deps: AttemptDeps): Promise<Attempt> =>
  attemptSend(
    {
      url: endpoint.url,
      secret: secrets.open(endpoint.sealed_secret),
      body: eventJson(TEST_SAMPLE),
      timeoutMs: TEST_TIMEOUT_MS,
    },
    deps,
  )
