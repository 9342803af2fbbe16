import type { AccountAnswer, AccountOperationName } from '@inkling/contract/account'
import { reach, refusalOf } from './api-error.ts'
import { httpRequest, type RequestOf } from './request-of.ts'
import { createSession, type Session } from './session.ts'

export interface Api {
  session: Session
  /**
   * Asks one operation of the contract's table. Answers are taken as the contract types them: page and server
   * are built from the same one and released together.
   * @throws ApiError
   */
  ask<Name extends AccountOperationName>(
    name: Name,
    request: RequestOf<Name>,
    signal?: AbortSignal,
  ): Promise<AccountAnswer<Name>>
  /** The same for an operation that streams a file. */
  open<Name extends AccountOperationName>(
    name: Name,
    request: RequestOf<Name>,
    signal?: AbortSignal,
  ): Promise<Response>
}

/** @param root public base URL of the server, with a slash at the end */
export function createApi(root: URL): Api {
  const session = createSession(root)

  async function open<Name extends AccountOperationName>(
    name: Name,
    request: RequestOf<Name>,
    signal?: AbortSignal,
  ): Promise<Response> {
    const { url, init } = httpRequest(root, name, request)
    const send = () =>
      reach(url, {
        ...init,
        ...(signal && { signal }),
        headers: { ...init.headers, authorization: `Bearer ${session.accessToken()}` },
      })
    const token = session.accessToken()
    const first = await send()
    const response = first.status === 401 && (await session.renew(token)) ? await send() : first
    if (!response.ok) throw await refusalOf(response)
    return response
  }

  return {
    session,
    open,
    async ask(name, request, signal) {
      const response = await open(name, request, signal)
      return response.status === 204 ? undefined : await response.json()
    },
  }
}
