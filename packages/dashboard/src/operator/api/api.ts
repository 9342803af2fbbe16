import type { AccountAnswer, AccountOperationName } from '@inkling/contract/account'
import { errorOf, httpRequest, type RequestOf, send } from './request.ts'
import { createSession, type Session } from './session.ts'

export interface Api {
  session: Session
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
        headers: { ...init.headers, authorization: `Bearer ${session.accessToken()}` },
      })
    const token = session.accessToken()
    const first = await attempt()
    const response = first.status === 401 && (await session.renew(token)) ? await attempt() : first
    if (!response.ok) throw await errorOf(response)
    return response
  }

  return {
    session,
    stream,
    async call(name, request, signal) {
      const response = await stream(name, request, signal)
      return response.status === 204 ? undefined : await response.json()
    },
  }
}
