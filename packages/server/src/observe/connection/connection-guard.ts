import type { ServerResponse } from 'node:http'
import type { Http2ServerResponse } from 'node:http2'
import { limitKeys } from '../../lib/address-limit.ts'
import { createFairShares } from '../../lib/fair-shares.ts'
import { createTokenBuckets } from '../../lib/token-buckets.ts'
import { createTurns } from '../../lib/turns.ts'
import type { Connection } from './connection-evidence.ts'

/** Why the guard destroyed a connection. */
export type CutReason =
  | 'too_many'
  | 'too_many_of_address'
  | 'opened_too_often'
  | 'does_not_read'
  | 'too_much_waiting'

export interface ConnectionLimits {
  /** Open connections in all. */
  connectionsMax: number
  /** Open connections of one address. Proxies in `TRUST_PROXY` are excepted. */
  connectionsPerAddressMax: number
  /** Connections that one address may open in a second, and ten times as many at once. */
  opensPerSecondMax: number
  /** How long a connection may take less than `DRAINED_BYTES_MIN` while answers wait to be sent on it. */
  drainWithinMs: number
  /** Memory of all answers that wait to be sent. */
  waitingBytesMax: number
  /** Answers that one address has not read; with so many it gets no further connection. */
  unreadPerAddressMax: number
}

const LIMITS: ConnectionLimits = {
  connectionsMax: 10_000,
  connectionsPerAddressMax: 500,
  opensPerSecondMax: 50,
  drainWithinMs: 30_000,
  waitingBytesMax: 64 * 1_024 * 1_024,
  unreadPerAddressMax: 200,
}

/** Over a mobile network of the second generation, the slowest in use, it takes two seconds. */
const DRAINED_BYTES_MIN = 4_096
/** What an answer takes beside its bytes: request, response, stream and headers. Measured: 25 KB with HTTP/2. */
const ANSWER_BYTES = 25_000
const CHECKS_PER_LIMIT = 20
/** Closing a connection ends its answers, each of which takes a fraction of an ordinary piece of work. */
const CUT_ANSWERS_PER_PIECE = 4

interface ConnectionGuardDeps {
  limits?: Partial<ConnectionLimits> | undefined
  isTrustedProxy(address: string): boolean
  onCut?: ((reason: CutReason) => void) | undefined
  /** Milliseconds of a monotonic clock. */
  clock(): number
}

export interface ConnectionLoad {
  connections: number
  waitingBytes: number
}

/**
 * Keeps connections from taking more than their share: how many there are, and how much waits to be sent to clients
 * that do not read.
 */
export interface ConnectionGuard {
  /** Counts a new connection. It, or another one, is destroyed when there are too many. */
  opened(connection: Connection): void
  /** Counts a connection for the client that a PROXY header named. */
  named(connection: Connection): void
  /** Whether its requests may be read now, after the handshake; otherwise it was destroyed. */
  admits(connection: Connection): boolean
  /** Counts an answer until it is sent. False when the connection was destroyed, so that nobody needs it. */
  asked(connection: Connection, response: ServerResponse | Http2ServerResponse): boolean
  /** Runs work for a connection when it is the turn of its client; never when the connection is gone by then. */
  inTurn(connection: Connection, work: () => void): void
  /** The same for the start of a session, which may bring a hundred requests. */
  inTurnOfSessions(connection: Connection, work: () => void): void
  /** From now on another protocol limits the connection. */
  upgraded(connection: Connection): void
  load(): ConnectionLoad
  stop(): void
}

interface Guarded {
  group: string
  answers: Set<ServerResponse | Http2ServerResponse>
  isUpgraded: boolean
  /** What the client had taken when it last made progress, and when that was. */
  taken: number
  progressMs: number
}

export function createConnectionGuard(deps: ConnectionGuardDeps): ConnectionGuard {
  const { isTrustedProxy, clock, onCut = () => {} } = deps
  const limits = { ...LIMITS, ...deps.limits }
  const open = new Map<Connection, Guarded>()
  const places = createFairShares<Connection>()
  const waiting = createFairShares<Connection>()
  const mayOpen = createTokenBuckets({
    burst: 10 * limits.opensPerSecondMax,
    perSecond: limits.opensPerSecondMax,
    monotonicMs: clock,
  })
  const turns = createTurns()
  let proxies = 0
  const timer = setInterval(check, limits.drainWithinMs / CHECKS_PER_LIMIT)
  timer.unref()

  function cut(connection: Connection, reason: CutReason): void {
    onCut(reason)
    forget(connection)
    connection.socket.destroy()
  }

  /** Those that came together become due together. */
  function cutInTurn(connection: Connection, { group, answers }: Guarded): void {
    const cost = Math.ceil(answers.size / CUT_ANSWERS_PER_PIECE)
    turns.run(group, () => open.has(connection) && cut(connection, 'does_not_read'), cost)
  }

  function forget(connection: Connection): void {
    open.delete(connection)
    places.remove(connection)
    waiting.remove(connection)
  }

  /** A trusted proxy's connections carry many visitors, so each one is a group of its own. */
  function groupFor(address: string): string {
    if (!isTrustedProxy(address)) return limitKeys(address)[0]
    proxies += 1
    return `proxy ${proxies}`
  }

  /** Makes room for a connection that was just counted. */
  function makeRoom(newest: Connection, group: string): void {
    if (places.amountOf(group) > limits.connectionsPerAddressMax)
      cut(idleOf(group, newest) ?? newest, 'too_many_of_address')
    else if (open.size > limits.connectionsMax) {
      const greediest = places.greediestGroup() ?? group
      const [oldest] = places.holdersOf(greediest)
      const isGreedier = places.amountOf(greediest) > places.amountOf(group)
      cut(idleOf(greediest, newest) ?? (isGreedier && oldest ? oldest : newest), 'too_many')
    }
  }

  /** The oldest connection of a group on which nothing happens; its client opens another one when it needs one. */
  function idleOf(group: string, newest: Connection): Connection | undefined {
    for (const connection of places.holdersOf(group)) {
      const guarded = open.get(connection)
      if (connection !== newest && guarded?.answers.size === 0 && !guarded.isUpgraded) return connection
    }
    return undefined
  }

  function count(connection: Connection, { group, answers }: Guarded, bytes: number): void {
    waiting.set(connection, group, answers.size === 0 ? 0 : answers.size * ANSWER_BYTES + bytes)
  }

  /** How many answers wait for the clients of a group, rather than for us. Counted only when there may be too many. */
  function unreadOf(group: string): number {
    if (waiting.amountOf(group) < limits.unreadPerAddressMax * ANSWER_BYTES) return 0
    let unread = 0
    for (const connection of waiting.holdersOf(group))
      for (const answer of open.get(connection)?.answers ?? []) if (answer.headersSent) unread += 1
    return unread
  }

  function reduceWaiting(): void {
    while (waiting.total() > limits.waitingBytesMax) {
      const greediest = waiting.greediest()
      if (!greediest) return
      cut(greediest, 'too_much_waiting')
    }
  }

  /** Destroys the connections whose clients do not read. */
  function check(): void {
    const nowMs = clock()
    for (const [connection, guarded] of open) {
      if (guarded.answers.size === 0) continue
      const { taken, queued } = sentTo(connection)
      const bytes = queued + answerBytes(guarded.answers)
      count(connection, guarded, bytes)
      if (bytes === 0 || taken - guarded.taken >= DRAINED_BYTES_MIN) {
        guarded.taken = taken
        guarded.progressMs = nowMs
      } else if (nowMs - guarded.progressMs > limits.drainWithinMs) cutInTurn(connection, guarded)
    }
    reduceWaiting()
  }

  function whenDue(
    run: (group: string, work: () => void) => void,
    connection: Connection,
    work: () => void,
  ): void {
    const group = open.get(connection)?.group
    if (group === undefined) return
    run(group, () => {
      if (!open.has(connection) || connection.socket.destroyed) return
      if (unreadOf(group) > limits.unreadPerAddressMax) cut(connection, 'too_much_waiting')
      else work()
    })
  }

  return {
    opened(connection) {
      const group = groupFor(connection.peer.address)
      open.set(connection, { group, answers: new Set(), isUpgraded: false, taken: 0, progressMs: clock() })
      places.set(connection, group, 1)
      connection.socket.once('close', () => forget(connection))
      // Now, because a handshake and a hundred requests cost a thousand times as much.
      if (!mayOpen(group)) cut(connection, 'opened_too_often')
      else if (unreadOf(group) >= limits.unreadPerAddressMax) cut(connection, 'too_much_waiting')
      else makeRoom(connection, group)
    },
    named(connection) {
      const guarded = open.get(connection)
      if (!guarded) return
      guarded.group = groupFor(connection.peer.address)
      places.set(connection, guarded.group, 1)
      makeRoom(connection, guarded.group)
    },
    admits(connection) {
      const group = open.get(connection)?.group
      if (group !== undefined && unreadOf(group) >= limits.unreadPerAddressMax)
        cut(connection, 'too_much_waiting')
      return open.has(connection)
    },
    asked(connection, response) {
      const guarded = open.get(connection)
      if (!guarded) return false
      if (guarded.answers.size === 0) {
        guarded.taken = sentTo(connection).taken
        guarded.progressMs = clock()
      }
      guarded.answers.add(response)
      count(connection, guarded, 0)
      response.once('close', () => {
        guarded.answers.delete(response)
        if (open.has(connection)) count(connection, guarded, 0)
      })
      reduceWaiting()
      return open.has(connection)
    },
    inTurn: (connection, work) => whenDue(turns.run, connection, work),
    inTurnOfSessions: (connection, work) => whenDue(turns.runLarge, connection, work),
    upgraded(connection) {
      const guarded = open.get(connection)
      if (guarded) guarded.isUpgraded = true
    },
    load: () => ({ connections: open.size, waitingBytes: waiting.total() }),
    stop: () => clearInterval(timer),
  }
}

/** What the system has taken of the bytes for a client, and what it has not. Node has no public API for the latter. */
function sentTo({ socket }: Connection): { taken: number; queued: number } {
  const { _handle: handle } = socket as unknown as {
    _handle?: { bytesWritten?: number; writeQueueSize?: number } | null
  }
  const queued = handle?.writeQueueSize ?? 0
  return { taken: (handle?.bytesWritten ?? 0) - queued, queued }
}

const answerBytes = (answers: ReadonlySet<ServerResponse | Http2ServerResponse>): number => {
  let bytes = 0
  for (const answer of answers) bytes += answer.writableLength
  return bytes
}
