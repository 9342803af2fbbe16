import { randomUUID } from 'node:crypto'
import type { Case } from '../src/case.ts'
import { claimingChrome } from '../src/chrome-headers.ts'
import { fetchTicket, proven, whyNoProtocol } from '../src/forge.ts'
import { nodeHttp2, nodeHttps } from '../src/send/node-clients.ts'
import { curl, whyNoCurl } from '../src/send/program-clients.ts'
import { deliver } from '../src/send/send.ts'

const shared = { kind: 'forger', family: 'empty bodies' } as const

export const EMPTY: readonly Case[] = [
  {
    ...shared,
    id: 'empty-curl',
    title: 'curl that claims Chrome, body `{}`',
    missing: whyNoCurl,
    run: (attempt) =>
      deliver(attempt, curl, { requestId: randomUUID(), headers: claimingChrome(attempt), body: '{}' }),
  },
  {
    ...shared,
    id: 'empty-curl-named',
    title: 'curl under its own name, body `{}`',
    missing: whyNoCurl,
    run: (attempt) =>
      deliver(attempt, curl, {
        requestId: randomUUID(),
        headers: [['Origin', attempt.site.origin]],
        body: '{}',
      }),
  },
  {
    ...shared,
    id: 'empty-node',
    title: 'Node that claims Chrome, no readings',
    run: (attempt) =>
      deliver(attempt, nodeHttps, {
        requestId: randomUUID(),
        headers: claimingChrome(attempt),
        body: JSON.stringify({ version: 1, agent_version: '0.1.0', readings: {} }),
      }),
  },
  {
    ...shared,
    id: 'empty-http',
    title: 'Node that claims Chrome, body `{}`, over plain HTTP',
    at: 'plain',
    run: (attempt) =>
      deliver(attempt, nodeHttps, {
        requestId: randomUUID(),
        headers: claimingChrome(attempt),
        body: '{}',
      }),
  },
  {
    ...shared,
    id: 'empty-http2-ticket',
    title: 'Node over HTTP/2 that claims Chrome, nothing but a valid ticket',
    missing: whyNoProtocol,
    async run(attempt) {
      const forged = {
        requestId: randomUUID(),
        headers: claimingChrome(attempt),
        body: JSON.stringify({ version: 1, agent_version: '0.1.0', readings: {} }),
      }
      const ticket = await fetchTicket(attempt, nodeHttp2, forged)
      return deliver(attempt, nodeHttp2, await proven(forged, { ticket }))
    },
  },
]
