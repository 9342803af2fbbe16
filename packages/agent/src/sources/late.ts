import { iframe } from './iframe.ts'
import type { LateName, Sources } from './index.ts'
import { laterInput } from './input.ts'
import { mediaDeviceKinds } from './media-device-kinds.ts'
import { privateMode } from './private-mode.ts'
import { worker } from './worker.ts'

/**
 * What starts a thread or a frame, times the disk or waits for the visitor, and so must not hold up the first
 * snapshot. Run after it and sent over the follow-up channel.
 */
export const LATE_SOURCES: Pick<Sources, LateName | 'input'> = {
  worker,
  iframe,
  media_devices: mediaDeviceKinds,
  private_mode: privateMode,
  input: laterInput,
}
