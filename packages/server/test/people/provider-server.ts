import { createServer } from 'node:http'
import Provider from 'oidc-provider'
import { freePort } from '../../src/lib/free-port.ts'

export const CLIENT_ID = 'inkling'
export const CLIENT_SECRET = 'a secret between the two of them'

export interface Person {
  email: string
  email_verified: boolean
  groups?: string[]
}

export interface ProviderServer {
  issuer: string
  /** By the name that a person signs in with at the provider; tests change it. */
  people: Map<string, Person>
  /** How often a code was exchanged, or tried to. */
  exchanges(): number
  close(): void
}

/** Of one person, with what the provider knows them by. */
export interface ProviderBrowser {
  cookies: Map<string, string>
  /** The forms that the provider showed, in order: `login` asks for credentials. */
  forms: string[]
}

export const providerBrowser = (): ProviderBrowser => ({ cookies: new Map(), forms: [] })

/** Finds a place for a provider, which starts once the address is known that it sends browsers back to. */
export async function planProvider(): Promise<{
  issuer: string
  start(returnUrl: string): Promise<ProviderServer>
}> {
  const port = await freePort('127.0.0.1')
  const issuer = `http://127.0.0.1:${port}`
  return {
    issuer,
    async start(returnUrl) {
      const people = new Map<string, Person>()
      const provider = new Provider(issuer, {
        clients: [{ client_id: CLIENT_ID, client_secret: CLIENT_SECRET, redirect_uris: [returnUrl] }],
        scopes: ['openid', 'email', 'groups'],
        claims: { openid: ['sub'], email: ['email', 'email_verified'], groups: ['groups'] },
        cookies: { keys: ['only for this test'] },
        findAccount: (_context, id) =>
          Promise.resolve({ accountId: id, claims: () => ({ sub: id, ...people.get(id) }) }),
      })
      let exchanges = 0
      const answer = provider.callback()
      const server = createServer((request, response) => {
        if (request.url === '/token') exchanges += 1
        void answer(request, response)
      })
      await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
      return {
        issuer,
        people,
        exchanges: () => exchanges,
        close() {
          server.closeAllConnections()
          server.close()
        },
      }
    },
  }
}

const HOPS_MAX = 12

/**
 * What a browser does between Inkling and the provider: follows redirects, and fills in the provider's forms.
 * @returns the address with which the provider sends it back
 */
export async function signInAtProvider(
  url: string,
  name: string,
  returnUrl: string,
  { cookies, forms }: ProviderBrowser = providerBrowser(),
): Promise<URL> {
  let next: { url: URL; body?: URLSearchParams } = { url: new URL(url) }
  for (let hop = 0; hop < HOPS_MAX; hop += 1) {
    const answer = await fetch(next.url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      ...(next.body && { method: 'POST', body: next.body }),
    })
    for (const cookie of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = cookie.split(';', 1)[0]?.split(/=(.*)/s) ?? []
      cookies.set(name, value)
    }
    const page = await answer.text()
    const location = answer.headers.get('location')
    if (location !== null) {
      const target = new URL(location, next.url)
      if (target.href.startsWith(returnUrl)) return target
      next = { url: target }
      continue
    }
    const action = /action="([^"]+)"/.exec(page)?.[1]
    const prompt = /name="prompt" value="([^"]+)"/.exec(page)?.[1]
    if (action === undefined || prompt === undefined) throw new Error(`no form: ${answer.status} ${page}`)
    forms.push(prompt)
    const body = new URLSearchParams({ prompt, ...(prompt === 'login' && { login: name, password: 'any' }) })
    next = { url: new URL(action, next.url), body }
  }
  throw new Error('the provider sends the browser in circles')
}
