import type { Case } from '../src/case.ts'
import { edited, wellForged, whyNoProtocol } from '../src/forge.ts'
import { gotScraping, undici } from '../src/send/package-clients.ts'
import { curl, go, python, whyNoCurl, whyNoGo, whyNoPython } from '../src/send/program-clients.ts'
import { deliver, type Send } from '../src/send/send.ts'

/** The best body, so that only the client differs: edited, with a fresh ticket and a key where there are tickets. */
const client = (
  id: string,
  title: string,
  send: Send,
  missing: () => Promise<string | undefined> = async () => undefined,
): Case => ({
  kind: 'forger',
  family: 'HTTP clients',
  id,
  title: `${title}, edited body of Chromium with ticket and key`,
  missing,
  async run(attempt) {
    const [captured] = await attempt.capture('chromium')
    const canProve = (await whyNoProtocol()) === undefined
    const forged = canProve ? await wellForged(attempt, send, captured) : edited(captured)
    return deliver(attempt, send, forged)
  },
})

export const CLIENTS: readonly Case[] = [
  client('client-curl', 'curl', curl, whyNoCurl),
  client('client-undici', "Node's fetch over HTTP/1.1", undici({ allowH2: false })),
  client('client-undici-http2', "Node's fetch over HTTP/2", undici({ allowH2: true })),
  client('client-got-scraping', 'got-scraping', gotScraping),
  client('client-requests', "Python's requests", python('requests'), whyNoPython('requests')),
  client('client-httpx', "Python's httpx over HTTP/2", python('httpx'), whyNoPython('httpx')),
  client('client-go', "Go's client", go, whyNoGo),
]
