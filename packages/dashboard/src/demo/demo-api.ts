import type { Explanation, HistoryRow } from '@inkling/contract'
import type { TabVisit } from './visits.ts'

export interface DemoSession {
  publicKey: string
  agentUrl: string
  historyUrl: string
  webhookReady: boolean
  signalTitles: Record<string, string>
}

export interface DemoWebhook {
  receivedAt: string
  headers: Record<string, string>
  body: string
  verified: boolean
  /** Time from the identification to its webhook, by the server's clock. */
  afterMs: number
}

export interface DemoVerdict {
  row: HistoryRow
  explanation: Explanation | null
  webhook?: DemoWebhook
}

export type VerdictAnswer =
  | { kind: 'scored'; verdict: DemoVerdict }
  | { kind: 'not_scored' | 'api_key_rejected' | 'rate_limited' | 'unavailable' | 'unreachable' }

/** Undefined when the server does not respond. */
export async function readSession(): Promise<DemoSession | undefined> {
  try {
    const response = await fetch('/demo/session')
    return response.ok ? await response.json() : undefined
  } catch {
    return undefined
  }
}

const KIND_OF_STATUS: Record<number, 'not_scored' | 'api_key_rejected' | 'rate_limited'> = {
  404: 'not_scored',
  401: 'api_key_rejected',
  429: 'rate_limited',
}

/** The latest visits of a device in this browser, and how many of them came from others, such as private windows. */
export interface DeviceVisits {
  visits: TabVisit[]
  elsewhere: number
}

export const NO_VISITS: DeviceVisits = { visits: [], elsewhere: 0 }

/** None when they cannot be read: the page works without them. */
export async function readDeviceVisits(deviceId: string): Promise<DeviceVisits> {
  try {
    const response = await fetch(`/demo/device/${deviceId}`)
    return response.ok ? await response.json() : NO_VISITS
  } catch {
    return NO_VISITS
  }
}

export async function readVerdict(requestId: string, signal: AbortSignal): Promise<VerdictAnswer> {
  try {
    const response = await fetch(`/demo/verdict/${requestId}`, { signal })
    if (response.ok) return { kind: 'scored', verdict: await response.json() }
    return { kind: KIND_OF_STATUS[response.status] ?? 'unavailable' }
  } catch {
    return { kind: 'unreachable' }
  }
}
