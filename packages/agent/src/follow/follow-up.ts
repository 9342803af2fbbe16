import type { ReportedReadings } from '@inkling/contract'
import { actedInput, nextAction } from '../sources/input.ts'
import { checkNetwork, type NetworkCheckTask, type NetworkReport } from './check-network.ts'

export interface FollowUp {
  /** Whether the channel is open or opening. */
  live(): boolean
  /**
   * Says what the network check shows, which begins now, and the readings that took longer; and how the visitor
   * acts, which nobody waits for, as soon as there is something to say.
   */
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
  const task = socket && networkTask(socket)
  const live = () => socket !== undefined && socket.readyState < WebSocket.CLOSING
  const say = (said: object): void => {
    if (live()) socket?.send(JSON.stringify(said))
  }

  return {
    live,
    async report(late) {
      const [network, readings] = await Promise.all([task?.then(networkReport), late()])
      if (!network) return
      const input = actedInput()
      if (input) return say({ network, readings: { ...readings, input: { value: input } } })
      say({ network, readings, more: true })
      await nextAction()
      const value = actedInput()
      if (value) say({ readings: { input: { value } } })
      // A page with an open channel is not kept for the back button.
      socket?.close()
    },
  }
}

/** What the server asks for; undefined when it never spoke. */
function networkTask(socket: WebSocket): Promise<NetworkCheckTask | null | undefined> {
  return new Promise((resolve) => {
    const giveUp = () => resolve(undefined)
    setTimeout(() => {
      if (socket.readyState === WebSocket.CONNECTING) socket.close()
    }, OPEN_WITHIN_MS)
    socket.addEventListener('close', giveUp)
    socket.addEventListener('message', ({ data }) => resolve(taskOf(data)))
  })
}

const networkReport = async (
  task: NetworkCheckTask | null | undefined,
): Promise<NetworkReport | undefined> => (task === null ? NOT_CHECKED : task && checkNetwork(task))

function taskOf(data: unknown): NetworkCheckTask | null {
  try {
    return (JSON.parse(String(data)) as { network_check: NetworkCheckTask | null }).network_check
  } catch {
    return null
  }
}
