import { Unsupported } from '../../collect/source.ts'

/**
 * The kinds of media device that exist, not how many: until the visitor grants permission, browsers list at most one of
 * each kind (https://w3c.github.io/mediacapture-main/#dom-mediadevices-enumeratedevices).
 */
export async function mediaDevices(): Promise<string[]> {
  // Missing on plain HTTP pages too, not only in old browsers.
  if (!navigator.mediaDevices?.enumerateDevices) throw new Unsupported()

  const devices = await navigator.mediaDevices.enumerateDevices()
  return [...new Set(devices.map((device) => device.kind))].sort()
}
