import { hkdfSync, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import type { NetworkCheckTask } from '@inkling/contract'
import type { FastifyRequest } from 'fastify'
import { isPageOf } from '../ingest/caller.ts'
import { createClientAddress, createProxyCheck } from '../ingest/client-address.ts'
import { createTickets } from '../ingest/tickets.ts'
import { isLoopbackHost } from '../lib/address-scope.ts'
import { repeat } from '../lib/repeat.ts'
import { withoutUndeclaredProxy, withReportedTls } from '../observe/connection/connection-evidence.ts'
import {
  type ConnectionListener,
  createConnectionListener,
} from '../observe/connection/connection-listener.ts'
import { createFollowChannel, type FollowChannel } from '../observe/follow/follow-channel.ts'
import { createFollowUps, type FollowUps } from '../observe/follow/follow-ups.ts'
import { createReachability } from '../observe/follow/reachability.ts'
import { openKernel } from '../observe/kernel/kernel.ts'
import { openTurnResponder, type TurnResponder } from '../observe/turn/turn-responder.ts'
import type { RunningState } from '../telemetry/running-state.ts'
import type { NetworkLoad } from '../telemetry/state-metrics.ts'
import type { ConnectionEvidence, NetworkEvidence } from '../visit/network-evidence.ts'
import type { Config, PublicUrls, ServerContext } from './config.ts'
import { openSharedFollowUps } from './nodes.ts'
import type { Storage } from './storage.ts'
import type { Telemetry } from './telemetry.ts'

const SWEEP_INTERVAL_MS = 5_000
/** Follow-up channels of one address: an office may open a hundred at once. */
const OPENS_PER_MINUTE_MIN = 120

/** Everything that observes connections. */
export interface Network {
  listener: ConnectionListener
  followUps: FollowUps
  channel: FollowChannel
  /** Where evidence below HTTP comes from, and why a source is missing. */
  sources: RunningState['sources']
  /** The certificate that it shows, as read at the start; undefined without TLS. */
  certificate: X509Certificate | undefined
  /** What is known by now of the connections of the visit that a request belongs to. */
  observe(request: FastifyRequest, visit: { requestId: string; address: string }): NetworkEvidence
  /** What connections and channels take. */
  load(): NetworkLoad
}

interface NetworkDeps {
  storage: Storage
  telemetry: Telemetry
}

export async function openNetwork(context: ServerContext, deps: NetworkDeps): Promise<Network> {
  const { config, urls, log, now, opened, warn } = context
  const { metrics } = deps.telemetry
  const kernel = openKernel()
  if (!kernel.available) log.info({ reason: kernel.reason }, 'no evidence from the kernel')
  const isTrustedProxy = createProxyCheck(config.TRUST_PROXY)
  const clientAddress = createClientAddress(config.TRUST_PROXY)
  const tls = await readTls(config)
  const listener = createConnectionListener({
    kernel,
    isTrustedProxy,
    isBalancer: isTrustedProxy,
    tls,
    limits: {
      connectionsMax: config.CONNECTIONS_MAX,
      connectionsPerAddressMax: config.CONNECTIONS_PER_ADDRESS_MAX,
      opensPerSecondMax: config.CONNECTIONS_PER_ADDRESS_MAX / 10,
    },
    onCut: metrics.connectionCut,
  })

  // The responder and the follow-ups need each other. Nobody has credentials for the responder before both exist.
  let sighted: FollowUps['addSighting'] = () => {}
  const turn = await openTurn(context, deps, (requestId, sighting) => sighted(requestId, sighting))
  const ownFollowUps = createFollowUps({
    turn: turn !== undefined,
    reachability: createReachability(),
    monotonicMs: () => performance.now(),
    onEvicted: metrics.followUpEvicted,
  })
  const followUps = await openSharedFollowUps(context, ownFollowUps, deps)
  sighted = followUps.addSighting

  function connectionOf(request: IncomingMessage): ConnectionEvidence {
    const peer = request.socket.remoteAddress ?? ''
    const evidence = listener.evidenceOf(request)
    // The evidence of a trusted proxy's connection is marked as the proxy's already.
    if (!isTrustedProxy(peer)) return withoutUndeclaredProxy(evidence, peer, request.headers)
    return config.JA4_HEADER === undefined
      ? evidence
      : withReportedTls(evidence, request.headers[config.JA4_HEADER])
  }

  const tickets = createTickets(deps.storage.secrets.secret_box_key, now)
  const channel = createFollowChannel({
    followUps,
    isTicket: tickets.vouches,
    isAllowed: (request) => isPageOf(request, deps.storage.directory),
    networkCheck: (requestId) => turn && networkCheckTask(turn, requestId, context),
    tcpMinMs(request) {
      const { tcpRoundTrip: roundTrip } = connectionOf(request)
      return roundTrip.available ? roundTrip.value.minMs : undefined
    },
    clientAddress: (request: IncomingMessage) =>
      clientAddress(request.socket.remoteAddress ?? '', request.headers['x-forwarded-for']?.toString()),
    // A visitor opens one for each visit; more are for reloads that never send a snapshot.
    opensPerMinute: Math.max(OPENS_PER_MINUTE_MIN, 2 * config.INGEST_LIMIT_PER_MINUTE),
    onRefused: metrics.channelRefused,
    monotonicMs: () => performance.now(),
  })
  const sweeping = repeat(
    SWEEP_INTERVAL_MS,
    () => Promise.resolve(followUps.sweep()),
    (error) => warn('follow-ups could not be swept', error),
  )
  opened.defer(async () => {
    await sweeping.stop()
    await turn?.close()
  })

  return {
    listener,
    followUps,
    channel,
    sources: [
      { source: 'kernel', available: kernel.available, reason: kernel.reason ?? '' },
      networkCheckSource(config, urls, turn !== undefined),
      {
        source: 'TLS',
        available: config.TLS_CERT !== undefined,
        reason: 'no certificate is set, so TLS ends before this server',
      },
    ],
    certificate: tls && new X509Certificate(tls.cert),
    load: () => ({ ...listener.load(), ...channel.load(), evidenceBytes: followUps.load().bytes }),
    observe: (request, { requestId, address }) => ({
      ...connectionOf(request.raw),
      ...followUps.evidenceOf(requestId, address),
    }),
  }
}

async function readTls({ TLS_CERT, TLS_KEY }: Config): Promise<{ cert: string; key: string } | undefined> {
  if (TLS_CERT === undefined || TLS_KEY === undefined) return undefined
  const [cert, key] = await Promise.all([readFile(TLS_CERT, 'utf8'), readFile(TLS_KEY, 'utf8')])
  return { cert, key }
}

/** Whether packets of visitors can reach the network check, and what keeps them away. */
export function networkCheckSource(
  config: Config,
  urls: PublicUrls,
  isOpen: boolean,
): RunningState['sources'][number] {
  const source = 'network check'
  const host = turnHost(config, urls)
  if (!isOpen) return { source, available: false, reason: whyNoTurn(config) }
  // The port is open, but no proxy on this machine brings packets to it.
  if (isLoopbackHost(config.HOST) && !isLoopbackHost(host))
    return { source, available: false, reason: `visitors look for it at ${host}, but HOST is ${config.HOST}` }
  return { source, available: true, reason: '' }
}

const turnHost = ({ TURN_HOST }: Config, { ingest }: PublicUrls): string =>
  TURN_HOST ?? new URL(ingest).hostname

const whyNoTurn = ({ TURN_PORT, FOLLOW_UP_SECONDS }: Config): string => {
  if (TURN_PORT === 'off') return 'TURN_PORT is off'
  if (FOLLOW_UP_SECONDS === 0) return 'FOLLOW_UP_SECONDS is 0'
  return `port ${TURN_PORT} cannot be opened`
}

/** Without its port the network check is off; the server starts all the same. */
async function openTurn(
  { config, log, now }: ServerContext,
  { storage, telemetry }: NetworkDeps,
  onSighting: FollowUps['addSighting'],
): Promise<TurnResponder | undefined> {
  if (config.TURN_PORT === 'off' || config.FOLLOW_UP_SECONDS === 0) return undefined
  try {
    return await openTurnResponder({
      host: config.HOST,
      port: config.TURN_PORT,
      secret: Buffer.from(
        hkdfSync('sha256', storage.secrets.secret_box_key, '', 'inkling network check', 32),
      ),
      now,
      monotonicMs: () => performance.now(),
      onSighting: ({ requestId, sighting }) => onSighting(requestId, sighting),
      onMessage: telemetry.metrics.turnMessage,
    })
  } catch (error) {
    log.warn({ err: error, port: config.TURN_PORT }, 'the network check is off: its port cannot be opened')
    return undefined
  }
}

function networkCheckTask(
  turn: TurnResponder,
  requestId: string,
  { config, urls }: ServerContext,
): NetworkCheckTask {
  const host = turnHost(config, urls)
  // The name may resolve to ::1, where a server on 127.0.0.1 does not listen.
  const reached = host === 'localhost' && config.HOST === '127.0.0.1' ? '127.0.0.1' : host
  const { username, credential } = turn.credentialsFor(requestId)
  return {
    urls: ['udp', 'tcp'].map((transport) => `turn:${reached}:${turn.port}?transport=${transport}`),
    username,
    credential,
  }
}
