import {
  ACCOUNT_OPERATIONS,
  type AccountAnswer,
  type AccountOperation,
  type AccountOperationName,
} from '@inkling/contract/account'
import { errorOf, httpRequest, type RequestOf, send } from './request.ts'
import { createSession, type Session } from './session.ts'

export interface Api {
  session: Session
  /**
   * Sets what asks the user to prove who they are, for operations that need a recent proof.
   * @param ask false when the user would rather not
   * @returns takes it back
   */
  askForProofWith(ask: () => Promise<boolean>): () => void
  /**
   * Calls an operation of the account API. Responses are not validated: the page and the server are built
   * from the same contract and released together.
   * @throws ApiError
   */
  call<Name extends AccountOperationName>(
    name: Name,
    request: RequestOf<Name>,
    signal?: AbortSignal,
  ): Promise<AccountAnswer<Name>>
  /** The same for an operation that streams a file. */
  stream<Name extends AccountOperationName>(
    name: Name,
    request: RequestOf<Name>,
    signal?: AbortSignal,
  ): Promise<Response>
}

/** @param root public base URL of the server, with a trailing slash */
export function createApi(root: URL): Api {
  const session = createSession(root)
  let askForProof: (() => Promise<boolean>) | undefined

  async function stream<Name extends AccountOperationName>(
    name: Name,
    request: RequestOf<Name>,
    signal?: AbortSignal,
  ): Promise<Response> {
    const { url, init } = httpRequest(root, name, request)
    const attempt = () =>
      send(url, {
        ...init,
        ...(signal && { signal }),
        headers: { ...init.headers, authorization: `Bearer ${session.current()?.access_token}` },
      })
    const asker = session.current()
    const first = await attempt()
    const renewed = first.status === 401 && asker && (await session.renew(asker)) ? await attempt() : first
    const response =
      renewed.status === 403 && needsProof(name) && (await askForProof?.()) ? await attempt() : renewed
    if (!response.ok) throw await errorOf(response)
    return response
  }

  return {
    session,
    askForProofWith(ask) {
      askForProof = ask
      return () => {
        if (askForProof === ask) askForProof = undefined
      }
    },
    stream,
    async call(name, request, signal) {
      const response = await stream(name, request, signal)
      return response.status === 204 ? undefined : await response.json()
    },
  }
}

const needsProof = (name: AccountOperationName): boolean =>
  (ACCOUNT_OPERATIONS[name] as AccountOperation).proof === 'recent'
