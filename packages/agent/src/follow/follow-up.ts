import type {
  FOLLOW_PREFIX,
  FollowReport,
  FollowTask,
  NetworkCheckTask,
  NetworkReport,
  ReportedReadings,
} from '@inkling/contract'
import { actedInput, nextAction } from '../sources/input.ts'
import { checkNetwork } from './check-network.ts'

export interface FollowUp {
  /** Whether the channel is open or opening. */
  isOpen(): boolean
  /**
   * Reports the network check, which begins as soon as the server asks for it, with the late readings. If the visitor
   * has not acted by then, a second report follows with how they do.
   */
  report(late: () => Promise<ReportedReadings>): Promise<void>
}

/** A page gives up on a channel that takes longer than this to open. */
const OPEN_WITHIN_MS = 8_000
const NOT_CHECKED: NetworkReport = { outcome: 'failed', answered: false }

/** Repeated here, because importing the value would bundle the schema library. The type keeps the two equal. */
const PREFIX: typeof FOLLOW_PREFIX = '/follow/'

/**
 * Opens the channel over which the server measures round trips and asks for the network check. A visit is complete
 * without it, so where it cannot be opened nothing else changes.
 * @param path request ID and key: `{request_id}?publicKey={key}`
 */
export function openFollowUp(ingestUrl: string, path: string): FollowUp {
  let socket: WebSocket | undefined
  try {
    socket = new WebSocket(ingestUrl.replace(/^http/, 'ws') + PREFIX + path)
  } catch {
    // The page's policy blocks it, or the browser has no WebSocket.
  }
  const task = socket && networkTask(socket)
  const isOpen = () => socket !== undefined && socket.readyState < WebSocket.CLOSING
  const send = (report: FollowReport): void => {
    if (isOpen()) socket?.send(JSON.stringify(report))
  }

  return {
    isOpen,
    async report(late) {
      const [network, readings] = await Promise.all([task?.then(networkReport), late()])
      if (!network) return
      const input = actedInput()
      if (input) return send({ network, readings: { ...readings, input: { value: input } } })
      send({ network, readings, more: true })
      await nextAction()
      const value = actedInput()
      if (value) send({ readings: { input: { value } } })
      // Browsers do not keep a page with an open channel for the back button.
      socket?.close()
    },
  }
}

/** What the server asks for; undefined when the channel closed before it did. */
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
    return (JSON.parse(String(data)) as FollowTask).network_check
  } catch {
    return null
  }
}
