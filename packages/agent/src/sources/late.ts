import { iframe } from './iframe.ts'
import type { LateName, Sources } from './index.ts'
import { mediaDeviceKinds } from './media-device-kinds.ts'
import { privateMode } from './private-mode.ts'
import { worker } from './worker.ts'

/**
 * What starts a thread or a frame or times the disk, and so must not hold up the first snapshot. Run after it and sent over the follow-up channel.
 */
export const LATE_SOURCES: Pick<Sources, LateName> = {
  worker,
  iframe,
  media_devices: mediaDeviceKinds,
  private_mode: privateMode,
}
