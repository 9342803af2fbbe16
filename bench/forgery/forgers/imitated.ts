import type { Engine } from '../src/browser.ts'
import type { Case } from '../src/case.ts'
import { edited, wellForged, whyNoProtocol } from '../src/forge.ts'
import { impit, wreq } from '../src/send/package-clients.ts'
import { python, whyNoPython } from '../src/send/program-clients.ts'
import { deliver, type Send } from '../src/send/send.ts'

/** Clients that imitate a browser's TLS and HTTP/2, with the best body there is. */
const imitation = (
  id: string,
  title: string,
  {
    send,
    engine = 'chromium',
    missing = async () => undefined,
  }: { send: Send; engine?: Engine } & Pick<Case, 'missing'>,
): Case => ({
  kind: 'forger',
  family: 'imitated handshakes',
  id,
  title: `${title}, edited body with ticket and key`,
  missing,
  async run(attempt) {
    const [captured] = await attempt.capture(engine)
    const canProve = (await whyNoProtocol()) === undefined
    const forged = canProve ? await wellForged(attempt, send, captured) : edited(captured)
    return deliver(attempt, send, forged)
  },
})

export const IMITATED: readonly Case[] = [
  imitation('imitated-impit', 'impit as Chrome', { send: impit('chrome') }),
  imitation('imitated-impit-firefox', 'impit as Firefox', { send: impit('firefox'), engine: 'firefox' }),
  imitation('imitated-wreq', 'wreq-js as Chrome', { send: wreq('chrome') }),
  imitation('imitated-wreq-firefox', 'wreq-js as Firefox', { send: wreq('firefox'), engine: 'firefox' }),
  imitation('imitated-curl-cffi', 'curl_cffi as Chrome', {
    send: python('curl_cffi'),
    missing: whyNoPython('curl_cffi'),
  }),
]
