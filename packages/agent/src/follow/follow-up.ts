import type {
  FOLLOW_PREFIX,
  FollowReport,
  FollowTask,
  NetworkCheckTask,
  NetworkReport,
  ReportedReadings,
} from '@inkling/contract'
import { toJson } from '../collect/json.ts'
import { honeytokens } from '../sources/honeytokens.ts'
import { actedInput, nextAction } from '../sources/input.ts'
import { inputTraces } from '../sources/input-traces.ts'
import { checkNetwork } from './check-network.ts'

export interface FollowUp {
  /** Whether the channel is open or opening. */
  isOpen(): boolean
  /**
   * Reports the network check, which begins as soon as the server asks for it, with the late readings. If the visitor
   * has not acted by then, reports on how they do follow, after each of `SETTLES_MS`.
   */
  report(late: () => Promise<ReportedReadings>, ticket: Promise<string>): Promise<void>
}

/** A page gives up on a channel that takes longer than this to open. */
const OPEN_WITHIN_MS = 8_000
/**
 * How long the visitor must pause before each report on their input: soon after the first click, and then seldom, so
 * that a whole form is in few reports. As many as `FOLLOW_REPORTS_MAX` leaves.
 */
const SETTLES_MS = [400, 2_000, 6_000]
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
    if (isOpen()) socket?.send(toJson(report))
  }

  return {
    isOpen,
    async report(late, fetched) {
      const [network, readings, ticket] = await Promise.all([task?.then(networkReport), late(), fetched])
      if (!network) return
      const acted = actedReadings()
      const first = { ...(ticket && { ticket }), network, readings: { ...readings, ...acted } }
      if (acted?.input) return send(first)
      send({ ...first, more: true })
      // Browsers do not keep a page with an open channel for the back button.
      const leave = (): void => {
        const readings = actedReadings()
        if (readings) send({ readings })
        socket?.close()
      }
      addEventListener('pagehide', leave, { once: true })
      for (const settleMs of SETTLES_MS) {
        if (!(await nextAction(settleMs)) || !isOpen()) break
        send({ readings: { ...actedReadings() }, more: true })
      }
      socket?.close()
    },
  }
}

/** How mouse and keyboard were used, and honeytokens; undefined before that. */
function actedReadings(): ReportedReadings | undefined {
  const input = actedInput()
  const traces = inputTraces()
  // A program that puts texts into fields needs neither a click nor a key.
  const isTyped = Boolean(traces.insertions || traces.characters || traces.capitals)
  const tokens = honeytokens()
  const acted = {
    ...(input && { input: { value: input } }),
    ...((input || isTyped) && { input_traces: { value: traces } }),
    ...((tokens?.filled || tokens?.followed) && { honeytokens: { value: tokens } }),
  }
  return 'input_traces' in acted || 'honeytokens' in acted ? acted : undefined
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
