import type { ReportedReadings } from '@inkling/contract'
import { checkNetwork, type NetworkCheckTask, type NetworkReport } from './check-network.ts'

export interface FollowUp {
  /** Whether the channel is open or opening. */
  live(): boolean
  /** Ends the visit's part: says what the network check showed, and the readings that took longer. */
  report(late: () => Promise<ReportedReadings>): Promise<void>
}

/** A page that waits longer than this for its channel goes without. */
const OPEN_WITHIN_MS = 8_000
const NOT_CHECKED: NetworkReport = { outcome: 'failed', answered: false }

/**
 * Opens the channel over which the server measures the way to the browser and hands out its network check.
 * Nothing depends on it: where it cannot be opened the visit goes on without.
 */
export function openFollowUp(url: string): FollowUp {
  let socket: WebSocket | undefined
  try {
    socket = new WebSocket(url)
  } catch {
    // Blocked by the page's policy, or no WebSocket at all.
  }
  const network = socket ? networkReport(socket) : undefined
  const live = () => socket !== undefined && socket.readyState < WebSocket.CLOSING

  return {
    live,
    async report(late) {
      const [report, readings] = await Promise.all([network, late()])
      if (report && live()) socket?.send(JSON.stringify({ network: report, readings }))
    },
  }
}

/** Resolves once the server has said what to check and that is done; undefined when it never spoke. */
function networkReport(socket: WebSocket): Promise<NetworkReport | undefined> {
  return new Promise((resolve) => {
    const giveUp = () => resolve(undefined)
    setTimeout(() => {
      if (socket.readyState === WebSocket.CONNECTING) socket.close()
    }, OPEN_WITHIN_MS)
    socket.addEventListener('close', giveUp)
    socket.addEventListener('message', ({ data }) => {
      const task = taskOf(data)
      void (task ? checkNetwork(task) : Promise.resolve(NOT_CHECKED)).then(resolve)
    })
  })
}

function taskOf(data: unknown): NetworkCheckTask | null {
  try {
    return (JSON.parse(String(data)) as { network_check: NetworkCheckTask | null }).network_check
  } catch {
    return null
  }
}
