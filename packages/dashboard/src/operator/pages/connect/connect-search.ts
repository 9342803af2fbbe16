import { AssistantRequest } from '@inkling/contract/account'

export type ConnectSearch = Partial<AssistantRequest>

const NAMES = Object.keys(AssistantRequest.shape) as (keyof AssistantRequest)[]

/** What an assistant asks for in the address. Values that are given twice are dropped: nobody knows which one counts. */
export const parseConnectSearch = (search: Record<string, unknown>): ConnectSearch =>
  Object.fromEntries(
    NAMES.flatMap((name) => (typeof search[name] === 'string' ? [[name, search[name]]] : [])),
  )
