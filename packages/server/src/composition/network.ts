import { hkdfSync } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import type { NetworkCheckTask } from '@inkling/contract'
import type { FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Directory } from '../auth/directory.ts'
import { isPageOf } from '../ingest/caller.ts'
import { createClientAddress, createProxyCheck } from '../ingest/client-address.ts'
import { repeat } from '../lib/repeat.ts'
import { withoutUndeclaredProxy } from '../observe/connection/connection-evidence.ts'
import { createConnectionListener, type ConnectionListener } from '../observe/connection/connection-listener.ts'
import { createFollowChannel, type FollowChannel } from '../observe/follow/follow-channel.ts'
import { createFollowUps, type FollowUps } from '../observe/follow/follow-ups.ts'
import { createReachability } from '../observe/follow/reachability.ts'
import { openKernel } from '../observe/kernel/kernel.ts'
import { openTurnResponder, type TurnMessage, type TurnResponder } from '../observe/turn/turn-responder.ts'
import type { ConnectionEvidence, NetworkEvidence } from '../visit/network-evidence.ts'
import type { Config, PublicUrls } from './config.ts'

const SWEEP_MS = 5_000

/** A way to see a connection from below, and why it is closed where it is. */
export interface EvidenceSource {
  source: 'kernel' | 'network check' | 'TLS'
  available: boolean
  /** Why not. */
  reason: string
}

/** Everything with which the server watches connections. */
export interface Network {
  listener: ConnectionListener
  followUps: FollowUps
  channel: FollowChannel
  sources: readonly EvidenceSource[]
  /** What was seen of the visit that a request belongs to, by now. */
  observe(request: FastifyRequest, visit: { requestId: string; address: string }): NetworkEvidence
  close(): Promise<void>
}

export interface NetworkDeps {
  config: Config
  urls: PublicUrls
  directory: Directory
  /** From which the responder's own is derived. */
  secret: Buffer
  /** Told of each message to the responder. */
  turnMessage(message: TurnMessage): void
  log: Logger
  now(): number
}

export async function openNetwork(deps: NetworkDeps): Promise<Network> {
  const { config, directory, log } = deps
  const kernel = openKernel()
  if (!kernel.available) log.info({ reason: kernel.reason }, 'no evidence from the kernel')
  const isTrustedProxy = createProxyCheck(config.TRUST_PROXY)
  const clientAddress = createClientAddress(config.TRUST_PROXY)
  const listener = createConnectionListener({
    kernel,
    isTrustedProxy,
    isBalancer: isTrustedProxy,
    tls: await readTls(config),
  })

  // Known only after it listens, and told only to those who hold its credentials.
  let sighted: FollowUps['sighted'] = () => {}
  const turn = await openTurn(deps, (requestId, sighting) => sighted(requestId, sighting))
  const followUps = createFollowUps({
    turn: turn !== undefined,
    reachability: createReachability(),
    monotonicMs: () => performance.now(),
  })
  sighted = followUps.sighted

  function connectionOf(request: IncomingMessage): ConnectionEvidence {
    const peer = request.socket.remoteAddress ?? ''
    const evidence = listener.evidenceOf(request)
    // A declared proxy's evidence says so already.
    return isTrustedProxy(peer) ? evidence : withoutUndeclaredProxy(evidence, peer, request.headers)
  }

  const channel = createFollowChannel({
    followUps,
    isAllowed: (request) => isPageOf(request, directory),
    networkCheck: (requestId) => turn && networkCheckTask(turn, requestId, deps),
    tcpMinMs(request) {
      const { tcpRoundTrip: roundTrip } = connectionOf(request)
      return roundTrip.available ? roundTrip.value.minMs : undefined
    },
    clientAddress: (request: IncomingMessage) =>
      clientAddress(request.socket.remoteAddress ?? '', request.headers['x-forwarded-for']?.toString()),
    monotonicMs: () => performance.now(),
  })
  const sweeping = repeat(
    SWEEP_MS,
    () => Promise.resolve(followUps.sweep()),
    (error) => log.warn({ err: error }, 'follow-ups could not be swept'),
  )

  return {
    listener,
    followUps,
    channel,
    sources: [
      { source: 'kernel', available: kernel.available, reason: kernel.reason ?? '' },
      { source: 'network check', available: turn !== undefined, reason: whyNoTurn(config) },
      {
        source: 'TLS',
        available: config.TLS_CERT !== undefined,
        reason: 'no certificate is set, so TLS ends before this server',
      },
    ],
    observe: (request, { requestId, address }) => ({
      ...connectionOf(request.raw),
      ...followUps.evidenceOf(requestId, address),
    }),
    async close() {
      await sweeping.stop()
      await turn?.close()
    },
  }
}

async function readTls({ TLS_CERT, TLS_KEY }: Config): Promise<{ cert: string; key: string } | undefined> {
  if (TLS_CERT === undefined || TLS_KEY === undefined) return undefined
  const [cert, key] = await Promise.all([readFile(TLS_CERT, 'utf8'), readFile(TLS_KEY, 'utf8')])
  return { cert, key }
}

const whyNoTurn = ({ TURN_PORT, FOLLOW_UP_SECONDS }: Config): string => {
  if (TURN_PORT === 'off') return 'TURN_PORT is off'
  if (FOLLOW_UP_SECONDS === 0) return 'FOLLOW_UP_SECONDS is 0'
  return `port ${TURN_PORT} cannot be opened`
}

/** A port that is taken costs the check, never the service. */
async function openTurn(
  { config, secret, turnMessage, log, now }: NetworkDeps,
  onSighting: FollowUps['sighted'],
): Promise<TurnResponder | undefined> {
  if (config.TURN_PORT === 'off' || config.FOLLOW_UP_SECONDS === 0) return undefined
  try {
    return await openTurnResponder({
      host: config.HOST,
      port: config.TURN_PORT,
      secret: Buffer.from(hkdfSync('sha256', secret, '', 'inkling network check', 32)),
      now,
      monotonicMs: () => performance.now(),
      onSighting: ({ requestId, sighting }) => onSighting(requestId, sighting),
      onMessage: turnMessage,
    })
  } catch (error) {
    log.warn({ err: error, port: config.TURN_PORT }, 'the network check is off: its port cannot be opened')
    return undefined
  }
}

function networkCheckTask(
  turn: TurnResponder,
  requestId: string,
  { config, urls }: Pick<NetworkDeps, 'config' | 'urls'>,
): NetworkCheckTask {
  const host = config.TURN_HOST ?? new URL(urls.ingest).hostname
  // Where it listens on one loopback address only, the name may lead to the other one.
  const reached = host === 'localhost' && config.HOST === '127.0.0.1' ? '127.0.0.1' : host
  const { username, credential } = turn.credentialsFor(requestId)
  return {
    urls: ['udp', 'tcp'].map((transport) => `turn:${reached}:${turn.port}?transport=${transport}`),
    username,
    credential,
  }
}
