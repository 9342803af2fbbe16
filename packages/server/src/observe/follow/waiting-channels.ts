/** Channels, by address, that have said everything but how the visitor acts. Nothing is lost when they end. */
export interface WaitingChannels<Channel> {
  add(address: string, channel: Channel): void
  remove(address: string, channel: Channel): void
  /** The one that has waited longest: of the address if given, else of any. */
  oldest(address?: string): Channel | undefined
}

export function createWaitingChannels<Channel>(): WaitingChannels<Channel> {
  const byAddress = new Map<string, Set<Channel>>()
  return {
    add(address, channel) {
      const channels = byAddress.get(address) ?? new Set()
      byAddress.set(address, channels.add(channel))
    },
    remove(address, channel) {
      const channels = byAddress.get(address)
      channels?.delete(channel)
      if (channels?.size === 0) byAddress.delete(address)
    },
    oldest(address) {
      const [channels] = address === undefined ? byAddress.values() : [byAddress.get(address)]
      return channels?.values().next().value
    },
  }
}
