import { createFairShares } from '../../lib/fair-shares.ts'
import { createTokenBuckets } from '../../lib/token-buckets.ts'

/** Why a channel was not opened, or closed before its time. */
export type ChannelRefusal = 'opened_too_often' | 'too_many_of_address' | 'too_many' | 'unfinished_messages'

/** When this many are open, channels that only wait for a second report make room, then those of the greediest address. */
const CHANNELS_MAX = 8_000
/** A whole office may share an address, and the checks of a visit take about a second. */
const CHANNELS_PER_ADDRESS_MAX = 100
/** Bytes of messages that have only arrived in part. Agents send a few kilobytes at once. */
const UNFINISHED_BYTES_MAX = 32 * 1_024 * 1_024
const UNFINISHED_PER_ADDRESS_BYTES_MAX = 2 * 1_024 * 1_024
/** Head of a frame from a client, with the longest form of its length and the mask (RFC 6455, section 5.2). */
const FRAME_HEAD_BYTES_MAX = 14

interface ChannelPlacesDeps<Channel> {
  opensPerMinute: number
  monotonicMs(): number
  destroy(channel: Channel): void
  onRefused?: (reason: ChannelRefusal) => void
}

/** The places for channels: how many an address may open and have, and how much of unfinished messages it may send. */
interface ChannelPlaces<Channel> {
  /** Why the address may not open a channel now. Otherwise there is room for it, even if another one had to close. */
  refusalOf(group: string): ChannelRefusal | undefined
  add(group: string, channel: Channel): void
  remove(channel: Channel): void
  /** From now on the channel may be closed at any time, as it only waits for a second report. */
  mayLeave(channel: Channel): void
  received(channel: Channel, bytes: number): void
  /** Notes that a message of this length was complete. */
  completed(channel: Channel, bytes: number): void
  load(): { channels: number; unfinishedBytes: number }
}

interface Place {
  group: string
  unfinishedBytes: number
}

export function createChannelPlaces<Channel>(deps: ChannelPlacesDeps<Channel>): ChannelPlaces<Channel> {
  const { destroy, onRefused, opensPerMinute, monotonicMs } = deps
  const mayOpen = createTokenBuckets({
    burst: opensPerMinute,
    perSecond: opensPerMinute / 60,
    monotonicMs,
  })
  const places = new Map<Channel, Place>()
  const open = createFairShares<Channel>()
  /** Those that may leave, in the order of their waiting. */
  const waiting = createFairShares<Channel>()
  const unfinished = createFairShares<Channel>()

  function cut(channel: Channel, reason: ChannelRefusal): void {
    onRefused?.(reason)
    remove(channel)
    destroy(channel)
  }

  function remove(channel: Channel): void {
    places.delete(channel)
    for (const shares of [open, waiting, unfinished]) shares.remove(channel)
  }

  /** A channel that makes room for a new one of `group`. */
  function leaving(group: string): Channel | undefined {
    const [waitingLongest] = waiting.holdersOf(waiting.greediestGroup() ?? '')
    if (waitingLongest) return waitingLongest
    const greediest = open.greediestGroup() ?? ''
    const [oldest] = open.holdersOf(greediest)
    return open.amountOf(greediest) > open.amountOf(group) ? oldest : undefined
  }

  function makeRoom(group: string): ChannelRefusal | undefined {
    if (open.amountOf(group) >= CHANNELS_PER_ADDRESS_MAX) {
      const [waitingLongest] = waiting.holdersOf(group)
      if (!waitingLongest) return 'too_many_of_address'
      cut(waitingLongest, 'too_many_of_address')
    } else if (places.size >= CHANNELS_MAX) {
      const channel = leaving(group)
      if (!channel) return 'too_many'
      cut(channel, 'too_many')
    }
    return undefined
  }

  function setUnfinished(channel: Channel, bytes: number): void {
    const place = places.get(channel)
    if (!place) return
    place.unfinishedBytes = Math.max(0, bytes)
    unfinished.set(channel, place.group, place.unfinishedBytes)
    const isOver = unfinished.amountOf(place.group) > UNFINISHED_PER_ADDRESS_BYTES_MAX
    const leaving = isOver
      ? channel
      : unfinished.total() > UNFINISHED_BYTES_MAX
        ? unfinished.greediest()
        : undefined
    if (leaving) cut(leaving, 'unfinished_messages')
  }

  const unfinishedOf = (channel: Channel): number => places.get(channel)?.unfinishedBytes ?? 0

  return {
    refusalOf: (group) => makeRoom(group) ?? (mayOpen(group) ? undefined : 'opened_too_often'),
    add(group, channel) {
      places.set(channel, { group, unfinishedBytes: 0 })
      open.set(channel, group, 1)
    },
    remove,
    mayLeave(channel) {
      const place = places.get(channel)
      if (place) waiting.set(channel, place.group, 1)
    },
    received: (channel, bytes) => setUnfinished(channel, unfinishedOf(channel) + bytes),
    completed: (channel, bytes) =>
      setUnfinished(channel, unfinishedOf(channel) - bytes - FRAME_HEAD_BYTES_MAX),
    load: () => ({ channels: places.size, unfinishedBytes: unfinished.total() }),
  }
}
