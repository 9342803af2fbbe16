/** The part of the library that the tests use; it ships no types. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  interface Account {
    accountId: string
    claims(): Record<string, unknown> | Promise<Record<string, unknown>>
  }

  export default class Provider {
    constructor(
      issuer: string,
      configuration: {
        clients: Record<string, unknown>[]
        claims: Record<string, string[]>
        scopes: string[]
        cookies: { keys: string[] }
        findAccount(context: unknown, id: string): Promise<Account | undefined>
      },
    )
    callback(): RequestListener
  }
}
