import type { ReadingValues } from '@inkling/contract'

export const screenSize = (): ReadingValues['screen'] => ({
  width: screen.width,
  height: screen.height,
  avail_width: screen.availWidth,
  avail_height: screen.availHeight,
  color_depth: screen.colorDepth,
  pixel_ratio: devicePixelRatio,
})
