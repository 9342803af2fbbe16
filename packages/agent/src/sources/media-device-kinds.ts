import { Unsupported } from '../collect/unsupported.ts'

/**
 * Which kinds of media device exist. Until the visitor grants permission a browser lists at most one
 * per kind, so this says presence, never a count.
 */
export async function mediaDeviceKinds(): Promise<string[]> {
  // Also missing on plain-http pages in current browsers, not only in old ones.
  if (!navigator.mediaDevices?.enumerateDevices) throw new Unsupported()

  const devices = await navigator.mediaDevices.enumerateDevices()
  return [...new Set(devices.map((device) => device.kind))].sort()
}
