import type { ReadingValues } from '@inkling/contract'

/** Inside a frame the inner size is the frame's; outer size and position are the whole window's. */
export const windowGeometry = (): ReadingValues['window'] => ({
  inner_width: innerWidth,
  inner_height: innerHeight,
  outer_width: outerWidth,
  outer_height: outerHeight,
  screen_x: screenX,
  screen_y: screenY,
})
